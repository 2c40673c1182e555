internal import Glibc
internal import JSON
internal import Spawning

/// The program `farol-formats`, which reads formats that need a library. Each file gets a separate process
/// (docs/explanation/formats.md). The output is untrusted: its rows are parsed like the rows of any list.
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
    /// The encoding of texts in a Shapefile; nil if the file states it.
    var encoding: String?
    /// The coordinate system of a file that states none.
    var system: String?
    var tests: [TagTest] = []
    /// The time at which the program is ended; nil for reading a whole list, which may take long.
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
    // A second of processor time for half a megabyte is ten times the need of the slowest format.
    var seconds = min(20 + size / 500_000, 36_000)
    if let deadline = options.deadline {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw ImportReader.OutOfTime() }
      seconds = min(seconds, Int(clamping: left.components.seconds) + 1)
    }
    let argument: JSONObject = [
      "name": .string(options.name), "layer": options.layer.map(JSONValue.string) ?? .null,
      "encoding": options.encoding.map(JSONValue.string) ?? .null,
      "crs": options.system.map(JSONValue.string) ?? .null,
      "header": .integer(Int64(options.headerRow)),
      "tests": .array(
        options.tests.map { ["key": .string($0.key), "texts": Self.texts($0.texts)] }),
    ]
    do {
      try run(argument, seconds: seconds, file: file, until: options.deadline) { piece in
        progress(max(0, min(Int(lseek(file, 0, SEEK_CUR)), size)))
        if try !body(piece) { throw Enough() }
      }
    } catch is Enough { return }
  }

  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// The time that a program may take to end after its output has ended.
  private static let timeToEnd = Duration.seconds(5)

  /// Runs the program and passes its output on, in pieces, or waits for its end if it writes into a file.
  ///
  /// - Parameters:
  ///   - argument: its options, except for `seconds`.
  ///   - seconds: its limit of processor time. It may pause for twice as long.
  ///   - file: the descriptor of its standard input.
  ///   - result: the descriptor of the file for its output; nil to read the output.
  ///   - second: the descriptor after its standard streams.
  ///   - deadline: when it is killed.
  ///   - body: is called with each piece of its output, which is valid only during the call.
  ///   - feed: sends it its input.
  /// - Throws: ``ImportFailure``, ``ImportReader/OutOfTime`` after the deadline, or errors of `feed` and `body`.
  func run(
    _ argument: JSONObject, seconds: Int, file: Int32, result: Int32? = nil, second: Int32? = nil,
    until deadline: ContinuousClock.Instant? = nil,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void = { _ in }, feed: () throws -> Void = {}
  ) throws {
    var argument = argument
    argument["seconds"] = .integer(Int64(seconds))
    let child: ChildProcess
    do throws(ChildProcess.NotStarted) {
      child = try ChildProcess(
        path, [JSONValue.object(argument).text], file: file, result: result, second: second)
    } catch {
      throw error.code == ENOENT ? FormatRefusal.notInstalled : FormatRefusal.notStarted(error)
    }
    var isFed = true
    do {
      try feed()
      try child.forEachPiece(silence: .seconds(2 * seconds), until: deadline, body)
    } catch is RowSocket.Closed {
      // The program states the reason.
      isFed = false
    } catch let overdue as ChildProcess.Overdue {
      throw overdue.isAtDeadline && deadline != nil
        ? ImportReader.OutOfTime() : FormatRefusal.tooCostly
    }
    let ending = child.end(until: .now + Self.timeToEnd)
    switch ending.status {
    case .exited(0): if !isFed { throw FormatRefusal.failed("") }
    case .exited(2): throw FormatRefusal.failure(ending.complaint)
    case .exited(127): throw FormatRefusal.notInstalled
    case .exited: throw FormatRefusal.failed(ending.complaint)
    case .killed, .tooLong: throw FormatRefusal.tooCostly
    }
  }

  /// Opens a file of the server for ``run(_:seconds:file:result:second:until:_:feed:)``.
  static func with(
    _ path: String, _ failure: @autoclosure () -> ImportFailure,
    _ body: (_ file: Int32, _ size: Int) throws -> Void
  ) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    let size = max(Int(lseek(file, 0, SEEK_END)), 0)
    lseek(file, 0, SEEK_SET)
    try body(file, size)
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
    var found = ""
    try Self.with(path, ImportFailure("cannot open \(path)")) { file, size in
      found = try convert(file, size: size, to: target, numbers, about)
    }
    return found
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
        try run(
          [
            "to": .string(target.rawValue), "numbers": Self.texts(numbers),
            "about": Self.facts(about),
          ], seconds: min(60 + size / 500_000, 36_000), file: source, result: result,
          second: scratch)
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
      let rows = try RowSocket()
      // A second of processor time for 5,000 rows is a hundred times their need.
      try run(
        [
          "to": "parquet", "columns": Self.facts(columns.map { ($0.name, $0.kind.rawValue) }),
          "about": Self.facts(about),
        ], seconds: min(60 + count / 5_000, 36_000), file: rows.reader, result: result,
        second: result,
        feed: {
          rows.closeReader()
          try write(rows.write)
          rows.close()
        })
    }
  }

  private static func facts(_ facts: [(String, String)]) -> JSONValue {
    .object(JSONObject(facts.map { (key: $0.0, value: .string($0.1)) }))
  }
}
