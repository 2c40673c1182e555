import JSON
import PrivacyMap

/// The schemas of requests and responses, in the JSON Schema dialect of OpenAPI 3.0.
enum OpenAPISchemas {
  /// The `components` object.
  static var components: JSONValue {
    [
      "schemas": .object(JSONObject(schemas)),
      "securitySchemes": [
        "session": ["type": "apiKey", "in": "cookie", "name": "farol"],
        "token": ["type": "http", "scheme": "bearer"],
      ],
    ]
  }

  private static var schemas: [(key: String, value: JSONValue)] {
    [
      ("problem", problem), ("link", link), ("landingPage", landingPage),
      ("conformance", object(["conformsTo": array(text)], required: ["conformsTo"])),
      ("collections", object(["collections": array(reference("collection")), "links": links])),
      ("collection", collection), ("queryables", anyObject), ("openapi", anyObject),
      ("feature", feature), ("features", features),
      ("device", device(photos: nil)), ("pastDevice", device(photos: PhotoSchemas.past)),
      ("devices", devices), ("sentDevice", sentDevice),
      ("devicePatch", devicePatch), ("location", point), ("history", history),
      ("revision", revision), ("restore", object(["comment": text])),
      ("claims", claims), ("verdict", verdict), ("deletion", deletion), ("tilejson", anyObject),
      ("tileset", anyObject), ("tilesets", anyObject), ("tileMatrixSet", anyObject),
      ("places", object(["places": array(anyObject)], required: ["places"])),
      ("taxonomies", anyObject), ("taxonomy", anyObject), ("settings", anyObject),
      ("tableDescription", anyObject), ("feed", anyObject),
      ("snapshots", anyObject),
      (
        "deviceFile",
        object(
          [
            "type": ["type": "string", "enum": ["FeatureCollection"]], "features": array(anyObject),
          ],
          required: ["type", "features"])
      ),
      (
        "osmFile",
        object(
          ["version": ["type": "number"], "elements": array(anyObject)],
          required: ["version", "elements"])
      ),
      (
        "health",
        object(
          ["status": text, "countries": ["type": "string", "enum": ["ready", "missing"]]],
          required: ["status"])
      ),
    ] + AccountSchemas.all + PhotoSchemas.all + ModerationSchemas.all + AdministrationSchemas.all
      + ChoiceSchemas.all + OutcomeSchemas.all
      + StatisticsSchemas.all + PeopleSchemas.all + DataRequestSchemas.all
      + OrganisationSchemas.all + ResearchSchemas.all
  }

  static let text: JSONValue = ["type": "string"]
  static let anyObject: JSONValue = ["type": "object"]
  private static var links: JSONValue { array(reference("link")) }

  static func array(_ items: JSONValue) -> JSONValue {
    ["type": "array", "items": items]
  }

  static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static func object(
    _ properties: JSONValue, required: [String] = []
  ) -> JSONValue {
    required.isEmpty
      ? ["type": "object", "properties": properties]
      : [
        "type": "object", "properties": properties,
        "required": .array(required.map { .string($0) }),
      ]
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

  private static var collection: JSONValue {
    object(
      [
        "id": text, "title": text, "description": text, "itemType": text, "extent": anyObject,
        "crs": array(text), "storageCrs": text, "links": links,
      ], required: ["id", "links"])
  }

  private static var feature: JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["Feature"]], "id": text,
        "geometry": ["type": "object", "nullable": true], "properties": anyObject,
        "links": links,
      ], required: ["type", "id", "geometry", "properties"])
  }

  private static var features: JSONValue { page(of: "feature") }
  private static var devices: JSONValue { page(of: "device") }

  private static func page(of schema: String) -> JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["FeatureCollection"]],
        "features": array(reference(schema)), "links": links,
        "timeStamp": ["type": "string", "format": "date-time"],
        "numberMatched": ["type": "integer", "minimum": 0],
        "numberReturned": ["type": "integer", "minimum": 0],
      ], required: ["type", "features"])
  }

  private static var point: JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["Point"]],
        "coordinates": [
          "type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"],
        ],
      ], required: ["type", "coordinates"])
  }

  /// A device in a request. Members that only the server sets may be sent back and are ignored.
  private static var sentDevice: JSONValue {
    object(
      [
        "type": ["type": "string", "enum": ["Feature"]], "id": text,
        "geometry": point, "properties": object(sentProperties, required: ["name", "category"]),
        "links": links, "comment": text,
      ], required: ["type", "properties"])
  }

  /// JSON Merge Patch of a device (RFC 7396).
  private static var devicePatch: JSONValue {
    object(["geometry": point, "properties": object(sentProperties), "comment": text])
  }

  private static var claims: JSONValue {
    let claim = object(
      [
        "claim": oneOf(Claim.allCases.map(\.rawValue)),
        "verdict": oneOf(ClaimState.Outcome.allCases.map(\.rawValue)),
        "basis": array(oneOf(ClaimBasis.allCases.map(\.rawValue))),
        "confirmations": number(nullable: false), "disputes": number(nullable: false),
        "last_at": ["type": "string", "format": "date", "nullable": true],
        "stale_on": ["type": "string", "format": "date"],
        "mine": ["type": "string", "nullable": true],
      ])
    return object(
      [
        "claims": array(claim), "status": text,
        "last_confirmed": ["type": "string", "format": "date-time", "nullable": true],
        "stale_on": ["type": "string", "format": "date"],
      ], required: ["claims"])
  }

  private static var verdict: JSONValue {
    object(
      [
        "claim": oneOf(Claim.allCases.map(\.rawValue)), "verdict": oneOf(["confirm", "dispute"]),
        "basis": oneOf(ClaimBasis.allCases.map(\.rawValue)),
        "note": ["type": "string", "maxLength": 500],
      ], required: ["claim", "verdict", "basis"])
  }

  private static var deletion: JSONValue {
    object(
      [
        "reason": ["type": "string", "minLength": 1, "maxLength": 500],
        "code": oneOf(DeletionRoutes.codes), "purge": ["type": "boolean"],
      ], required: ["reason"])
  }

  private static func oneOf(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static var history: JSONValue {
    object(
      ["revisions": array(reference("revision")), "next": number(nullable: true)],
      required: ["revisions", "next"])
  }

  private static var revision: JSONValue {
    let change = object(
      ["field": text, "before": ["nullable": true], "after": ["nullable": true]],
      required: ["field", "before", "after"])
    return object(
      [
        "number": number(nullable: false), "kind": text,
        "made_at": ["type": "string", "format": "date-time"],
        "author": ["type": "string", "nullable": true],
        "comment": ["type": "string", "nullable": true], "changed": array(text),
        "import": number(nullable: true), "changes": array(change),
        "feature": reference("pastDevice"),
      ], required: ["number", "kind", "made_at", "author", "comment", "changed", "import"])
  }

  private static func number(nullable: Bool) -> JSONValue {
    nullable ? ["type": "integer", "nullable": true] : ["type": "integer"]
  }

  private static var sentProperties: JSONValue {
    var members = DeviceProperty.all.map { property in
      (key: property.name, value: property.schema(nullable: true))
    }
    members += DeviceForm.asides.sorted().map { ($0, ["type": "string", "maxLength": 500]) }
    return .object(JSONObject(members))
  }

  /// A device in a response; `photos` replaces the schema of its photos.
  private static func device(photos: JSONValue?) -> JSONValue {
    let properties = DeviceProperty.all.map { property in
      (
        key: property.name,
        value: property.kind == .photos
          ? photos ?? property.schema(nullable: true)
          : property.schema(nullable: true)
      )
    }
    return object(
      [
        "type": ["type": "string", "enum": ["Feature"]],
        "id": ["type": "string", "format": "uuid"],
        "geometry": point, "properties": object(.object(JSONObject(properties))), "links": links,
      ], required: ["type", "geometry", "properties"])
  }
}

extension DeviceProperty {
  /// The schema of the property's values. With `nullable` it uses OpenAPI 3.0's keyword, which JSON
  /// Schema does not have.
  func schema(nullable: Bool) -> JSONValue {
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
