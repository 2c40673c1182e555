import ArgumentParser
import Foundation
import Import
import JSON
import Lists
import SpatialDatabase

/// `farol import FILE…`: imports lists of devices.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import lists of devices; see docs/reference/import.md for formats.")

  @OptionGroup var options: CommonOptions

  @Argument(
    help:
      "The lists: OSM JSON, XML or PBF, GeoJSON, CSV, JSON, GeoPackage, Shapefile, KML, GPX, XLSX or FlatGeobuf, packed or not."
  )
  var files: [String] = []

  @Option(help: "Disable format detection: csv, geojson, esri-json, osm-json, osm-xml or json.")
  var format: String?

  @Option(help: "The table, sheet or file to read, if a list file has several.")
  var layer: String?

  @Option(
    help:
      "The name of a mapping in seed/mappings, auto to detect it, or a mapping file (default osm).")
  var mapping: String?

  @Flag(help: "Read and check everything, store nothing.")
  var dryRun = false

  @Option(help: "The name of the source; overrides the mapping.")
  var source: String?

  @Option(help: "The licence of the records; overrides the mapping.")
  var licence: String?

  @Option(
    help: "Write every row flagged, skipped or refused, with the reason, to this CSV file.")
  var report: String?

  @Flag(help: "Import the sample that comes with Farol.")
  var sample = false

  func validate() throws {
    guard sample != !files.isEmpty else {
      throw ValidationError("Name the files to import, or --sample.")
    }
    if let format, ImportFormat(rawValue: format) == nil {
      let known = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("“\(format)” is none of \(known).")
    }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let database = DatabaseLocation(options, reader)
    func absolute(_ path: String) -> JSONValue { .string(URL(fileURLWithPath: path).path) }
    var arguments = JSONObject([
      (key: "files", value: .array(files.map(absolute))), (key: "dry_run", value: .bool(dryRun)),
      (key: "sample", value: .bool(sample)),
    ])
    for (key, value) in [
      ("format", format.map { .string($0) }), ("layer", layer.map { .string($0) }),
      ("mapping", mappingArgument),
      ("source", source.map { .string($0) }), ("licence", licence.map { .string($0) }),
      ("report", report.map(absolute)),
    ] as [(String, JSONValue?)] {
      if let value { arguments.members.append((key: key, value: value)) }
    }
    try RemoteCommand("import", .object(arguments)).run(
      on: database, home: home, environment: environment)
  }

  /// A name stays unchanged. A path becomes absolute, because the server may run in another folder.
  private var mappingArgument: JSONValue? {
    guard let mapping else { return nil }
    let isPath = mapping.contains("/") || mapping.hasSuffix(".json")
    return .string(isPath ? URL(fileURLWithPath: mapping).path : mapping)
  }
}

/// `farol imports undo ID`: reverts an import.
struct ImportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imports", abstract: "Manage imports.", subcommands: [Undo.self, List.self])

  /// `farol imports undo`.
  struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Undo an import.")

    @OptionGroup var options: CommonOptions
    @Argument(help: "The number from the report of the import.") var id: Int

    func run() throws {
      let environment = ProcessInfo.processInfo.environment
      let reader = SettingReader(environment: environment)
      try RemoteCommand("undo", ["id": .integer(Int64(id))]).run(
        on: DatabaseLocation(options, reader),
        home: Home(named: reader.text(options.home, "FAROL_HOME")), environment: environment)
    }
  }

  /// `farol imports list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List all imports.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
      let database = try InstanceDatabase.openToRead(DatabaseLocation(options, reader))
      try database.read { connection in
        for line in try ImportOverview.lines(connection) { print(line) }
      }
      try database.close()
    }
  }
}
