/// The reason for rejecting a file. The server turns the code into a sentence.
struct Refusal: Error {
  enum Code: String {
    /// No format that this program reads.
    case unknown
    /// Truncated, or too damaged to be read.
    case damaged
    /// A Shapefile without some of its parts.
    case incomplete
    /// It unpacks to too many bytes.
    case unpacksTooMuch = "unpacks_too_much"
    /// It needs more memory than ``Limits/memory``.
    case memory
    /// Its data is in a coordinate system that cannot be converted.
    case coordinates
    /// Its geometries have an encoding that this program does not read.
    case encoding
    /// It has several lists, and the mapping names none of them.
    case several
    /// It does not have the list that the mapping names.
    case missing
    /// It has no list.
    case empty
    /// A SQLite database that is not a GeoPackage.
    case database
    /// A workbook in an unsupported format.
    case workbook
    /// A workbook that counts days from 1904, which GDAL reads as days since 1900.
    case from1904 = "from_1904"
    /// A workbook with formulas whose results it does not have.
    case formulas
    /// The list is a file of an archive that must be unpacked first.
    case nested
    /// It has only links to other files.
    case links
    /// It has only tracks or routes, no waypoints.
    case ways
    /// A list is a view: a stored query, which is not run.
    case view
    /// It is encrypted.
    case encrypted
    /// More nodes of ways than ``Limits/places``.
    case places
    /// Streets were requested, but the file is not an OpenStreetMap extract.
    case notPBF = "not_pbf"
    /// More nodes of streets than ``Limits/streetPlaces``.
    case area
  }

  var code: Code
  /// Names from the file; not trusted.
  var detail = ""

  /// Names of lists, which the server shows as choices.
  private var names: [String] = []
  /// Separates names: the unit separator of ASCII, because a name may contain any printable character.
  private static let separator = "\u{1F}"
  /// Maximum length of the detail in Unicode scalars. The server reads 4,096 bytes.
  private static let maxLength = 1_000

  init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  init(_ code: Code, names: [String]) {
    self.code = code
    self.names = names
  }

  var line: String { "\(code.rawValue) \(names.isEmpty ? Self.plain(detail) : list)" }

  /// As many whole names as fit, and at least a part of the first: a part of a further name would be a
  /// choice that the file does not have.
  private var list: String {
    var list = Self.plain(names.first ?? "")
    for name in names.dropFirst() {
      let longer = list + Self.separator + Self.plain(name)
      guard longer.unicodeScalars.count <= Self.maxLength else { break }
      list = longer
    }
    return list
  }

  private static func plain(_ text: String) -> String {
    text.unicodeScalars.prefix(maxLength).map { $0.value < 0x20 ? " " : String($0) }.joined()
  }
}

/// A failure of the program: invalid usage, or the system denies a required operation.
struct Failure: Error {
  var sentence: String
}
