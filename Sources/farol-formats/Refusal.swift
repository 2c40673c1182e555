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
    /// It has several lists, and the mapping names none of them.
    case several
    /// It does not have the list that the mapping names.
    case missing
    /// It has no list.
    case empty
    /// A list is a view: a stored query, which is not run.
    case view
    /// It is encrypted.
    case encrypted
    /// More nodes of ways than ``Limits/places``.
    case places
  }

  var code: Code
  /// Names from the file; not trusted.
  var detail = ""

  init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  var line: String {
    let plain = detail.unicodeScalars.prefix(300).map { $0.value < 0x20 ? " " : String($0) }
      .joined()
    return "\(code.rawValue) \(plain)"
  }
}

/// A failure of the program: invalid usage, or the system denies a required operation.
struct Failure: Error {
  var sentence: String
}
