import Import
import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `…/collections/devices/items` and the devices in it (OGC API – Features Part 1).
struct DeviceRoutes {
  private let store: DeviceStore
  private let parameters: DeviceParameters
  private let publicTags: PublicTags
  private let addresses: Addresses
  private let versions: AnswerVersions
  /// For lists of what they usually carry.
  private let usual: DeviceGeoJSON
  /// For everything that is known of a device.
  private let whole: DeviceGeoJSON

  init(
    store: DeviceStore, parameters: DeviceParameters, publicTags: PublicTags,
    addresses: Addresses, versions: AnswerVersions
  ) {
    self.store = store
    self.parameters = parameters
    self.publicTags = publicTags
    self.addresses = addresses
    self.versions = versions
    usual = DeviceGeoJSON(properties: DeviceProperty.ofLists, publicTags: publicTags)
    whole = DeviceGeoJSON(properties: DeviceProperty.all, publicTags: publicTags)
  }

  static let defaultLimit = 10
  static let maximumLimit = 10_000

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getDevices", "/api/collections/devices/items", tag: "Devices",
        summary: "Devices in a box and of a kind, page by page.",
        parameters: parameters.declared + listParameters,
        answers: [.ok("A page of devices.", "application/geo+json", schema: "devices")], list),
      Endpoint(
        "getDevice", "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "One device with everything that is known of it.",
        parameters: [
          .path("id", .text(maxLength: 100), "The UUID of the device."),
          crsParameter, .format(["json"]),
        ],
        answers: [.ok("The device.", "application/geo+json", schema: "device")], device),
    ]
  }

  private var crsParameter: Parameter {
    .query(
      "crs", .oneOf(CoordinateSystem.allCases.map(\.rawValue)),
      "The coordinate reference system of positions in the answer.")
  }

  private var listParameters: [Parameter] {
    [
      .query(
        "limit",
        .integer(minimum: 1, maximum: Self.maximumLimit, byDefault: Self.defaultLimit),
        "Devices on a page; a number above the maximum is taken as the maximum."),
      .query("cursor", .text(maxLength: 4_000), "Where a page begins, from a `next` link."),
      .query(
        "near", .numbers(minimum: 2, maximum: 2),
        "Longitude and latitude of a place; with `sortby=distance` the nearest come first."),
      .query(
        "sortby", .text(),
        "`distance`, or names separated by commas, `-` before one for the reverse: "
          + DeviceOrder.sortable.joined(separator: ", ") + "."),
      .query(
        "properties", .text(maxLength: 1_000),
        "Names of further properties separated by commas, or `*` for all."),
      crsParameter, .format(["json"]),
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let filter = try parameters.filter(request.query)
    let order = try DeviceOrder(sortby: request.query["sortby"], near: request.query["near"])
    let limit = try Self.limit(request.query["limit"])
    let writer = try writer(properties: request.query["properties"])
    let crs = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let digest = Self.digest(request.query)
    let cursor = try request.query["cursor"].map { text in
      try DeviceCursor(
        text: text, digest: digest, keyCount: order.keys.count,
        sortedByDistance: order.near != nil)
    }
    return try versions.answer(request) {
      var json = JSONWriter(capacity: 1_024 + 420 * min(limit, 1_000))
      json.beginObject()
      json.key("type")
      json.raw("\"FeatureCollection\"")
      let page = try store.database.read { connection in
        let page = try store.page(
          filter, order: order, after: cursor, limit: limit, digest: digest, connection)
        try write(page, with: writer, crs: crs, to: &json, connection)
        return page
      }
      let links = self.links(request.query, next: page.next)
      json.links(links)
      json.endObject()
      var response = Response.json(json.bytes, contentType: "application/geo+json")
      response.headers.add("Content-Crs", "<\(crs.rawValue)>")
      for link in links { response.headers.add("Link", link.headerValue) }
      return response
    }
  }

  private func writer(properties: String?) throws -> DeviceGeoJSON {
    guard properties != nil else { return usual }
    return DeviceGeoJSON(
      properties: try DeviceProperty.selection(properties), publicTags: publicTags)
  }

  private func write(
    _ page: DeviceStore.Page, with writer: DeviceGeoJSON, crs: CoordinateSystem,
    to json: inout JSONWriter, _ connection: borrowing Connection
  ) throws {
    json.key("features")
    let count = try writer.write(page, to: &json, connection: connection, crs: crs)
    json.key("numberMatched")
    json.integer(page.total)
    json.key("numberReturned")
    json.integer(count)
    json.member("timeStamp", store.surroundings.now().text)
  }

  private func links(_ query: Query, next: DeviceCursor?) -> [Link] {
    let path = "/api/collections/devices/items"
    var links = [
      Link(
        "self", addresses.url(path, query), type: "application/geo+json", title: "This page"),
      Link(
        "collection", addresses.url("/api/collections/devices"), type: "application/json",
        title: "Devices"),
    ]
    if let next {
      links.append(
        Link(
          "next", addresses.url(path, query, setting: ("cursor", next.text)),
          type: "application/geo+json", title: "Next page"))
    }
    return links
  }

  @Sendable private func device(_ request: Request) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let crs = try CoordinateSystem(parameter: "crs", request.query["crs"])
    guard let id = DeviceID(text: request.parameter("id")) else { throw NotFound.device }
    return try versions.answer(request, where: { try store.has(id) }) {
      let links = self.links(of: id)
      var json = JSONWriter(capacity: 2_048)
      let isFound = try store.database.read { connection in
        try whole.write(id, to: &json, connection: connection, crs: crs, links: links)
      }
      guard isFound else { throw NotFound.device }
      var response = Response.json(json.bytes, contentType: "application/geo+json")
      response.headers.add("Content-Crs", "<\(crs.rawValue)>")
      for link in links { response.headers.add("Link", link.headerValue) }
      return response
    }
  }

  private func links(of id: DeviceID) -> [Link] {
    [
      Link(
        "self", addresses.url("/api/collections/devices/items/\(id.text)"),
        type: "application/geo+json", title: "This device"),
      Link(
        "alternate", addresses.url("/devices/\(id.text)"), type: "text/html",
        title: "This device as a page"),
      Link(
        "collection", addresses.url("/api/collections/devices"), type: "application/json",
        title: "Devices"),
    ]
  }

  /// Reads `limit`: a whole number from 1; above the maximum it is the maximum.
  static func limit(_ text: String?) throws -> Int {
    guard let text else { return defaultLimit }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    guard isPlain, text.contains(where: { $0 != "0" }) else {
      throw InvalidInput("limit", Message("error.limit", ["maximum": "\(maximumLimit)"]))
    }
    return min(Int(text) ?? maximumLimit, maximumLimit)
  }

  /// What a cursor is bound to: every parameter that chooses or sorts devices.
  private static func digest(_ query: Query) -> String {
    let free: Set<String> = ["limit", "cursor", "f", "properties", "crs"]
    return DeviceCursor.digest(
      of: query.pairs.filter { !free.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted())
  }
}
