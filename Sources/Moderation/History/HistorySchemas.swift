import Devices
import JSON
import Service

/// JSON schemas of the history of devices, for the OpenAPI document.
enum HistorySchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      ("pastDevice", DeviceSchemas.device(photos: PhotoSchemas.past)), ("history", history),
      ("revision", revision), ("restore", Schema.object(["comment": Schema.text])),
    ]
  }

  private static var history: JSONValue {
    Schema.object(
      [
        "revisions": Schema.array(Schema.reference("revision")),
        "next": Schema.number(nullable: true),
      ],
      required: ["revisions", "next"])
  }

  private static var revision: JSONValue {
    let change = Schema.object(
      ["field": Schema.text, "before": ["nullable": true], "after": ["nullable": true]],
      required: ["field", "before", "after"])
    return Schema.object(
      [
        "number": Schema.number(nullable: false), "kind": Schema.text,
        "made_at": ["type": "string", "format": "date-time"],
        "author": ["type": "string", "nullable": true],
        "comment": ["type": "string", "nullable": true], "changed": Schema.array(Schema.text),
        "import": Schema.number(nullable: true), "changes": Schema.array(change),
        "feature": Schema.reference("pastDevice"),
      ], required: ["number", "kind", "made_at", "author", "comment", "changed", "import"])
  }
}
