internal import Confinement

/// Resource limits for one file.
enum Limits {
  /// Writable memory of this program, in bytes. With its libraries the total stays below 200 MB.
  static let memory: UInt = 144 << 20
  /// Address space in bytes, used or not; GDAL alone has many libraries.
  static let addresses: UInt = 4 << 30
  /// Maximum number of open files: the standard streams, and the libraries and tables that GDAL opens one by one.
  static let files: UInt = 32
  /// Maximum size in bytes of an unpacked file.
  static let unpacked: Int64 = 64 << 30
  /// From this size on, an unpacked file may be at most ``ratio`` times as large as the packed one. Lists
  /// shrink to a tenth; only bombs shrink to less than a thousandth.
  static let plainlyUnpacked: Int64 = 256 << 20
  static let ratio: Int64 = 250
  /// Maximum number of nodes that belong to the ways and relations of a list; 16 bytes each.
  static let places = 2_000_000
  /// The same for the streets of an extract, which an operator reads on the command line: the size of a country.
  static let streetPlaces = 48_000_000
  /// Writable memory and address space for them: three times the numbers of the nodes while these are sorted.
  static let streetMemory: UInt = 3 << 30
  static let streetAddresses: UInt = 8 << 30
  /// Maximum number of entries of an archive.
  static let entries = 10_000

  /// Maximum size in bytes of a written file.
  static let written: UInt = 8 << 30

  /// The output is read slowly, so only processor time is limited here; the server ends a silent process.
  static func confinement(_ options: Options) -> Confinement {
    let writes = options.target != nil
    return Confinement(
      seconds: options.seconds, memory: options.streets == nil ? memory : streetMemory,
      addresses: options.streets == nil ? addresses : streetAddresses, files: files, isTimed: false,
      written: writes ? written : 0, keptFiles: writes || options.filtered != nil ? 4 : 3)
  }

  /// - Throws: ``Refusal`` for a bomb.
  static func check(unpacked: Int64, packed: Int64) throws {
    guard unpacked <= Self.unpacked,
      unpacked <= plainlyUnpacked || unpacked / ratio <= max(packed, 1)
    else { throw Refusal(.unpacksTooMuch) }
  }
}
