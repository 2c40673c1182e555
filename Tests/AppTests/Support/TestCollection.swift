import Import
@testable import Lists
import PrivacyMap
@testable import Reading
@testable import Rights
@testable import Service

/// Further collections for tests.
enum TestCollection {
  /// Three points: everything known, almost nothing, no geometry.
  static let points = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [7.4, 46.9]},
        "properties": {"name": "Alpha", "floors": 3, "height": 9.5, "listed": true,
          "built": "1912-05-01", "seen": "2024-03-01T12:00:00+01:00", "uses": ["home", "shop"]}},
      {"type": "Feature", "id": "b", "geometry": {"type": "Point", "coordinates": [7.5, 46.9]},
        "properties": {"name": "beta", "floors": null, "height": 3, "listed": false,
          "built": null}},
      {"type": "Feature", "id": "c", "geometry": null, "properties": {"name": "Gamma"}}
    ]}
    """

  /// Adds a file directly, without the interface.
  static func load(
    _ text: String, into app: TestApp, id: String, name: String = "list.geojson",
    time: String? = nil, replaces: Bool = false
  ) throws -> CollectionLoad.Outcome {
    var description = CollectionLoad.Description(
      id: id, title: "Houses", licence: "CC0-1.0", attribution: "The city", file: name)
    description.time = time
    description.replaces = replaces
    return try CollectionLoad(
      database: app.database, environment: app.environment, account: nil
    ).load(TextFeatureFile(ByteSource(bytes: Array(text.utf8), name: name)), description)
  }

  /// The request of an admin; fields with an empty value are left out.
  static func form(
    _ content: [UInt8], id: String, name: String = "list.geojson",
    _ more: [(String, String)] = []
  ) -> [UInt8] {
    var fields = [
      ("id", id), ("title", "Houses"), ("licence", "CC0-1.0"), ("attribution", "The city"),
    ]
    for field in more {
      fields.removeAll { $0.0 == field.0 }
      fields.append(field)
    }
    var body = ""
    for (name, value) in fields where !value.isEmpty {
      body += "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    body +=
      "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
      + "Content-Type: application/octet-stream\r\n\r\n"
    return Array(body.utf8) + content + Array("\r\n--XX--\r\n".utf8)
  }

  static func form(
    _ content: String, id: String, name: String = "list.geojson", _ more: [(String, String)] = []
  ) -> [UInt8] {
    form(Array(content.utf8), id: id, name: name, more)
  }
}
