import Import
import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// One device as an answer of its own, and the tag of the version it shows.
struct DeviceFeature: Sendable {
  /// The feature as JSON.
  let bytes: [UInt8]
  let links: [Link]
  let crs: CoordinateSystem
  let tag: EntityTag

  fileprivate init(bytes: [UInt8], revision: Int64, links: [Link], crs: CoordinateSystem) {
    self.bytes = bytes
    self.links = links
    self.crs = crs
    // The revision is what a write must name; claims, photos and all else that shows change the rest.
    tag = EntityTag("\(revision)-\(EntityTag(hashing: bytes).opaque.prefix(16))")
  }

  /// The answer that carries it.
  func response(_ status: Status = .ok) -> Response {
    var response = Response.json(bytes, contentType: "application/geo+json", status: status)
    response.headers.add("Content-Crs", "<\(crs.rawValue)>")
    for link in links { response.headers.add("Link", link.headerValue) }
    response.etag = tag
    return response
  }

  /// The feature as a value, to be changed or shown within another answer.
  func value() throws -> JSONValue { try JSONValue(parsing: bytes) }
}

/// Makes answers of single devices.
struct DeviceFeatures: Sendable {
  /// With everything that is known of a device.
  private let whole: DeviceGeoJSON
  private let addresses: Addresses

  init(publicTags: PublicTags, addresses: Addresses) {
    whole = DeviceGeoJSON(properties: DeviceProperty.all, publicTags: publicTags)
    self.addresses = addresses
  }

  /// The device of a row as it is now.
  func feature(
    of device: FoundDevice, crs: CoordinateSystem = .crs84, _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    try feature(
      rowid: device.rowid, id: device.id, revision: device.revision, crs: crs, connection)
  }

  func feature(
    rowid: Int64, id: DeviceID, revision: Int64, crs: CoordinateSystem = .crs84,
    _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    let links = links(of: id)
    var json = JSONWriter(capacity: 3_072)
    let isFound = try whole.write(
      rowid: rowid, to: &json, connection: connection, crs: crs, links: links)
    guard isFound else { throw NotFound.device }
    return DeviceFeature(bytes: json.bytes, revision: revision, links: links, crs: crs)
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
        title: "This device, to be read"),
      Link(
        "related", addresses.url("/devices/\(id.text)"), type: "text/html",
        title: "The page of this device"),
      Link(
        "collection", addresses.url("/api/collections/devices"), type: "application/json",
        title: "Devices"),
    ]
  }
}
