internal import CharacterSets
internal import JSON
internal import Projections

/// A file that `farol-formats` reads.
struct PackedFile {
  /// The rows that the program writes, stated in the first line of its output.
  enum Rows: Equatable {
    /// GeoJSON features. A KML file may link to other files, whose features it lacks.
    case features(hasLinks: Bool)
    case osmElements
    /// The bytes of an unpacked file with this name.
    case bytes(String)

    init(line: [UInt8]) throws {
      let json = try? JSONValue(parsing: line)
      switch json?["rows"]?.stringValue {
      case "geojson": self = .features(hasLinks: json?["links"]?.boolValue == true)
      case "osm-json": self = .osmElements
      case "bytes": self = .bytes(json?["name"]?.stringValue ?? "")
      default: throw ImportFailure("the program that reads this format wrote something else")
      }
    }
  }

  private let source: ByteSource
  private let program: FormatProgram
  private let options: FormatProgram.Options

  init(_ source: ByteSource, program: FormatProgram, _ reading: ImportReader.Options) {
    self.source = source
    self.program = program
    options = FormatProgram.Options(
      name: source.name, layer: reading.layer, headerRow: reading.headerRow,
      encoding: reading.encoding == .utf8 ? nil : reading.encoding.name,
      system: reading.system?.code,
      tests: reading.tagTests,
      deadline: reading.deadline)
  }

  /// Whether a file begins like a format that the program reads.
  static func isPacked(_ head: [UInt8]) -> Bool {
    for magic in magics where head.starts(with: magic) { return true }
    if head.count > 16, head[0] == 0, head[4] == 0x0A,
      head[6...].starts(with: Array("OSMHeader".utf8))
    {
      return true
    }
    guard
      head.first(where: { $0 == 0x3C || $0 > 0x20 }) == 0x3C
        || head.starts(with: [0xEF, 0xBB, 0xBF])
    else { return false }
    let text = String(decoding: head.prefix(4_096), as: UTF8.self)
    return text.contains("<kml") || text.contains("<gpx")
  }

  /// ZIP, bzip2, xz, Zstandard, SQLite, FlatGeobuf and Parquet (also encrypted).
  private static let magics: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A],
    [0x28, 0xB5, 0x2F, 0xFD], Array("SQLite format 3".utf8), Array("fgb".utf8),
    Array("PAR1".utf8), Array("PARE".utf8),
  ]

  /// The kind of the rows.
  ///
  /// - Throws: ``ImportFailure`` if the program refuses the file.
  func rows() throws -> Rows {
    var found: Rows?
    try forEachPiece { rows, _ in
      found = rows
      return false
    }
    guard let found else { throw ImportFailure("the file is empty") }
    return found
  }

  /// Passes the output after its first line to `body`, in pieces. The first piece may be empty.
  func forEachPiece(
    progress: (_ read: Int, _ total: Int) -> Void = { _, _ in },
    _ body: (Rows, UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws {
    try source.withDescriptor { file, size in
      var line: [UInt8] = []
      var rows: Rows?
      try program.run(on: file, size: size, options, progress: { progress($0, size) }) { piece in
        if let rows { return try body(rows, piece) }
        guard let end = piece.firstIndex(of: 0x0A) else {
          line += piece
          guard line.count <= 4_096 else { throw FormatRefusal.failed("") }
          return true
        }
        line += piece[..<end]
        let found = try Rows(line: line)
        rows = found
        return try body(found, UnsafeBufferPointer(rebasing: piece[(end + 1)...]))
      }
    }
  }
}
