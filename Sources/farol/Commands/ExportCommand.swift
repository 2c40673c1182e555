import ArgumentParser
import Downloads
import Foundation
internal import Locking
import PrivacyMap
import Service
import SpatialDatabase

/// `farol export [FILE]`: exports all devices that match a filter to one file. A server may be
/// running.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export devices to a file; docs/reference/exports.md describes the formats.",
    discussion: """
      Examples:
        farol export devices.gpkg
        farol export --format csv --filter 'category=alpr&country=PT' > readers.csv
      """)

  @OptionGroup var options: CommonOptions

  @Argument(
    help: "The file to create or overwrite (default: standard output).")
  var file: String?

  @Option(
    help: ArgumentHelp(
      "csv, geojson, geojsons, geojsonl, gpkg, fgb, parquet, xlsx, osm or osm.json (default: the extension of FILE, or csv)."
    ))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Filters as in the URL of a list, such as 'category=alpr&bbox=-9.5,38.5,-9,39'.",
      valueName: "query"))
  var filter: String = ""

  /// The format of the file.
  private var chosen: ExportFormat? {
    if let format { return ExportFormat(rawValue: format) }
    guard let file else { return .csv }
    // The longest matching extension: `osm.json` before `json`.
    return ExportFormat.allCases.filter { file.hasSuffix(".\($0.ending)") }
      .max { $0.ending.count < $1.ending.count }
  }

  func validate() throws {
    guard chosen == nil else { return }
    let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--format is one of \(known).")
  }

  func run() throws {
    guard let format = chosen else { return }
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let location = DatabaseLocation(options, reader)
    let database = try InstanceDatabase.openToRead(location)
    var settings = InstanceSettings()
    settings.name = reader.text(nil, "FAROL_NAME") ?? settings.name
    settings.licence = reader.text(nil, "FAROL_LICENCE") ?? settings.licence
    let exports = try DeviceExports(
      reading: database, seed: home.seed,
      places: location.folder.appendingPathComponent("places.db").path,
      settings: settings, base: reader.text(nil, "FAROL_BASE_URL") ?? "http://127.0.0.1:8080",
      environment: try SystemEnvironment.make(environment))
    let export: DeviceExport
    do { export = try exports.open(format, text: filter) } catch let wrong as WrongFilter {
      let folders = Folders(front: home.front, seed: home.seed, data: [])
      throw ValidationError("--filter: \(wrong.text(in: folders))")
    }
    let count = try write(export)
    try database.close()
    let place = file ?? "standard output"
    FileHandle.standardError.write(Data("\(count) devices written to \(place)\n".utf8))
  }

  /// Writes the export. The file gets its name only when it is complete.
  private func write(_ export: DeviceExport) throws -> Int {
    let progress = ExportProgress(total: export.total)
    guard let file else {
      try export.write(reported: progress.tell) {
        try FileHandle.standardOutput.write(contentsOf: $0)
      }
      return progress.end()
    }
    let draft = file + ".part"
    guard FileManager.default.createFile(atPath: draft, contents: nil),
      let handle = FileHandle(forWritingAtPath: draft)
    else { throw CommandFailure("\(draft) cannot be written") }
    do {
      try export.write(reported: progress.tell) { try handle.write(contentsOf: $0) }
      try handle.synchronize()
      try handle.close()
      guard rename(draft, file) == 0 else { throw CommandFailure("\(file) cannot be written") }
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      throw error
    }
    return progress.end()
  }
}

/// Shows the progress of an export on a terminal, and keeps the number of devices written.
private final class ExportProgress: Sendable {
  /// At least as many as there are devices.
  private let total: Int
  private let written = Locked(0)
  private let isShown = isatty(2) != 0

  init(total: Int) { self.total = total }

  func tell(_ count: Int) {
    written.withLock { $0 = count }
    guard isShown, total > 0 else { return }
    FileHandle.standardError.write(Data("\r\(count * 100 / total) %, \(count) devices".utf8))
  }

  /// - Returns: the number of devices written.
  func end() -> Int {
    if isShown { FileHandle.standardError.write(Data("\n".utf8)) }
    return written.withLock { $0 }
  }
}
