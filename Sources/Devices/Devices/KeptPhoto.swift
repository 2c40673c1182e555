package import JSON
import Service
package import SpatialDatabase

/// A photo in a device's history: its id, description and picture version.
package struct KeptPhoto: Sendable, Equatable {
  package let id: String
  package var alt: String
  package var version: Int64

  package init(id: String, alt: String, version: Int64) {
    self.id = id
    self.alt = alt
    self.version = version
  }

  /// Reads the output of ``write(to:)``; a missing version means the current one.
  package init?(_ json: JSONValue) {
    guard let id = json["id"]?.stringValue, let alt = json["alt"]?.stringValue else { return nil }
    self.init(id: id, alt: alt, version: json["version"]?.intValue.map(Int64.init) ?? 0)
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("alt", alt)
    json.key("version")
    json.integer(version)
    json.endObject()
  }

  /// All photos of a device that are not deleted, in order.
  package static func all(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> [KeptPhoto] {
    try connection.rows(
      """
      SELECT id, alt, version FROM photo
      WHERE device_rowid = ? AND state <> 'deleted' ORDER BY position, rowid
      """, [.integer(device)]
    ) { KeptPhoto(id: $0.text(0), alt: $0.text(1), version: $0.int(2)) }
  }
}
