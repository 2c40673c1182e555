import JSON
import PrivacyMap
import Service

/// JSON schemas of requests and responses about choices, for the OpenAPI document.
enum ChoiceSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] { requests + answers }

  private static var requests: [(key: String, value: JSONValue)] {
    [
      (
        "newChoice",
        Schema.object(
          [
            "device": uuid, "kind": Schema.text, "country": country, "language": Schema.text,
            "details": texts, "note": note, "reminders": ["type": "boolean", "default": true],
          ], required: ["device", "kind"])
      ),
      (
        "choiceChange",
        Schema.object([
          "details": texts, "language": Schema.text, "note": note,
          "reminders": ["type": "boolean"], "reply_link": ["type": "boolean"],
        ])
      ),
      (
        "choiceEvent",
        Schema.object(
          [
            "event": words(LedgerEvent.allCases.map(\.rawValue)), "at": Schema.text, "note": note,
            "reason": ["type": "string", "maxLength": 500],
            "channel": words(RequestChannel.ofRequests.map(\.rawValue)), "received_on": day,
          ], required: ["event"])
      ),
      (
        "choiceImport",
        Schema.object(
          [
            "choices": ["type": "array", "maxItems": 200, "items": Schema.anyObject],
            // Other members of a page of choices; ignored.
            "next": orNull(Schema.text), "due": Schema.array(uuid), "counts": Schema.anyObject,
          ], required: ["choices"])
      ),
    ]
  }

  private static var answers: [(key: String, value: JSONValue)] {
    [
      ("choice", choice),
      (
        "choices",
        Schema.object(
          [
            "choices": Schema.array(Schema.reference("choice")), "next": orNull(Schema.text),
            "due": Schema.array(uuid), "counts": Schema.anyObject,
          ], required: ["choices", "next", "due", "counts"])
      ),
      (
        "importedChoices",
        Schema.object(
          [
            "imported": Schema.array(uuid), "present": Schema.array(uuid),
            "refused": Schema.array(
              Schema.object(["id": uuid, "detail": Schema.text], required: ["id", "detail"])),
          ], required: ["imported", "present", "refused"])
      ),
      ("letter", letter), ("choiceRecord", Schema.anyObject),
      (
        "deviceChoices",
        Schema.object(
          [
            "offered": Schema.array(Schema.anyObject), "rights": Schema.anyObject,
            "letters": texts,
            "practice": Schema.object(
              [
                "operator": orNull(Schema.anyObject), "category": orNull(Schema.anyObject),
              ], required: ["operator", "category"]),
          ], required: ["offered", "rights", "letters", "practice"])
      ),
      (
        "globalPrivacyControl",
        Schema.object(
          ["gpc": ["type": "boolean"], "lastUpdate": day], required: ["gpc", "lastUpdate"])
      ),
    ]
  }

  private static var choice: JSONValue {
    Schema.object(
      [
        "id": uuid, "device": Schema.anyObject, "kind": Schema.text,
        "right": orNull(Schema.text), "letter": orNull(Schema.text),
        "regime": orNull(Schema.text), "country": orNull(country), "language": Schema.text,
        "channel": orNull(Schema.text), "state": words(LedgerState.allCases.map(\.rawValue)),
        "overdue": ["type": "boolean"], "received_on": orNull(day), "due_on": orNull(day),
        "extended_until": orNull(day), "deadline": Schema.anyObject,
        "operator": orNull(Schema.anyObject), "details": texts, "note": orNull(Schema.text),
        "created_at": time, "updated_at": time,
        "next": Schema.array(words(LedgerEvent.allCases.map(\.rawValue))),
        "events": Schema.array(Schema.anyObject), "reminders": ["type": "boolean"],
        "reply_link": ["type": "boolean"], "farol": orNull(Schema.anyObject),
      ],
      required: [
        "id", "device", "kind", "state", "overdue", "due_on", "next", "events", "reminders",
      ])
  }

  private static var letter: JSONValue {
    let field = Schema.object(
      ["placeholder": Schema.text, "label": Schema.text, "required": ["type": "boolean"]],
      required: ["placeholder", "label"])
    return Schema.object(
      [
        "letter": Schema.text, "language": Schema.text, "subject": Schema.text,
        "body": Schema.text, "missing": Schema.array(field), "fields": Schema.array(field),
        "to": Schema.anyObject, "mailto": orNull(Schema.text),
      ], required: ["letter", "language", "subject", "body", "missing", "fields", "to", "mailto"])
  }

  private static let uuid: JSONValue = ["type": "string", "format": "uuid"]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let note: JSONValue = ["type": "string", "maxLength": 2_000]
  private static let country: JSONValue = ["type": "string", "minLength": 2, "maxLength": 2]
  private static let texts: JSONValue = [
    "type": "object", "additionalProperties": ["type": "string"],
  ]

  private static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static func orNull(_ schema: JSONValue) -> JSONValue {
    guard var object = schema.objectValue else { return schema }
    object["nullable"] = true
    return .object(object)
  }
}
