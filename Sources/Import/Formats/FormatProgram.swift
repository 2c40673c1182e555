internal import Glibc
internal import JSON
internal import Spawning

/// The program `farol-formats`, which reads formats that need a library, in a process of its own for each
/// file (docs/explanation/formats.md). Its output is not trusted: its rows are parsed like those of any list.
package struct FormatProgram: Sendable {
  /// The formats that the program writes.
  package enum Target: String, Sendable {
    case flatGeobuf = "fgb"
    case workbook = "xlsx"
  }

  /// The options of one run.
  struct Options {
    var name: String
    var layer: String?
    var headerRow = 1
    /// Of texts in a Shapefile; nil if the file states it.
    var encoding: String?
    /// The coordinate system of a file that states none.
    var system: String?
    var tests: [TagTest] = []
    /// When the program is ended; nil for reading a whole list, which may take long.
    var deadline: ContinuousClock.Instant?
  }

  /// Thrown through the stream by a reader that has enough.
  private struct Enough: Error {}

  private let path: String

  package init(path: String) { self.path = path }

  /// The program next to the running one.
  package static let besideThis = FormatProgram(path: ChildProcess.besideThis("farol-formats"))

  /// Passes the output of the program on, in pieces. A piece is valid only during the call of `body`, which
  /// returns false to end the program. `file` is the descriptor of a seekable file of `size` bytes.
  /// `progress` is called before each piece with the bytes of the file read so far.
  ///
  /// It throws ``ImportFailure``, ``ImportReader/OutOfTime`` after the deadline, or errors of `body`.
  func run(
    on file: Int32, size: Int, _ options: Options, progress: (Int) -> Void,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws {
    // A second of processor time for half a megabyte is ten times what the slowest format needs.
    var seconds = min(20 + size / 500_000, 36_000)
    if let deadline = options.deadline {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw ImportReader.OutOfTime() }
      seconds = min(seconds, Int(clamping: left.components.seconds) + 1)
    }
    let child = try FormatChild(path, Self.argument(options, seconds: seconds), file: file)
    do {
      try child.forEachPiece(silence: .seconds(2 * seconds), until: options.deadline) { piece in
        progress(max(0, min(Int(lseek(file, 0, SEEK_CUR)), size)))
        if try !body(piece) { throw Enough() }
      }
    } catch is Enough {
      child.kill()
      return
    } catch {
      child.kill()
      throw error
    }
    try child.checkEnd()
  }

  /// Starts the program with another argument than those below, and reads its output.
  func child(_ argument: String, file: Int32, second: Int32? = nil) throws -> FormatChild {
    try FormatChild(path, argument, file: file, second: second)
  }

  /// Converts a file of the server into a temporary file, which the caller removes.
  ///
  /// - Parameters:
  ///   - path: a GeoPackage with one table, or a CSV table.
  ///   - target: the format to write.
  ///   - numbers: the columns of a CSV table that contain numbers.
  ///   - about: facts for the last sheet of a workbook.
  /// - Returns: the path of the new file.
  /// - Throws: ``ImportFailure``.
  package func converted(
    _ path: String, to target: Target, numbers: [String] = [], about: [(String, String)] = []
  ) throws -> String {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw ImportFailure("cannot open \(path)") }
    defer { close(source) }
    let size = max(Int(lseek(source, 0, SEEK_END)), 0)
    lseek(source, 0, SEEK_SET)
    return try convert(source, size: size, to: target, numbers, about)
  }

  /// Writes a CSV table as a workbook, like ``converted(_:to:numbers:about:)``.
  package func workbook(
    of csv: [UInt8], numbers: [String], about: [(String, String)]
  ) throws -> String {
    var path = ""
    try TemporaryFile.with(pieces: { $0 == 0 ? csv : nil }) { file, size in
      path = try convert(file, size: size, to: .workbook, numbers, about)
    }
    return path
  }

  private func convert(
    _ source: Int32, size: Int, to target: Target, _ numbers: [String], _ about: [(String, String)]
  ) throws -> String {
    try TemporaryFile.named { result in
      try TemporaryFile.with(pieces: { _ in nil }) { scratch, _ in
        let seconds = min(60 + size / 500_000, 36_000)
        let argument = Self.argument(target, numbers, about, seconds: seconds)
        let child = try FormatChild(
          self.path, argument, file: source, result: result, second: scratch)
        do {
          try child.forEachPiece(silence: .seconds(2 * seconds)) { _ in }
        } catch {
          child.kill()
          throw error
        }
        try child.checkEnd()
      }
    }
  }

  /// Writes rows as GeoParquet into a temporary file, which the caller removes.
  ///
  /// - Parameters:
  ///   - columns: the name and the kind of each value of a row.
  ///   - count: the number of rows.
  ///   - about: facts for the metadata of the file.
  ///   - write: passes all rows, as ``TypedRows`` has them, to its argument in pieces.
  /// - Returns: the path of the new file.
  /// - Throws: ``ImportFailure``, or errors of `write`.
  package func parquet(
    _ columns: [(name: String, kind: TypedRows.Kind)], rows count: Int,
    about: [(String, String)],
    _ write: (_ sink: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> String {
    try TemporaryFile.named { result in
      // A second of processor time for 5,000 rows is a hundred times what they need.
      let seconds = min(60 + count / 5_000, 36_000)
      let argument = Self.argument(columns, about, seconds: seconds)
      let rows = try RowSocket()
      let child = try FormatChild(
        path, argument, file: rows.reader, result: result, second: result)
      rows.closeReader()
      do {
        try write(rows.write)
        rows.close()
        try child.forEachPiece(silence: .seconds(2 * seconds)) { _ in }
      } catch is RowSocket.Closed {
        // The program states the reason.
        rows.close()
        try child.checkEnd()
        throw FormatRefusal.failed("")
      } catch {
        child.kill()
        throw error
      }
      try child.checkEnd()
    }
  }

  private static func argument(
    _ columns: [(name: String, kind: TypedRows.Kind)], _ about: [(String, String)], seconds: Int
  ) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.member("to", "parquet")
    json.key("seconds")
    json.integer(seconds)
    json.key("columns")
    json.beginObject()
    for column in columns {
      json.key(column.name)
      json.string(column.kind.rawValue)
    }
    json.endObject()
    write(about, to: &json)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func argument(
    _ target: Target, _ numbers: [String], _ about: [(String, String)], seconds: Int
  ) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.member("to", target.rawValue)
    json.key("seconds")
    json.integer(seconds)
    json.key("numbers")
    json.beginArray()
    for name in numbers { json.string(name) }
    json.endArray()
    write(about, to: &json)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ about: [(String, String)], to json: inout JSONWriter) {
    json.key("about")
    json.beginObject()
    for (name, value) in about {
      json.key(name)
      json.string(value)
    }
    json.endObject()
  }

  private static func argument(_ options: Options, seconds: Int) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", options.name)
    json.key("seconds")
    json.integer(seconds)
    if let layer = options.layer { json.member("layer", layer) }
    if let encoding = options.encoding { json.member("encoding", encoding) }
    if let system = options.system { json.member("crs", system) }
    json.key("header")
    json.integer(options.headerRow)
    json.key("tests")
    json.beginArray()
    for test in options.tests {
      json.beginObject()
      json.member("key", test.key)
      json.key("texts")
      json.beginArray()
      for text in test.texts { json.string(text) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
