package import Filters
package import Import
package import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// One device as the content of a response, with the entity tag of its version.
package struct DeviceFeature: Sendable {
  /// The feature as JSON.
  package let bytes: [UInt8]
  /// The values of its `Link` headers.
  private let links: [String]
  private let crs: CoordinateSystem
  package let tag: EntityTag

  fileprivate init(bytes: [UInt8], revision: Int64, links: [String], crs: CoordinateSystem) {
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
    for link in links { response.headers.add("Link", link) }
    response.etag = tag
    return response
  }

  /// The feature as a JSON value, to be embedded in another response.
  package func value() throws -> JSONValue { try JSONValue(parsing: bytes) }
}

/// Makes responses for single devices.
package struct DeviceFeatures: Sendable {
  /// Writes features with all properties.
  private let whole: DeviceGeoJSON
  private let publicTags: PublicTags
  /// The licence of contributions to this instance.
  private let licence: String
  private let addresses: Addresses
  private let links: DeviceLinks

  package init(publicTags: PublicTags, licence: String, addresses: Addresses) {
    self.publicTags = publicTags
    self.licence = licence
    whole = DeviceGeoJSON(
      properties: DeviceProperty.all, publicTags: publicTags, licence: licence)
    self.addresses = addresses
    links = DeviceLinks(addresses)
  }

  /// The current feature of the device with the id in a path, for a caller who may see it, read with one query.
  ///
  /// - Throws: the errors of ``FoundDevice/init(_:for:_:)``.
  func feature(
    _ text: String, for caller: Caller, crs: CoordinateSystem, _ database: Database
  ) throws -> (feature: DeviceFeature, isHidden: Bool) {
    guard let id = DeviceID(text: text) else { throw NotFound.device }
    let found = try database.readOnce { connection in
      var json = JSONWriter(capacity: 4_096)
      let identity = try whole.write(
        id, to: &json, connection: connection, crs: crs, links: links.json(of: id)
      ) { !$0.isHidden || caller.maySee(authoredBy: $0.author) }
      return identity.map {
        (
          DeviceFeature(
            bytes: json.bytes, revision: $0.revision, links: links.headers(of: id), crs: crs),
          $0.isHidden
        )
      }
    }
    if let found { return found }
    // Throws the reason, unless the device has just been added.
    let device = try database.readQuickly { try FoundDevice(text, for: caller, $0) }
    return try database.readQuickly { (try feature(of: device, crs: crs, $0), device.isHidden) }
  }

  /// The current feature of a device.
  package func feature(
    of device: FoundDevice, crs: CoordinateSystem = .crs84, _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    try feature(rowid: device.rowid, id: device.id, crs: crs, connection)
  }

  package func feature(
    rowid: Int64, id: DeviceID, crs: CoordinateSystem = .crs84, _ connection: borrowing Connection
  ) throws -> DeviceFeature {
    var json = JSONWriter(capacity: 4_096)
    let identity = try whole.write(
      rowid: rowid, to: &json, connection: connection, crs: crs, links: links.json(of: id))
    guard let identity else { throw NotFound.device }
    return DeviceFeature(
      bytes: json.bytes, revision: identity.revision, links: links.headers(of: id), crs: crs)
  }

  /// The current values of some properties of a device, for properties that exist only in responses.
  package func values(
    of properties: [DeviceProperty], rowid: Int64, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var json = JSONWriter()
    let writer = DeviceGeoJSON(properties: properties, publicTags: publicTags, licence: licence)
    _ = try writer.write(rowid: rowid, to: &json, connection: connection, crs: .crs84)
    return try JSONValue(parsing: json.bytes)["properties"]?.objectValue ?? JSONObject()
  }

  /// The address of a device.
  package func address(of id: DeviceID) -> String { DeviceLinks.address(of: id.text, addresses) }
}

/// The links of every device, which differ only in its id: made once, with gaps for the id.
private struct DeviceLinks: Sendable {
  private let json: [[UInt8]]
  private let headers: [[String]]

  init(_ addresses: Addresses) {
    // A character that links do not contain.
    let gap = "\u{1F}"
    let links = Self.links(of: gap, addresses)
    var written = JSONWriter()
    written.beginArray()
    for link in links { Link.shape.write(link, to: &written) }
    written.endArray()
    let escapedGap = "\\u001f"
    json = String(decoding: written.bytes, as: UTF8.self).split(
      separator: escapedGap, omittingEmptySubsequences: false
    ).map { Array($0.utf8) }
    headers = links.compactMap(\.headerField).map {
      $0.split(separator: gap, omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// The links as an array in JSON.
  func json(of id: DeviceID) -> [UInt8] {
    let text = id.text
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.reduce(0) { $0 + $1.count + text.utf8.count })
    for (place, part) in json.enumerated() {
      if place > 0 { bytes.append(contentsOf: text.utf8) }
      bytes += part
    }
    return bytes
  }

  /// The values of the `Link` headers.
  func headers(of id: DeviceID) -> [String] {
    let text = id.text
    return headers.map { $0.joined(separator: text) }
  }

  static func address(of id: String, _ addresses: Addresses) -> String {
    addresses.url("/api/collections/devices/items/\(id)")
  }

  private static func links(of id: String, _ addresses: Addresses) -> [Link] {
    let address = address(of: id, addresses)
    return [
      Link("self", address, type: "application/geo+json", title: "This device"),
      Link(
        "alternate", address + "?f=html", type: "text/html",
        title: "This device as a web page"),
      Link(
        "related", addresses.url("/devices/\(id)"), type: "text/html",
        title: "The page of this device"),
      Link(
        "collection", addresses.url("/api/collections/devices"), type: "application/json",
        title: "Devices"),
    ]
  }
}
