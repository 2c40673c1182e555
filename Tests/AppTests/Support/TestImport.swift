@testable import App
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
    _ csv: String, _ mapping: ImportMapping? = nil, dryRun: Bool = false,
    told: @escaping (ImportNote, Int) -> Void = { _, _ in }
  ) throws -> ImportRun.Report {
    var options = ImportRun.Options()
    options.isDryRun = dryRun
    let run = ImportRun(
      map: app.map, mapping: try mapping ?? Self.mapping(), named: "test", options: options)
    return try run.run(ByteSource(bytes: Array(csv.utf8), name: "list.csv"), told: told)
  }

  /// The current number of the change sequence.
  var sequence: Int64 {
    get throws { try integer("SELECT max(sequence) FROM change") ?? 0 }
  }
}
