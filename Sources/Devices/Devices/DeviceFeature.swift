package import Import
import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// One device as the content of a response, with the entity tag of its version.
package struct DeviceFeature: Sendable {
  /// The feature as JSON.
  package let bytes: [UInt8]
  let links: [Link]
  let crs: CoordinateSystem
  package let tag: EntityTag

  fileprivate init(bytes: [UInt8], revision: Int64, links: [Link], crs: CoordinateSystem) {
    self.bytes = bytes
    self.links = links
    self.crs = crs
    // A write must name the revision. The hash covers the rest of the feature: claims, photos and so
    // on.
    tag = EntityTag("\(revision)-\(EntityTag(hashing: bytes).opaque.prefix(16))")
  }

  /// The response with the feature as its body.
  package func response(_ status: Status = .ok) -> Response {
    var response = Response.json(bytes, contentType: "application/geo+json", status: status)
    response.headers.add("Content-Crs", "<\(crs.rawValue)>")
    Link.add(links, to: &response)
    response.etag = tag
    return response
  }

  /// The feature as a JSON value, to be embedded in another response.
  func value() throws -> JSONValue { try JSONValue(parsing: bytes) }
}

/// Makes responses for single devices.
package struct DeviceFeatures: Sendable {
  /// Writes features with all properties.
  private let whole: DeviceGeoJSON
  private let publicTags: PublicTags
  /// The licence of contributions to this instance.
  private let licence: String
  private let addresses: Addresses

  package init(publicTags: PublicTags, licence: String, addresses: Addresses) {
    self.publicTags = publicTags
    self.licence = licence
    whole = DeviceGeoJSON(
      properties: DeviceProperty.all, publicTags: publicTags, licence: licence)
    self.addresses = addresses
  }

  /// The current feature of a device. `isLast` says that the read ends with it.
  package func feature(
    of device: FoundDevice, crs: CoordinateSystem = .crs84, isLast: Bool = false,
    _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    try feature(
      rowid: device.rowid, id: device.id, revision: device.revision, crs: crs, isLast: isLast,
      connection)
  }

  package func feature(
    rowid: Int64, id: DeviceID, revision: Int64, crs: CoordinateSystem = .crs84,
    isLast: Bool = false, _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    let links = links(of: id)
    var json = JSONWriter(capacity: 3_072)
    let isFound = try whole.write(
      rowid: rowid, to: &json, connection: connection, crs: crs, links: links, isLast: isLast)
    guard isFound else { throw NotFound.device }
    return DeviceFeature(bytes: json.bytes, revision: revision, links: links, crs: crs)
  }

  /// The current values of some properties of a device, for those that exist only in responses.
  func values(
    of properties: [DeviceProperty], rowid: Int64, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var json = JSONWriter()
    let writer = DeviceGeoJSON(properties: properties, publicTags: publicTags, licence: licence)
    _ = try writer.write(
      rowid: rowid, to: &json, connection: connection, crs: .crs84, links: [])
    return try JSONValue(parsing: json.bytes)["properties"]?.objectValue ?? JSONObject()
  }

  /// The address of a device.
  func address(of id: DeviceID) -> String {
    addresses.url("/api/collections/devices/items/\(id.text)")
  }

  private func links(of id: DeviceID) -> [Link] {
    [
      Link("self", address(of: id), type: "application/geo+json", title: "This device"),
      Link(
        "alternate", address(of: id) + "?f=html", type: "text/html",
        title: "This device as a web page"),
      Link(
        "related", addresses.url("/devices/\(id.text)"), type: "text/html",
        title: "The page of this device"),
      Link(
        "collection", addresses.url("/api/collections/devices"), type: "application/json",
        title: "Devices"),
    ]
  }
}
