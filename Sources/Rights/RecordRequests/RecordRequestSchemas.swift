import JSON
import Service

/// JSON schemas of requests and responses about data requests, for the OpenAPI document.
enum RecordRequestSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      (
        "newDataRequest",
        Schema.object(
          [
            "username": Schema.text, "operator": Schema.text, "reason": longText,
            "fields": fields, "days": ["type": "integer", "minimum": 1, "maximum": 365],
            "subscribe": ["type": "boolean", "default": false],
          ], required: ["reason", "fields", "days"])
      ),
      (
        "dataRequestAnswer",
        Schema.object(
          [
            "accept": flag, "fields": fields, "from": day, "to": day, "until": day,
            "subscribe": flag, "note": longText,
          ], required: ["accept"])
      ),
      ("dataRequestNote", Schema.object(["note": longText])),
      ("dataRequest", request),
      (
        "dataRequests",
        Schema.object(
          [
            "requests": Schema.array(Schema.reference("dataRequest")),
            "counts": Schema.anyObject, "next": orNull(Schema.text),
          ], required: ["requests", "counts", "next"])
      ),
      (
        "dataRecords",
        Schema.object(
          [
            "username": Schema.text, "records": Schema.array(Schema.anyObject),
            "next": orNull(Schema.text), "since": orNull(Schema.text),
          ], required: ["username", "records", "next", "since"])
      ),
    ]
  }

  private static var request: JSONValue {
    let side = orNull(
      Schema.object(
        ["username": orNull(Schema.text), "organisation": orNull(Schema.text)],
        required: ["username", "organisation"]))
    return Schema.object(
      [
        "id": ["type": "string", "format": "uuid"], "from": side, "to": side,
        "reason": Schema.text, "fields": fields, "days": ["type": "integer"], "subscribe": flag,
        "asked_at": time, "lapses_on": day,
        "state": words(RecordRequest.State.allCases.map(\.rawValue)),
        "granted": orNull(
          Schema.object(
            [
              "fields": fields, "from": orNull(day), "to": orNull(day), "until": day,
              "subscribed": flag,
            ], required: ["fields", "from", "to", "until", "subscribed"])),
        "answered_at": orNull(time), "ended_at": orNull(time), "note": orNull(Schema.text),
        "seen": Schema.array(
          Schema.object(
            ["at": time, "fields": fields, "count": ["type": "integer"]],
            required: ["at", "fields", "count"])),
      ],
      required: [
        "id", "from", "to", "reason", "fields", "asked_at", "lapses_on", "state", "granted",
        "answered_at", "seen",
      ])
  }

  private static let flag: JSONValue = ["type": "boolean"]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let longText: JSONValue = ["type": "string", "maxLength": 2_000]
  private static var fields: JSONValue {
    Schema.array(words(RecordRequest.Field.allCases.map(\.rawValue)))
  }

  private static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static func orNull(_ schema: JSONValue) -> JSONValue {
    guard var object = schema.objectValue else { return schema }
    object["nullable"] = true
    return .object(object)
  }
}
