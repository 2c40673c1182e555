package import JSON
import Service

/// JSON schemas of devices, for the OpenAPI document.
package enum DeviceSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      ("device", device(photos: nil)), ("devices", Schema.page(of: "device")),
      ("sentDevice", sentDevice), ("devicePatch", devicePatch), ("location", Schema.point),
    ]
  }

  /// A device in a request. Members that only the server sets may be sent back and are ignored.
  private static var sentDevice: JSONValue {
    Schema.object(
      [
        "type": ["type": "string", "enum": ["Feature"]], "id": Schema.text,
        "geometry": Schema.point,
        "properties": Schema.object(sentProperties, required: ["name", "category"]),
        "links": Schema.links, "comment": Schema.text,
      ], required: ["type", "properties"])
  }

  /// JSON Merge Patch of a device (RFC 7396).
  private static var devicePatch: JSONValue {
    Schema.object([
      "geometry": Schema.point, "properties": Schema.object(sentProperties), "comment": Schema.text,
    ])
  }

  private static var sentProperties: JSONValue {
    var members = DeviceProperty.all.map { property in
      (key: property.name, value: property.schema(nullable: true))
    }
    members += DeviceForm.asides.sorted().map { ($0, ["type": "string", "maxLength": 500]) }
    return .object(JSONObject(members))
  }

  /// A device in a response; `photos` replaces the schema of its photos.
  package static func device(photos: JSONValue?) -> JSONValue {
    let properties = DeviceProperty.all.map { property in
      (
        key: property.name,
        value: property.kind == .photos
          ? photos ?? property.schema(nullable: true)
          : property.schema(nullable: true)
      )
    }
    return Schema.object(
      [
        "type": ["type": "string", "enum": ["Feature"]],
        "id": ["type": "string", "format": "uuid"],
        "geometry": Schema.point, "properties": Schema.object(.object(JSONObject(properties))),
        "links": Schema.links,
      ], required: ["type", "geometry", "properties"])
  }
}

extension DeviceProperty {
  /// The schema of the property's values. With `nullable` it uses OpenAPI 3.0's keyword, which JSON
  /// Schema does not have.
  package func schema(nullable: Bool) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    switch kind {
    case .text: members = [("type", "string")]
    case .integer: members = [("type", "integer")]
    case .number: members = [("type", "number")]
    case .flag: members = [("type", "boolean")]
    case .time: members = [("type", "string"), ("format", "date-time")]
    case .day: members = [("type", "string"), ("format", "date")]
    case .codes: members = [("type", "array"), ("items", ["type": "string"])]
    case .numbers: members = [("type", "array"), ("items", ["type": "number"])]
    case .offeredChoices, .claims: members = [("type", "array"), ("items", ["type": "object"])]
    case .photos: members = [("type", "array"), ("items", PhotoSchemas.shown)]
    case .answersFor, .source, .references, .tags, .registered, .statement:
      members = [("type", "object")]
    }
    if nullable { members.append(("nullable", true)) }
    return .object(JSONObject(members))
  }
}
