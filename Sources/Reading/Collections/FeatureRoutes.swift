import CQL2
import Devices
import Filters
import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// `/api/collections/{collectionId}`: collections other than the devices, with the same filters,
/// reference systems and pages (OGC API – Features Parts 1 to 3).
package struct FeatureRoutes {
  package let database: Database
  package let environment: Environment
  package let addresses: Addresses
  package let versions: AnswerVersions
  package let pages: ResourcePages

  private static let path = "/api/collections/{collectionId}"

  package static let collection = Parameter.path(
    "collectionId", .text(), "The id of a collection.")

  var endpoints: [Endpoint] {
    var items = Endpoint(
      "getFeatures", Self.path + "/items", tag: "Further collections",
      summary: "A page of features of another collection. Its properties are parameters too.",
      parameters: [Self.collection] + FeatureQuery.declared + Self.listParameters,
      answers: [
        .ok("A page of features.", "application/geo+json", schema: "features").alsoAsPage
      ], pages.also(.geoJSON, list))
    items.judgesQuery = true
    return [
      Endpoint(
        "getFurtherCollection", Self.path, tag: "Further collections",
        summary: "Another collection.", parameters: [Self.collection, ResourcePages.formats],
        answers: [.ok("The collection.", schema: "collection").alsoAsPage],
        pages.also(.json, one)),
      Endpoint(
        "getFurtherQueryables", Self.path + "/queryables", tag: "Further collections",
        summary: "The properties of another collection that filters can use.",
        parameters: [Self.collection, ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, queryables)),
      Endpoint(
        "getFurtherSchema", Self.path + "/schema", tag: "Further collections",
        summary: "All properties of another collection, with their types.",
        parameters: [Self.collection, ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, schema)),
      Endpoint(
        "getFurtherFeatureSchema", Self.path + "/feature-schema", tag: "Further collections",
        summary: "The JSON Schema of a feature of another collection.",
        parameters: [Self.collection, ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, featureSchema)),
      items,
      Endpoint(
        "searchFeatures", .post, Self.path + "/search", tag: "Further collections",
        summary: "The same with the parameters in a body, for filters longer than an address.",
        access: .everyone, parameters: [Self.collection, .format(["json"])],
        body: .json("search", limit: 1 << 20),
        answers: [.ok("A page of features.", "application/geo+json", schema: "features")],
        .open(search)),
      Endpoint(
        "getFeature", Self.path + "/items/{feature}", tag: "Further collections",
        summary: "One feature of another collection.",
        parameters: [
          Self.collection, .path("feature", .text(maxLength: 200), "The id of a feature."),
          CoordinateSystem.ofAnswer, ResourcePages.formats,
        ],
        answers: [.ok("The feature.", "application/geo+json", schema: "feature").alsoAsPage],
        pages.also(.geoJSON, feature)),
    ]
  }

  init(_ instance: Instance) {
    (database, environment) = (instance.database, instance.environment)
    (addresses, versions, pages) = (instance.addresses, instance.versions, instance.pages)
  }

  private static let listParameters: [Parameter] = [
    .query(
      "limit",
      .integer(
        minimum: 1, maximum: DeviceRoutes.maximumLimit, byDefault: DeviceRoutes.defaultLimit),
      "Features on a page; a larger number counts as the maximum."),
    .query("cursor", .text(maxLength: 4_000), "Where a page begins, from a `next` link."),
    CoordinateSystem.ofAnswer, ResourcePages.formats,
  ]

  private static let listNames = Set(listParameters.map(\.name))

  @Sendable private func one(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      var json = JSONWriter()
      collection.description(addresses).write(to: &json)
      return .json(json.bytes)
    }
  }

  @Sendable private func queryables(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      CollectionDescription.queryables(
        collection.fields.mapValues(\.schema), id: collection.id, title: collection.title, addresses
      )
    }
  }

  @Sendable private func schema(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      CollectionDescription.schema(
        collection.returnables, at: "/api/collections/\(collection.id)/schema",
        title: collection.title, addresses)
    }
  }

  @Sendable private func featureSchema(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      CollectionDescription.featureSchema(
        collection.returnables, of: collection.id, title: collection.title, addresses)
    }
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    try list(request, limits: FilterLimits())
  }

  @Sendable private func search(_ request: Request) throws -> Response {
    try ContentNegotiation.geoJSON.check(request)
    let collection = try FurtherCollection.asked(by: request, in: database)
    let body = try SearchBody(
      request, parameters: FeatureQuery.declared + Self.listParameters
    ) { collection.fields[$0] != nil }
    return try body.response { try list($0, limits: .ofSearch) }
  }

  private func list(_ request: Request, limits: FilterLimits) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    let query = try FeatureQuery(
      request.query, of: collection, own: Self.listNames, limits: limits)
    let limit = try DeviceRoutes.limit(request.query["limit"])
    let system = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let digest = Self.digest(request.query, of: collection)
    let cursor = try request.query["cursor"].map { text in
      try DeviceCursor(text: text, digest: digest, keyCount: 0, sortedByDistance: false)
    }
    return try versions.answer(request) {
      let writer = FeatureGeoJSON(collection: collection, system: system)
      var json = JSONWriter()
      json.beginObject()
      json.member("type", "FeatureCollection")
      json.key("features")
      json.beginArray()
      let (total, page) = try database.read { connection in
        let page = try CollectionStore(database: database).forEachFeature(
          query, after: cursor?.rowid ?? 0, limit: limit, connection
        ) { writer.write($0, to: &json) }
        return (try query.count(connection), page)
      }
      json.endArray()
      json.member("numberMatched", total)
      json.member("numberReturned", page.count)
      json.member("timeStamp", environment.now().text)
      let next = page.next.map {
        DeviceCursor(keys: [], distance: nil, rowid: $0, digest: digest).text
      }
      let links = CollectionDescription.links(
        ofPage: request, next: next, of: collection.id, titled: collection.title, addresses)
      json.links(links)
      json.endObject()
      var response = Response.json(json.bytes, contentType: "application/geo+json")
      response.headers.add("Content-Crs", "<\(system.rawValue)>")
      Link.add(links, to: &response)
      return response
    }
  }

  /// The digest that binds a cursor to the imported data and to every parameter that selects
  /// features.
  private static func digest(_ query: Query, of collection: FurtherCollection) -> String {
    let free: Set<String> = ["limit", "cursor", "f", "crs"]
    let chosen = query.pairs.filter { !free.contains($0.name) }.map { "\($0.name)=\($0.value)" }
    return DeviceCursor.digest(of: ["\(collection.rowid)"] + chosen.sorted())
  }

  @Sendable private func feature(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    let key = request.parameter("feature")
    let system = try CoordinateSystem(parameter: "crs", request.query["crs"])
    let path = "/api/collections/\(collection.id)"
    let address = addresses.url(path + "/items/\(PercentEncoding.component(key))")
    let links = [
      Link("self", address, type: "application/geo+json", title: "This feature"),
      Link(
        "alternate", address + "?f=html", type: "text/html", title: "This feature as a web page"),
      Link(
        "collection", addresses.url(path), type: "application/json", title: collection.title),
    ]
    var json = JSONWriter()
    let writer = FeatureGeoJSON(collection: collection, system: system)
    try database.readQuickly { connection in
      let found: Void? = try CollectionStore.feature(key, of: collection, connection) { row in
        writer.write(row, to: &json, links: links)
      }
      if found == nil { throw NotFound.feature }
    }
    return try versions.answer(request) {
      var response = Response.json(json.bytes, contentType: "application/geo+json")
      response.headers.add("Content-Crs", "<\(system.rawValue)>")
      Link.add(links, to: &response)
      return response
    }
  }
}

extension FurtherCollection {
  /// The description of the collection in `/api/collections`.
  func description(_ addresses: Addresses) -> CollectionDescription {
    var links = CollectionDescription.links(of: id, titled: title, addresses)
    if let address = LicenceAddress.url(of: licence) ?? url {
      links.append(Link("license", address, type: "text/html", title: licence))
    }
    if let url { links.append(Link("via", url, type: "text/html", title: "Source")) }
    return CollectionDescription(
      id: id, title: title, description: description,
      attribution: attribution.contains(licence) ? attribution : "\(attribution) (\(licence))",
      box: box ?? [-180, -90, 180, 90], interval: interval, links: links)
  }
}

extension FurtherCollection {
  /// The id, the shape and all properties, as members of a JSON Schema (Part 5).
  fileprivate var returnables: JSONObject {
    var members: [(key: String, value: JSONValue)] = [
      ("id", ["type": "string", "x-ogc-role": "id"]),
      ("geometry", ["format": "geometry-any", "x-ogc-role": "primary-geometry"]),
    ]
    for (place, property) in properties.enumerated()
    where !members.contains(where: { $0.key == property.name }) {
      var schema = property.schema.objectValue ?? JSONObject()
      if place == timeProperty { schema["x-ogc-role"] = "primary-instant" }
      members.append((property.name, .object(schema)))
    }
    return JSONObject(members)
  }
}

extension NotFound {
  static let feature = NotFound(Message("error.not_found.feature"))
}

extension ContentNegotiation {
  /// A JSON Schema, also for clients that accept only plain JSON.
  static let schema = ContentNegotiation([
    Offer("json", "application/schema+json"), Offer("json", "application/json"),
  ])
}
