import Filters
package import JSON
package import Service
package import WebServer

/// The description of a collection (OGC API – Features Part 1, 7.14; Part 2, 6.2).
package struct CollectionDescription {
  package var id: String
  package var title: String
  package var description: String
  package var attribution: String?
  /// West, south, east, north in degrees.
  package var box: [Double]
  /// The first and the last moment; nil is open.
  package var interval: [String?]
  package var links: [Link]

  package init(
    id: String, title: String, description: String, attribution: String? = nil, box: [Double],
    interval: [String?], links: [Link]
  ) {
    self.id = id
    self.title = title
    self.description = description
    self.attribution = attribution
    self.box = box
    self.interval = interval
    self.links = links
  }

  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("title", title)
    json.member("description", description)
    if let attribution { json.member("attribution", attribution) }
    json.member("itemType", "feature")
    json.key("extent")
    writeExtent(to: &json)
    json.key("crs")
    json.strings(CoordinateSystem.allCases.map(\.rawValue))
    json.member("storageCrs", CoordinateSystem.crs84.rawValue)
    json.links(links)
    json.endObject()
  }

  private func writeExtent(to json: inout JSONWriter) {
    json.beginObject()
    json.key("spatial")
    json.beginObject()
    json.key("bbox")
    json.beginArray()
    json.beginArray()
    for edge in box { json.coordinate(edge) }
    json.endArray()
    json.endArray()
    json.member("crs", CoordinateSystem.crs84.rawValue)
    json.endObject()
    json.key("temporal")
    json.beginObject()
    json.key("interval")
    json.beginArray()
    json.beginArray()
    for (place, end) in interval.enumerated() {
      if let end { json.string(Self.moment(end, isStart: place == 0)) } else { json.null() }
    }
    json.endArray()
    json.endArray()
    json.endObject()
    json.endObject()
  }

  /// The start or the end of a day, because the ends of an extent are times (RFC 3339, §5.6).
  private static func moment(_ text: String, isStart: Bool) -> String {
    text.utf8.count == 10 ? text + (isStart ? "T00:00:00Z" : "T23:59:59Z") : text
  }

  /// The links of a collection.
  package static func links(of id: String, titled title: String, _ addresses: Addresses) -> [Link] {
    let path = "/api/collections/\(id)"
    return [
      Link("self", addresses.url(path), type: "application/json", title: "This collection"),
      Link(
        "alternate", addresses.url(path + "?f=html"), type: "text/html",
        title: "This collection as a web page"),
      Link(
        "items", addresses.url(path + "/items"), type: "application/geo+json",
        title: "\(title) as GeoJSON"),
      Link(
        "items", addresses.url(path + "/items?f=html"), type: "text/html",
        title: "\(title) as a page"),
      queryables(of: id, addresses), schema(of: id, addresses),
      // The same relation twice (RFC 8288, 2.1): GDAL before 3.7 knows only the second spelling.
      featureSchema("describedby", of: id, addresses),
      featureSchema("describedBy", of: id, addresses),
      Link(
        "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector", addresses.url(path + "/tiles"),
        type: "application/json", title: "\(title) as vector tiles"),
    ]
  }

  /// The links of one page of items.
  package static func links(
    ofPage request: Request, next: String?, of id: String, titled title: String,
    _ addresses: Addresses
  ) -> [Link] {
    let path = "/api/collections/\(id)"
    if request.method == .post { return links(ofSearch: path, next: next, title, id, addresses) }
    let (items, query) = (path + "/items", request.query)
    var links = [
      Link(
        "self", addresses.url(items, query), type: "application/geo+json", title: "This page"),
      Link(
        "alternate", addresses.url(items, query, setting: ("f", "html")), type: "text/html",
        title: "This page of items as a web page"),
      Link("collection", addresses.url(path), type: "application/json", title: title),
      queryables(of: id, addresses), schema(of: id, addresses),
    ]
    if let next {
      links.append(
        Link(
          "next", addresses.url(items, query, setting: ("cursor", next)),
          type: "application/geo+json", title: "Next page"))
    }
    return links
  }

  /// The links of a page of a search. Its next page has the same body with another cursor.
  private static func links(
    ofSearch path: String, next: String?, _ title: String, _ id: String, _ addresses: Addresses
  ) -> [Link] {
    let links = [
      Link("collection", addresses.url(path), type: "application/json", title: title),
      queryables(of: id, addresses), schema(of: id, addresses),
    ]
    guard let next else { return links }
    return links + [
      Link(
        "next", addresses.url(path + "/search"), type: "application/geo+json", title: "Next page",
        posting: ["cursor": .string(next)])
    ]
  }

  private static func queryables(of id: String, _ addresses: Addresses) -> Link {
    Link(
      "http://www.opengis.net/def/rel/ogc/1.0/queryables",
      addresses.url("/api/collections/\(id)/queryables"), type: "application/schema+json",
      title: "Properties for filters")
  }

  private static func schema(of id: String, _ addresses: Addresses) -> Link {
    Link(
      "http://www.opengis.net/def/rel/ogc/1.0/schema",
      addresses.url("/api/collections/\(id)/schema"), type: "application/schema+json",
      title: "All properties of the features")
  }

  private static func featureSchema(
    _ relation: String, of id: String, _ addresses: Addresses
  ) -> Link {
    Link(
      relation, addresses.url("/api/collections/\(id)/feature-schema"),
      type: "application/schema+json", title: "JSON Schema of a feature")
  }

  /// The properties that filters can refer to, as a JSON Schema (Part 3, 6.2).
  package static func queryables(
    _ schemas: [String: JSONValue], id: String, title: String, _ addresses: Addresses
  ) -> Response {
    let properties = schemas.sorted { $0.key < $1.key }
    return schema(
      JSONObject(properties.map { ($0.key, $0.value) }), at: "/api/collections/\(id)/queryables",
      title: title,
      addresses)
  }

  /// A closed JSON Schema of an object with these members.
  package static func schema(
    _ properties: JSONObject, at path: String, title: String, _ addresses: Addresses
  ) -> Response {
    schema(properties, isClosed: true, at: path, title: title, addresses)
  }

  /// The JSON Schema of a whole feature (RFC 7946), from its members in ``schema(_:at:title:_:)``. GDAL reads the types
  /// of its fields from it; it understands only one `type` for each. A property that is null or missing has no value.
  /// Nested values are left out, because GDAL would take them for texts; without a schema it reads them as JSON.
  package static func featureSchema(
    _ members: JSONObject, of id: String, title: String, _ addresses: Addresses
  ) -> Response {
    var properties = members
    let geometry = properties["geometry"] ?? .object(JSONObject())
    let identifier = properties["id"] ?? ["type": "string"]
    (properties["geometry"], properties["id"]) = (nil, nil)
    for (name, schema) in properties.members where isNested(schema) { properties[name] = nil }
    return schema(
      [
        "type": ["type": "string", "const": "Feature"], "id": identifier, "geometry": geometry,
        "properties": ["type": "object", "properties": .object(properties)],
      ], isClosed: false, at: "/api/collections/\(id)/feature-schema", title: title, addresses)
  }

  /// Whether it describes an object, or a list of other values than texts.
  private static func isNested(_ schema: JSONValue) -> Bool {
    switch schema["type"]?.stringValue {
    case "array": schema["items"]?["type"] != "string"
    case "object", nil: true
    default: false
    }
  }

  private static func schema(
    _ properties: JSONObject, isClosed: Bool, at path: String, title: String, _ addresses: Addresses
  ) -> Response {
    var json = JSONWriter()
    json.beginObject()
    json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
    json.member("$id", addresses.url(path))
    json.member("type", "object")
    json.member("title", title)
    json.member("properties", .object(properties))
    if isClosed {
      json.member("additionalProperties", false)
    }
    json.endObject()
    return .json(json.bytes, contentType: "application/schema+json")
  }
}
