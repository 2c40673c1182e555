@testable import App
import Foundation
import Import
import JSON
@testable import Lists

extension TestApp {
  /// A mapping for small CSV lists: `id,name,lon,lat` and the rules that a test adds.
  static func mapping(
    code: String = "test", fields: String = "", more: String = ""
  ) throws -> ImportMapping {
    let text = """
      {
        "source": {"code": "\(code)", "name": "Test list", "licence": "CC0-1.0",
          "attribution": "© Test list", "url": "https://example.org/"},
        "key": "{id}", \(more)
        "fields": {
          "longitude": "lon", "latitude": "lat",
          "category": "camera_fixed", "name": "name" \(fields)
        }
      }
      """
    return try ImportMapping(JSONValue(parsing: Array(text.utf8)))
  }

  /// Imports a list in CSV.
  @discardableResult
  func importCSV(
    _ csv: String, _ mapping: ImportMapping? = nil, named name: String = "test",
    dryRun: Bool = false,
    reported: @escaping (ImportNote, Int) -> Void = { _, _ in }
  ) throws -> ImportRun.Report {
    var options = ImportRun.Options()
    options.isDryRun = dryRun
    let run = ImportRun(
      map: app.map, mapping: try mapping ?? Self.mapping(), named: name, options: options)
    return try run.run(ByteSource(bytes: Array(csv.utf8), name: "list.csv"), reported: reported)
  }

  /// Imports elements of OpenStreetMap, as JSON or XML.
  func importOSM(_ text: String) throws -> ImportRun.Report {
    let folder = Repository.root.appendingPathComponent("seed/mappings")
    let mapping = try ImportMapping(path: folder.appendingPathComponent("osm.json").path)
    return try ImportRun(
      map: app.map, mapping: mapping, named: "osm", options: ImportRun.Options()
    ).run(ByteSource(bytes: Array(text.utf8), name: "list"))
  }

  /// The current number of the change sequence.
  var sequence: Int64 {
    get throws { try integer("SELECT max(sequence) FROM change") ?? 0 }
  }
}
