package import Accounts
package import Import
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `…/collections/devices/items` and the devices in it (OGC API – Features Part 1).
package struct DeviceRoutes {
  private let store: DeviceStore
  private let parameters: DeviceParameters
  private let publicTags: PublicTags
  private let addresses: Addresses
  private let versions: AnswerVersions
  /// Writes lists with the default properties.
  private let usual: DeviceGeoJSON
  private let features: DeviceFeatures
  private let pages: ResourcePages
  private let researchers: ResearchReader

  package init(
    store: DeviceStore, parameters: DeviceParameters, publicTags: PublicTags,
    addresses: Addresses, versions: AnswerVersions, features: DeviceFeatures,
    pages: ResourcePages, researchers: ResearchReader
  ) {
    self.store = store
    self.parameters = parameters
    self.publicTags = publicTags
    self.addresses = addresses
    self.versions = versions
    usual = DeviceGeoJSON(properties: DeviceProperty.ofLists, publicTags: publicTags)
    self.features = features
    self.pages = pages
    self.researchers = researchers
  }

  package static let defaultLimit = 10
  package static let maximumLimit = 10_000
  /// The limit for callers with the researcher permission.
  static let researchLimit = 50_000

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getDevices", "/api/collections/devices/items", tag: "Devices",
        summary: "Devices in a box and of a kind, page by page.",
        parameters: parameters.declared + listParameters,
        answers: [
          .ok("A page of devices.", "application/geo+json", schema: "devices").alsoAsPage,
          .refusal(401, "The token is not valid."),
        ], pages.also(.geoJSON, list)),
      Endpoint(
        "getDevice", .get, "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "One device with all its properties.", access: .everyone,
        parameters: [.deviceID, CoordinateSystem.ofAnswer, ResourcePages.formats],
        answers: [.ok("The device.", "application/geo+json", schema: "device").alsoAsPage],
        .personal(pages.also(.geoJSON, device))),
      Endpoint(
        "getDeviceLocation", .get, "/api/collections/devices/items/{id}/location",
        tag: "Devices", summary: "The true point of a device, for its author and moderators.",
        access: .signedIn(.read), parameters: [.deviceID, .format(["json"])],
        answers: [.ok("The true place.", "application/geo+json", schema: "location")],
        .personal(location)),
    ]
  }

  private var listParameters: [Parameter] {
    [
      .query(
        "limit",
        .integer(minimum: 1, maximum: Self.maximumLimit, byDefault: Self.defaultLimit),
        "Devices on a page; a larger number counts as the maximum."),
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
      CoordinateSystem.ofAnswer, ResourcePages.formats,
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    guard try researchers.isResearcher(request) else {
      return try list(request, longest: Self.maximumLimit, within: .usual)
    }
    // Responses to researchers are not for others: they carry a version but must not be cached.
    var plain = request
    plain.headers["If-None-Match"] = nil
    var response = try list(
      plain, longest: Self.researchLimit, within: .after(ResearchReader.readTime))
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers.merge("Vary", "Authorization")
    response.etag = response.etag.map { EntityTag("\($0.opaque)-research", weak: $0.isWeak) }
    return response
  }

  private func list(
    _ request: Request, longest: Int, within time: Database.TimeLimit
  ) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let filter = try parameters.filter(request.query)
    let order = try DeviceOrder(sortby: request.query["sortby"], near: request.query["near"])
    let limit = try Self.limit(request.query["limit"], longest: longest)
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
      let page = try store.database.read(limit: time) { connection in
        let page = try store.page(
          filter, order: order, after: cursor, limit: limit, digest: digest, connection)
        try write(page, with: writer, crs: crs, to: &json, connection)
        return page
      }
      let links = CollectionDescription.links(
        ofPage: request.query, next: page.next?.text, of: "devices", titled: "Devices", addresses)
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
    json.member("timeStamp", store.environment.now().text)
  }

  /// The same for all callers, except that a hidden device exists only for its author and moderators.
  @Sendable private func device(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let crs = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let (feature, isHidden) = try store.database.read { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      return (try features.feature(of: device, crs: crs, connection), device.isHidden)
    }
    var response = feature.response()
    if !isHidden { AnswerVersions.complete(&response) }
    return response
  }

  /// The true point, as a separate resource: never part of a list, a tile or a shared cache.
  @Sendable private func location(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let place = try store.database.readPrivate { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      guard device.isTrusted(to: caller) else { throw Refusal.notYours }
      return try DeviceStore.truePoint(of: device, connection)
    }
    guard let place else { throw NotFound.device }
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "Point")
    json.key("coordinates")
    CoordinateSystem.crs84.write(longitude: place.0, latitude: place.1, to: &json)
    json.endObject()
    return .json(json.bytes, contentType: "application/geo+json")
  }

  /// Reads `limit`, at most `longest`.
  package static func limit(_ text: String?, longest: Int = maximumLimit) throws -> Int {
    try PageCursor.limit(text, byDefault: defaultLimit, maximum: longest)
  }

  /// The digest that a cursor is bound to: every parameter that selects or sorts devices.
  private static func digest(_ query: Query) -> String {
    let free: Set<String> = ["limit", "cursor", "f", "properties", "crs"]
    return DeviceCursor.digest(
      of: query.pairs.filter { !free.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted())
  }
}

extension Parameter {
  /// The id of a device in a path.
  package static let deviceID = Parameter.path(
    "id", .text(maxLength: 100), "The UUID of the device.")
}

extension Refusal {
  /// 403: reserved for the author and moderators.
  static let notYours = Refusal(.forbidden, "error.not_yours")
}
