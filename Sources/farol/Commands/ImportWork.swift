import App
import Foundation
import Import
import JSON
import Lists
import PrivacyMap
import Service

/// Runs `farol import` on an open instance.
struct ImportWork {
  /// One file and its mapping.
  private struct Task {
    let path: String
    let mapping: String
  }

  private let tasks: [Task]
  private let options: ImportRun.Options
  private let format: ImportFormat?
  private let layer: String?
  private let report: String?
  private let home: Home

  init(_ arguments: JSONValue, home: Home) throws {
    self.home = home
    var options = ImportRun.Options()
    options.isDryRun = arguments["dry_run"]?.boolValue ?? false
    options.sourceName = arguments["source"]?.stringValue
    options.licence = arguments["licence"]?.stringValue
    self.options = options
    format = arguments["format"]?.stringValue.flatMap(ImportFormat.init(rawValue:))
    layer = arguments["layer"]?.stringValue
    report = arguments["report"]?.stringValue
    if arguments["sample"]?.boolValue == true {
      tasks = try Self.sample(home)
    } else {
      let mapping = arguments["mapping"]?.stringValue ?? "osm"
      tasks = (arguments["files"]?.arrayValue ?? []).compactMap(\.stringValue).map {
        Task(path: $0, mapping: mapping)
      }
    }
  }

  /// The lists of `seed/sample/sample.json`.
  private static func sample(_ home: Home) throws -> [Task] {
    let folder = home.seed.appendingPathComponent("sample")
    let list = try JSONValue(
      parsing: [UInt8](Data(contentsOf: folder.appendingPathComponent("sample.json"))))
    return (list.arrayValue ?? []).compactMap { entry in
      guard let file = entry["file"]?.stringValue, let mapping = entry["mapping"]?.stringValue
      else { return nil }
      return Task(path: folder.appendingPathComponent(file).path, mapping: mapping)
    }
  }

  func run(_ app: App, output: CommandOutput) throws {
    // A dry run stores nothing.
    if options.isDryRun { return try run(app, output: output, isWanted: { true }) }
    try app.importAlone { try run(app, output: output, isWanted: $0) }
  }

  private func run(_ app: App, output: CommandOutput, isWanted: () -> Bool) throws {
    let notes = try report.map { try NoteFile(path: $0) }
    var refused: [String] = []
    for task in tasks {
      let name = task.path.split(separator: "/").last.map(String.init) ?? task.path
      let file = ByteSource(path: task.path)
      let mapping = try mapping(task.mapping, for: file, app)
      var options = options
      var reading = mapping.reading
      if let format { reading.format = format }
      if let layer { reading.layer = layer }
      options.reading = reading
      let run = ImportRun(map: app.map, mapping: mapping, named: task.mapping, options: options)
      var said = 0
      let result = try run.run(
        file,
        progress: { progress in
          let share = progress.bytesTotal > 0 ? progress.bytesRead * 10 / progress.bytesTotal : 0
          if share > said {
            said = share
            ProcessMemory.giveBack()
            output.say("\(name): \(share * 10) %, \(progress.rows) rows")
          }
        },
        isWanted: isWanted,
        interrupted: { output.say(Self.interruption(name, $0, isDryRun: options.isDryRun)) },
        reported: { note, row in notes?.add(name, row, note) })
      if result.refused > 0, result.added + result.changed + result.unchanged == 0 {
        refused.append(name)
      }
      output.say(Self.summary(name, result, isDryRun: options.isDryRun))
      for (reason, count) in result.reasons.sorted(by: { $0.value > $1.value }) {
        output.say("  \(count) × \(reason)")
      }
      for line in result.columns.map(Self.lines) ?? [] { output.say("  " + line) }
    }
    notes?.close()
    // So that a script notices it.
    guard refused.isEmpty else {
      throw CommandFailure("no row of \(refused.joined(separator: ", ")) was taken")
    }
  }

  /// A mapping by its name, or a mapping file. `auto` selects the matching one in `seed/mappings`.
  private func mapping(_ name: String, for file: ByteSource, _ app: App) throws -> ImportMapping {
    if name.contains("/") { return try ImportMapping(path: name) }
    let mappings = ImportMappings(folder: home.seed.appendingPathComponent("mappings"))
    guard name == "auto" else { return try mappings.mapping(named: name) }
    let today = app.environment.now().day
    guard let found = mappings.recognised(file, vocabulary: app.vocabulary, today: today) else {
      throw CommandFailure("\(file.name) matches no mapping in seed/mappings")
    }
    return try mappings.mapping(named: found)
  }

  private static func summary(
    _ name: String, _ report: ImportRun.Report, isDryRun: Bool
  ) -> String {
    let number = report.id.map { " (import \($0))" } ?? ""
    let taken =
      (isDryRun ? "nothing stored; would be: " : "")
      + "\(report.added) added, \(report.changed) changed, \(report.unchanged) unchanged"
    let again = report.matched > 0 ? ", \(report.matched) known by their place" : ""
    let gone = report.gone > 0 ? ", \(report.gone) no longer in the list" : ""
    let part = report.incomplete.map { "\n  the list is incomplete: \($0)" } ?? ""
    return "\(name)\(number): \(report.rows) rows: \(taken)\(again)\(gone), "
      + "\(report.flagged) flagged, \(report.skipped) skipped, \(report.refused) refused\(part)"
  }

  /// The consequence of an import that ended before the end of its file.
  private static func interruption(
    _ name: String, _ report: ImportRun.Report, isDryRun: Bool
  ) -> String {
    guard !isDryRun, let id = report.id, report.added + report.changed > 0 else {
      return "\(name): the import ended early. Nothing on the map has changed."
    }
    return
      "\(name) (import \(id)): the import ended early. Its first \(report.rows) rows are on the "
      + "map: \(report.added) added, \(report.changed) changed. "
      + "`farol imports undo \(id)` removes them."
  }

  private static func lines(_ columns: ColumnUse) -> [String] {
    var lines: [String] = []
    if !columns.used.isEmpty {
      lines.append("columns used: \(columns.used.joined(separator: ", "))")
    }
    if !columns.unused.isEmpty {
      lines.append("columns not used: \(columns.unused.joined(separator: ", "))")
    }
    for column in columns.missing {
      let nearest = column.nearest.map { "“\($0)”" }.joined(separator: ", ")
      lines.append(
        "the mapping names “\(column.name)”, which the file does not have"
          + (nearest.isEmpty ? "" : "; similar: \(nearest)"))
    }
    return lines
  }
}

extension App {
  /// The time that a command waits for an import of a server or of another command.
  private static let timeout = Duration.seconds(10)

  /// Runs `work` while no other import runs on this database.
  ///
  /// - Parameter work: its argument returns false when the program is stopping.
  /// - Throws: ``CommandFailure`` if another import does not end in time, or the errors of `work`.
  func importAlone(_ work: (_ isWanted: () -> Bool) throws -> Void) throws {
    let imports: Imports = try instance.part()
    let done: Void? = try imports.worker.perform(waiting: Self.timeout, work)
    guard done != nil else {
      throw CommandFailure("another import is running: try again when it has ended")
    }
  }
}

/// The CSV report of the rows with notes.
private final class NoteFile {
  private let file: FileHandle

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CommandFailure("the report \(path) cannot be written") }
    self.file = file
    write(["file", "row", "severity", "field", "code", "detail"])
  }

  func add(_ name: String, _ row: Int, _ note: ImportNote) {
    write([name, "\(row)", note.severity.rawValue, note.field ?? "", note.code, note.detail])
  }

  func close() { try? file.close() }

  /// RFC 4180. A cell that a spreadsheet would interpret as a formula gets an apostrophe as prefix.
  private func write(_ cells: [String]) {
    let line = cells.map { cell in
      let isFormula = CSVText.startsFormula(cell)
      return "\"" + ((isFormula ? "'" : "") + cell).replacingOccurrences(of: "\"", with: "\"\"")
        + "\""
    }.joined(separator: ",")
    file.write(Data((line + "\r\n").utf8))
  }
}
