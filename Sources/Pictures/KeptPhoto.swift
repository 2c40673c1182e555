package import JSON
package import SpatialDatabase

/// A photo in a device's history: its id, description and picture version.
package struct KeptPhoto: Sendable, Equatable {
  package let id: String
  package var alt: String
  package var version: Int64

  package init(id: String, alt: String, version: Int64) {
    (self.id, self.alt, self.version) = (id, alt, version)
  }

  /// Reads the output of ``write(to:)``; a missing version means the current one.
  package init?(_ json: JSONValue) {
    guard let id = json["id"]?.stringValue, let alt = json["alt"]?.stringValue else { return nil }
    self.init(id: id, alt: alt, version: json["version"]?.intValue.map(Int64.init) ?? 0)
  }

  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("alt", alt)
    json.member("version", version)
    json.endObject()
  }

  /// All photos of a device that are not deleted, in order.
  package static func all(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> [KeptPhoto] {
    try PhotoTable().notDeleted(of: device, connection).map(\.kept)
  }
}
