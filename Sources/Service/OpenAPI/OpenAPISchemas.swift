package import JSON

/// Builders of JSON schemas in the dialect of OpenAPI 3.0, and the schemas that belong to no feature.
package enum OpenAPISchemas {
  /// The `components` object, with the schemas of all features.
  package static func components(_ features: [(key: String, value: JSONValue)]) -> JSONValue {
    [
      "schemas": .object(JSONObject(common + features)),
      "securitySchemes": [
        "session": ["type": "apiKey", "in": "cookie", "name": "farol"],
        "token": ["type": "http", "scheme": "bearer"],
      ],
    ]
  }

  private static var common: [(key: String, value: JSONValue)] {
    [
      ("problem", problem), ("link", link), ("landingPage", landingPage),
      ("conformance", object(["conformsTo": array(text)], required: ["conformsTo"])),
      ("openapi", anyObject),
    ]
  }

  package static let text: JSONValue = ["type": "string"]
  package static let anyObject: JSONValue = ["type": "object"]
  package static var links: JSONValue { array(reference("link")) }

  package static func array(_ items: JSONValue) -> JSONValue {
    ["type": "array", "items": items]
  }

  package static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  package static func object(
    _ properties: JSONValue, required: [String] = []
  ) -> JSONValue {
    required.isEmpty
      ? ["type": "object", "properties": properties]
      : [
        "type": "object", "properties": properties,
        "required": .array(required.map { .string($0) }),
      ]
  }

  /// A page of features.
  package static func page(of schema: String) -> JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["FeatureCollection"]],
        "features": array(reference(schema)), "links": links,
        "timeStamp": ["type": "string", "format": "date-time"],
        "numberMatched": ["type": "integer", "minimum": 0],
        "numberReturned": ["type": "integer", "minimum": 0],
      ], required: ["type", "features"])
  }

  /// A GeoJSON point.
  package static var point: JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["Point"]],
        "coordinates": [
          "type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"],
        ],
      ], required: ["type", "coordinates"])
  }

  /// One of the words.
  package static func oneOf(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  /// An integer.
  package static func number(nullable: Bool) -> JSONValue {
    nullable ? ["type": "integer", "nullable": true] : ["type": "integer"]
  }

  /// RFC 9457.
  private static var problem: JSONValue {
    object(
      [
        "type": text, "title": text, "status": ["type": "integer"], "detail": text,
        "instance": text,
        "errors": [
          "type": "array", "maxItems": .integer(Int64(InvalidInput.most)),
          "items": object(["field": text, "detail": text], required: ["field", "detail"]),
        ],
        "more_errors": ["type": "boolean"],
      ], required: ["type", "title", "status", "detail"])
  }

  private static var link: JSONValue {
    object(
      ["href": text, "rel": text, "type": text, "title": text], required: ["href", "rel"])
  }

  private static var landingPage: JSONValue {
    object(["title": text, "description": text, "links": links], required: ["links"])
  }
}
