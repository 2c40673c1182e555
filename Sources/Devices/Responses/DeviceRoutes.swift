import Accounts
import CQL2
import Filters
import Import
import JSON
internal import Locking
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
  /// Writes lists with the properties that pages and small clients need.
  private let short: DeviceGeoJSON
  /// Writes lists with all properties.
  private let whole: DeviceGeoJSON
  private let features: DeviceFeatures
  private let pages: ResourcePages
  private let researchers: ResearchReader
  private let languages: [String]

  package init(_ instance: Instance) throws {
    (store, features, parameters) = try (instance.part(), instance.part(), instance.part())
    (addresses, versions) = (instance.addresses, instance.versions)
    (pages, languages) = (instance.pages, instance.catalogue.languages)
    researchers = ResearchReader(gate: instance.gate)
    publicTags = try instance.given()
    short = DeviceGeoJSON(properties: DeviceProperty.ofLists, publicTags: publicTags)
    whole = DeviceGeoJSON(
      properties: DeviceProperty.all, publicTags: publicTags, licence: parameters.licence)
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
        "searchDevices", .post, "/api/collections/devices/search", tag: "Devices",
        summary: "The same with the parameters in a body, for filters longer than an address.",
        access: .everyone, parameters: [.format(["json"])], body: .json("search", limit: 1 << 20),
        answers: [.ok("A page of devices.", "application/geo+json", schema: "devices")],
        .open(search)),
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
        "Names of properties separated by commas, in addition to those of every list, or `*` for "
          + "all. Without it, a request that names `application/geo+json` in `Accept` gets all."),
      ListSupplement.parameter, .language(languages), CoordinateSystem.ofAnswer,
      ResourcePages.formats,
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    guard try researchers.isResearcher(request) else {
      return try list(request, maximum: Self.maximumLimit, within: .usual)
    }
    // Responses to researchers are not for others: they carry a version but must not be cached.
    var plain = request
    plain.headers["If-None-Match"] = nil
    var response = try list(
      plain, maximum: Self.researchLimit, within: .after(ResearchReader.readTime))
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers.merge("Vary", "Authorization")
    response.etag = response.etag.map { EntityTag("\($0.opaque)-research", weak: $0.isWeak) }
    return response
  }

  @Sendable private func search(_ request: Request) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let body = try SearchBody(request, parameters: parameters.declared + listParameters)
    return try body.response { asked in
      try list(
        asked, maximum: Self.maximumLimit, within: .usual, limits: .ofSearch)
    }
  }

  private func list(
    _ request: Request, maximum: Int, within time: Database.TimeLimit,
    limits: FilterLimits = FilterLimits()
  ) throws -> Response {
    let filter = try parameters.filter(request.query, limits: limits)
    let order = try DeviceOrder(sortby: request.query["sortby"], near: request.query["near"])
    let limit = try Self.limit(request.query["limit"], maximum: maximum)
    if limit > Self.maximumLimit { try SocketThread.leave() }
    let isWhole = Self.wantsAll(request)
    let writer = try isWhole ? whole : writer(for: request)
    let crs = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let supplements = try ListSupplement.read(request.query["with"])
    let language = try language(request.query["lang"])
    let digest = Self.digest(request.query)
    let cursor = try request.query["cursor"].map { text in
      try DeviceCursor(
        text: text, digest: digest, keyCount: order.keys.count,
        sortedByDistance: order.near != nil)
    }
    return try versions.answer(request, variant: isWhole ? "whole" : nil) {
      var json = JSONWriter(capacity: 1_024 + 420 * min(limit, 1_000))
      json.beginObject()
      json.key("type")
      json.raw("\"FeatureCollection\"")
      let page = try store.database.readQuickly(limit: time) { connection in
        var page = try store.page(
          filter, order: order, after: cursor, limit: limit, digest: digest, connection)
        page.plan.isLast = supplements.isEmpty
        try write(page, with: writer, crs: crs, to: &json, connection)
        for supplement in supplements {
          try supplement.write(
            page, of: filter, store: store, places: parameters.places, language: language,
            to: &json, connection)
        }
        return page
      }
      let links = CollectionDescription.links(
        ofPage: request, next: page.next?.text, of: "devices", titled: "Devices", addresses)
      json.links(links)
      json.endObject()
      var response = Response.json(json.bytes, contentType: "application/geo+json")
      response.headers.add("Content-Crs", "<\(crs.rawValue)>")
      Link.add(links, to: &response)
      return response
    }
  }

  /// The language of places. The browser's language does not matter, so one response serves all callers.
  private func language(_ asked: String?) throws -> String {
    guard let asked else { return Catalogue.defaultLanguage }
    guard languages.contains(asked) else { throw InvalidInput.unknownCode("lang", asked) }
    return asked
  }

  /// Whether the `Accept` header of a request without `properties` requests all of them.
  ///
  /// GIS programs name the media type, and have no setting for properties (GDAL, QGIS, R sf). Pages and other programs
  /// send no `Accept` or `*/*`; they get the short list, whose rows are prepared
  /// (docs/decisions/0010-list-rows-as-prepared-json.md).
  private static func wantsAll(_ request: Request) -> Bool {
    request.query["properties"] == nil
      && ContentNegotiation.names("application/geo+json", request)
  }

  private func writer(for request: Request) throws -> DeviceGeoJSON {
    guard let names = request.query["properties"] else { return short }
    return DeviceGeoJSON(
      properties: try DeviceProperty.selection(names), publicTags: publicTags,
      licence: parameters.licence)
  }

  private func write(
    _ page: DeviceStore.Page, with writer: DeviceGeoJSON, crs: CoordinateSystem,
    to json: inout JSONWriter, _ connection: borrowing Connection
  ) throws {
    json.key("features")
    let count = try writer.write(
      page, to: &json, connection: connection, crs: crs)
    json.member("numberMatched", page.total)
    json.member("numberReturned", count)
    json.member("timeStamp", store.environment.now().text)
  }

  /// The same for all callers, except that a hidden device exists only for its author and moderators.
  @Sendable private func device(_ request: Request, _ caller: Caller) throws -> Response {
    let crs = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let (feature, isHidden) = try features.feature(
      request.parameter("id"), for: caller, crs: crs, store.database)
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

  /// Reads `limit`, at most `maximum`.
  package static func limit(_ text: String?, maximum: Int = maximumLimit) throws -> Int {
    try PageCursor.limit(text, byDefault: defaultLimit, maximum: maximum)
  }

  /// The digest that a cursor is bound to: every parameter that selects or sorts devices.
  private static func digest(_ query: Query) -> String {
    let free: Set<String> = ["limit", "cursor", "f", "properties", "crs", "with", "lang"]
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
