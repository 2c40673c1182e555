import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `/api/collections` and what describes the one collection in it (OGC API – Features Parts 1, 3).
struct CollectionRoutes {
  let store: DeviceStore
  let addresses: Addresses
  let versions: AnswerVersions

  private static let devices = "/api/collections/devices"
  private static let queryablesRelation = "http://www.opengis.net/def/rel/ogc/1.0/queryables"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getCollections", "/api/collections", tag: "Collections",
        summary: "The collections of this instance.", parameters: [.format(["json"])],
        answers: [.ok("All collections.", "application/json", schema: "collections")], all),
      Endpoint(
        "getCollection", Self.devices, tag: "Collections",
        summary: "The collection of devices.", parameters: [.format(["json"])],
        answers: [.ok("The collection.", "application/json", schema: "collection")], one),
      Endpoint(
        "getQueryables", Self.devices + "/queryables", tag: "Collections",
        summary: "The properties that filters may name.", parameters: [.format(["json"])],
        answers: [.ok("A JSON Schema.", "application/schema+json", schema: "queryables")],
        queryables),
      Endpoint(
        "getUnknownCollection", "/api/collections/{collection}", tag: "Collections",
        summary: "Any other collection: not there.",
        parameters: [
          .path("collection", .text(), "The name of a collection."), .format(["json"]),
        ], answers: []
      ) { _ in throw NotFound.collection },
    ]
  }

  @Sendable private func all(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("collections")
      json.beginArray()
      try writeCollection(to: &json)
      json.endArray()
      json.links([
        Link(
          "self", addresses.url("/api/collections"), type: "application/json",
          title: "The collections")
      ])
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func one(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      try writeCollection(to: &json)
      return .json(json.bytes)
    }
  }

  private func writeCollection(to json: inout JSONWriter) throws {
    let (box, interval) = try store.extent()
    json.beginObject()
    json.member("id", "devices")
    json.member("title", "Devices")
    json.member(
      "description",
      "Connected devices around us: what each is, which personal data it collects, who answers for "
        + "it. Positions are as precise as each record's author chose.")
    json.member("itemType", "feature")
    json.key("extent")
    json.beginObject()
    json.key("spatial")
    json.beginObject()
    json.key("bbox")
    json.beginArray()
    json.beginArray()
    for edge in [box.west, box.south, box.east, box.north] { json.coordinate(edge) }
    json.endArray()
    json.endArray()
    json.member("crs", CoordinateSystem.crs84.rawValue)
    json.endObject()
    json.key("temporal")
    json.beginObject()
    json.key("interval")
    json.beginArray()
    json.beginArray()
    for end in interval { if let end { json.string(end) } else { json.null() } }
    json.endArray()
    json.endArray()
    json.endObject()
    json.endObject()
    json.key("crs")
    json.strings(CoordinateSystem.allCases.map(\.rawValue))
    json.member("storageCrs", CoordinateSystem.crs84.rawValue)
    json.links(links)
    json.endObject()
  }

  private var links: [Link] {
    [
      Link(
        "self", addresses.url(Self.devices), type: "application/json", title: "This collection"),
      Link(
        "items", addresses.url(Self.devices + "/items"), type: "application/geo+json",
        title: "Devices as GeoJSON"),
      Link(
        Self.queryablesRelation, addresses.url(Self.devices + "/queryables"),
        type: "application/schema+json", title: "What filters may name"),
      Link(
        "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector",
        addresses.url(Self.devices + "/tiles"), type: "application/json",
        title: "Devices as vector tiles"),
    ]
  }

  @Sendable private func queryables(_ request: Request) throws -> Response {
    try ContentNegotiation([
      ContentNegotiation.Offer("json", "application/schema+json"),
      ContentNegotiation.Offer("json", "application/json"),
    ]).check(request)
    return try versions.answer(request) {
      let geometry: JSONValue = ["format": "geometry-point"]
      var properties = JSONObject([(key: "geometry", value: geometry)])
      for property in DeviceProperty.all where property.isQueryable {
        properties.members.append((key: property.name, value: property.schema(nullable: false)))
      }
      var json = JSONWriter()
      json.beginObject()
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("$id", addresses.url(Self.devices + "/queryables"))
      json.member("type", "object")
      json.member("title", "Devices")
      json.key("properties")
      json.value(.object(properties))
      json.key("additionalProperties")
      json.bool(false)
      json.endObject()
      return .json(json.bytes, contentType: "application/schema+json")
    }
  }
}

extension DeviceStore {
  /// The box of all public devices, and the first and last change.
  func extent() throws -> (box: BoundingBox, interval: [String?]) {
    let interval = try database.read { connection in
      [
        try connection.text("SELECT min(updated_at) FROM device WHERE hidden = 0"),
        try connection.text("SELECT max(updated_at) FROM device WHERE hidden = 0"),
      ]
    }
    return (index.snapshot.extent?.onMap ?? .world, interval)
  }
}
