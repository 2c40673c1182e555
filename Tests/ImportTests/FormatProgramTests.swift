import Foundation
@testable import Import
import JSON
import Testing

/// The conversation with `farol-formats`, with programs that behave badly in its place.
@Suite struct FormatProgramTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("format-program-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The names of the rows that a script gives, and the failure.
  private func read(
    _ script: String?, _ bytes: [UInt8] = Array("SQLite format 3\0".utf8)
  ) throws -> (names: [String], failure: ImportFailure?) {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("program").path
    if let script { try install(script, as: path) }
    var names: [String] = []
    let reader = ImportReader(
      ByteSource(bytes: bytes, name: "list.gpkg"), program: FormatProgram(path: path))
    do {
      try reader.forEachRow { names.append($0.columns["name"]?.stringValue ?? "-") }
      return (names, nil)
    } catch let failure as ImportFailure { return (names, failure) }
  }

  /// Makes a program of a script.
  private func install(_ script: String, as path: String) throws {
    // Another process writes the program: a child that another test starts meanwhile would inherit its
    // open descriptor, and a file that is open for writing cannot be run.
    let text = folder.appendingPathComponent("text")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: text)
    let install = try Process.run(
      URL(fileURLWithPath: "/usr/bin/install"), arguments: ["-m", "700", text.path, path])
    install.waitUntilExit()
  }

  /// The file that a script makes of rows, or the failure.
  private func written(
    _ script: String, _ write: (_ sink: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> Result<String, ImportFailure> {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("program").path
    try install(script, as: path)
    do {
      let file = try FormatProgram(path: path).parquet(
        [("id", .text)], rows: 1, about: [("title", "A list")], write)
      defer { try? FileManager.default.removeItem(atPath: file) }
      return .success(try String(contentsOfFile: file, encoding: .utf8))
    } catch let failure as ImportFailure { return .failure(failure) }
  }

  @Test func `a program that writes Parquet gets the rows, the columns and the facts`() throws {
    let file = try written("echo \"$1\"; exec cat") { sink in
      try Array("first ".utf8).withUnsafeBytes(sink)
      try Array("second".utf8).withUnsafeBytes(sink)
    }
    let lines = try file.get().split(separator: "\n")
    let options = try JSONValue(parsing: Array(lines[0].utf8))
    #expect(options["to"]?.stringValue == "parquet" && lines[1] == "first second")
    #expect(options["columns"]?["id"]?.stringValue == "text")
    #expect(options["about"]?["title"]?.stringValue == "A list")
  }

  @Test func `a program that ends while it gets rows is told with its complaint`() throws {
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    let file = try written("echo 'no room' >&2\nexit 1") { sink in
      for _ in 0..<64 { try piece.withUnsafeBytes(sink) }
    }
    #expect(throws: FormatRefusal.failed("no room")) { try file.get() }
  }

  @Test func `a failure of the sender leaves no file and ends the program`() throws {
    #expect(throws: CancellationError.self) {
      _ = try written("exec cat > /dev/null") { _ in throw CancellationError() }
    }
  }

  /// The time until a reading with a deadline of a second ends, and the failure.
  private func timed(_ script: String, _ read: (ImportReader) throws -> Void) throws -> Duration {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("program").path
    try install(script, as: path)
    var options = ImportReader.Options()
    options.deadline = .now + .seconds(1)
    let reader = ImportReader(
      ByteSource(bytes: Array("SQLite format 3\0".utf8), name: "list.gpkg"), options: options,
      program: FormatProgram(path: path))
    return ContinuousClock().measure {
      #expect(throws: ImportReader.OutOfTime.self) { try read(reader) }
    }
  }

  /// A program that says nothing, that computes, that ignores signals, that writes rows without end, that began and
  /// stopped, and one that started another.
  @Test(arguments: [
    "sleep 60", "while :; do :; done", "trap '' TERM INT; sleep 60",
    "echo '{\"rows\":\"geojson\"}'; while :; do echo '{}'; done",
    "while :; do printf x; sleep 0.1; done", "echo '{\"rows\":\"geojson\"}'; sleep 60",
    "sleep 60 & sleep 60", "exec 1>&-; sleep 60",
  ])
  func `a program ends at the deadline of its reader`(script: String) throws {
    guard !script.hasPrefix("exec") else {
      // Its output has ended, so it gets the time to end.
      let start = ContinuousClock.now
      #expect(try read(script).failure == FormatRefusal.tooCostly)
      return #expect(ContinuousClock.now - start < .seconds(9))
    }
    #expect(try timed(script) { try $0.forEachRow { _ in } } < .seconds(4))
  }

  @Test func `what the program started ends with it`() throws {
    let late = FileManager.default.temporaryDirectory
      .appendingPathComponent("late-\(UUID().uuidString)").path
    _ = try timed("(sleep 3; echo > '\(late)') & wait") { try $0.forEachRow { _ in } }
    usleep(3_500_000)
    #expect(!FileManager.default.fileExists(atPath: late))
  }

  @Test func `after the deadline no program is started`() throws {
    var options = ImportReader.Options()
    options.deadline = .now - .seconds(1)
    let reader = ImportReader(
      ByteSource(bytes: Array("SQLite format 3\0".utf8), name: "list.gpkg"), options: options,
      program: FormatProgram(path: "/nowhere"))
    #expect(throws: ImportReader.OutOfTime.self) { try reader.format() }
  }

  @Test func `an inspection takes its time in all runs together`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("program").path
    try install("sleep 60", as: path)
    var limits = ListInspection.Limits()
    limits.duration = .seconds(1)
    let file = ByteSource(bytes: Array("SQLite format 3\0".utf8), name: "list.gpkg")
    let took = ContinuousClock().measure {
      #expect(throws: ImportFailure.slowStart) {
        _ = try ListInspection(of: file, limits: limits, program: FormatProgram(path: path))
      }
    }
    #expect(took < .seconds(4))
  }

  private static let rows = """
    echo '{"rows":"geojson"}'
    echo '{"type":"Feature","properties":{"name":"One"},"geometry":null}'
    echo '{"type":"Feature","properties":{"name":"Two"},"geometry":null}'
    """

  @Test func `each line of the program is a row`() throws {
    let (names, failure) = try read(Self.rows)
    #expect(names == ["One", "Two"] && failure == nil)
  }

  @Test func `without the program, the import ends with one sentence`() throws {
    #expect(try read(nil).failure == FormatRefusal.notInstalled)
  }

  @Test func `without a library of the program, the import ends with the same sentence`() throws {
    #expect(try read("exit 127").failure == FormatRefusal.notInstalled)
  }

  @Test func `rows before a failure are kept, and the failure is told`() throws {
    let (names, failure) = try read(Self.rows + "\necho 'damaged at byte 7' >&2\nexit 2")
    #expect(names == ["One", "Two"])
    #expect(failure?.reason == "the file is damaged or was cut off: at byte 7")
  }

  @Test func `a program that is killed means that the file costs too much`() throws {
    let (names, failure) = try read(Self.rows + "\nkill -9 $$")
    #expect(names.count == 2 && failure == FormatRefusal.tooCostly)
  }

  @Test(arguments: ["several", "missing"])
  func `names of lists may contain any character`(code: String) throws {
    let failure = try read(
      #"printf '\#(code) North, south\037East (1; 2)\037Ça, là\n' >&2; exit 2"#
    ).failure
    #expect(failure?.choices == ["North, south", "East (1; 2)", "Ça, là"])
    #expect(failure?.reason.contains("North, south, East (1; 2), Ça, là") == true)
  }

  @Test func `one list whose name has a comma is one choice`() throws {
    let failure = try read("echo 'missing Cameras, fixed' >&2; exit 2").failure
    #expect(failure?.choices == ["Cameras, fixed"])
  }

  @Test func `unknown words of the program are not shown as they are`() throws {
    let failure = try read("printf 'surprise \\033[31m me@example.org' >&2; exit 2").failure
    #expect(failure?.reason.hasPrefix("the program that reads this format failed") == true)
    #expect(failure?.reason.contains("example.org") == false)
    #expect(failure?.reason.contains("\u{1B}") == false)
  }

  @Test(arguments: ["", "echo nothing", "echo '{\"rows\":\"sql\"}'", "head -c 9000 /dev/zero"])
  func `an unknown first line ends the import`(script: String) throws {
    let (names, failure) = try read(script)
    #expect(names.isEmpty)
    #expect(script.isEmpty ? failure == nil : failure != nil)
  }

  @Test func `the program reads the file from its standard input, in whole`() throws {
    let bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0x61, count: 300_000)
    let (names, failure) = try read(
      #"echo '{"rows":"geojson"}'; printf '{"type":"Feature","properties":{"name":"%s"}}' $(wc -c)"#,
      bytes)
    #expect(names == ["300016"] && failure == nil)
  }

  @Test func `an unpacked list is read like a plain one`() throws {
    let script = #"echo '{"rows":"bytes","name":"a.csv"}'; printf 'name,b\nOne,1\nTwo,2\n'"#
    let (names, failure) = try read(script, Array("BZh9".utf8))
    #expect(names == ["One", "Two"] && failure == nil)
  }

  @Test func `an archive inside an archive is refused`() throws {
    let script = #"echo '{"rows":"bytes","name":"a.zip"}'; printf 'PK\003\004 rest'"#
    #expect(
      try read(script, Array("BZh9".utf8)).failure?.reason
        == "the file contains another packed file; unpack it first")
  }

  @Test(arguments: [
    ("BZh91AY", true), ("PK\u{3}\u{4}", true), ("SQLite format 3\u{0}", true),
    ("fgb\u{3}fgb", true), ("PAR1", true),
    ("<?xml version=\"1.0\"?>\n<kml xmlns=\"\">", true), ("<gpx>", true), ("<osm>", false),
    ("{\"a\":\"<kml\"}", false), ("name,lon\n<gpx,1", false), ("", false),
  ])
  func `a packed file is recognised by its first bytes`(head: String, isPacked: Bool) {
    #expect(PackedFile.isPacked(Array(head.utf8)) == isPacked)
  }

  @Test func `a rule that skips what is none of these limits the elements of a large file`() throws
  {
    let json = """
      {"source": {"code": "a", "name": "A", "licence": "CC0-1.0", "attribution": "A"},
       "skip": [
         {"when": {"column": "@deleted", "present": true}, "code": "a", "because": "A."},
         {"when": {"not": {"any": [
            {"column": "man_made", "contains": ["Surveillance"]}, {"column": "webcam", "present": true},
            {"all": [{"column": "@type", "equals": "node"}, {"column": "name", "equals": "é"}]}]}},
          "code": "b", "because": "B."}],
       "fields": {"category": "webcam", "name": "name"}}
      """
    let mapping = try ImportMapping(JSONValue(parsing: Array(json.utf8)))
    #expect(
      mapping.reading.tagTests == [
        TagTest(key: "man_made", texts: ["surveillance"]), TagTest(key: "webcam", texts: []),
        TagTest(key: "name", texts: []),
      ])
  }

  @Test func `without such a rule every element with a tag is a row`() throws {
    let json = """
      {"source": {"code": "a", "name": "A", "licence": "CC0-1.0", "attribution": "A"},
       "skip": [{"when": {"not": {"column": "@id", "present": true}}, "code": "a", "because": "A."}],
       "fields": {"category": "webcam", "name": "name"}}
      """
    #expect(try ImportMapping(JSONValue(parsing: Array(json.utf8))).reading.tagTests.isEmpty)
  }
}
