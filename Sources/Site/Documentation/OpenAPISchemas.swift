import JSON
import Service

/// The `components` of the OpenAPI document, and the schemas that belong to no feature.
enum OpenAPISchemas {
  /// The `components` object, with the schemas of all features.
  static func components(_ features: [JSONSchema.Named]) -> JSONValue {
    [
      "schemas": .object(JSONObject(common + features)),
      "securitySchemes": [
        "session": ["type": "apiKey", "in": "cookie", "name": "farol"],
        "token": ["type": "http", "scheme": "bearer"],
      ],
    ]
  }

  private static var common: [JSONSchema.Named] {
    let fault: JSONSchema = ["field": .text, "detail": .text]
    let maximum = JSONValue.integer(Int64(InvalidInput.maximum))
    return [Link.shape.component, landingPage.component, conformance.component]
      + JSONSchema.named([
        // RFC 9457.
        "problem": [
          "type": .text, "title": .text, "status": .integer, "detail": .text,
          "instance": .text.optional,
          "errors": .list(of: fault).with("maxItems", maximum).optional,
          "more_errors": .flag.optional,
        ],
        "openapi": .object,
      ])
  }

  static let landingPage = JSONShape<(title: String, links: [Link])>(
    "landingPage", .text("title") { $0.title },
    .text("description") { _ in
      "An open map of the connected devices around us and what they collect."
    }, .list("links", of: Link.shape) { $0.links })

  static let conformance = JSONShape<[String]>("conformance", .texts("conformsTo", \.self))
}
