import JSON
import Service

/// The OpenAPI schemas of researcher access.
enum ResearchSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      (
        "newResearchAccess",
        Schema.object(
          [
            "project": ["type": "string", "minLength": 1, "maxLength": 120],
            "purpose": ["type": "string", "minLength": 40, "maxLength": 2_000], "until": day,
          ], required: ["project", "purpose", "until"])
      ),
      ("researchAccess", access),
      (
        "researchAccesses",
        Schema.object(
          [
            "requests": Schema.array(Schema.reference("researchAccess")), "until": dayOrNull,
          ], required: ["requests", "until"])
      ),
      (
        "researchRequests",
        Schema.object(
          [
            "requests": Schema.array(Schema.reference("researchAccess")),
            "counts": Schema.anyObject, "next": textOrNull,
          ], required: ["requests", "counts", "next"])
      ),
      (
        "researchDecision",
        Schema.object(
          [
            "decision": ["type": "string", "enum": ["grant", "refuse", "revoke"]],
            "reason": ["type": "string", "minLength": 1, "maxLength": 500], "until": day,
          ], required: ["decision", "reason"])
      ),
    ]
  }

  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let dayOrNull: JSONValue = [
    "type": "string", "format": "date", "nullable": true,
  ]
  private static let textOrNull: JSONValue = ["type": "string", "nullable": true]

  private static var access: JSONValue {
    Schema.object(
      [
        "id": ["type": "string", "format": "uuid"], "project": Schema.text,
        "purpose": Schema.text, "wanted_until": day,
        "state": [
          "type": "string",
          "enum": .array(ResearchAccess.State.allCases.map { .string($0.rawValue) }),
        ],
        "until": dayOrNull, "reason": textOrNull,
        "asked_at": ["type": "string", "format": "date-time"],
        "decided_at": ["type": "string", "format": "date-time", "nullable": true],
        "account": Schema.anyObject,
      ],
      required: [
        "id", "project", "purpose", "wanted_until", "state", "until", "reason", "asked_at",
        "decided_at",
      ])
  }
}
