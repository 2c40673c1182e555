import JSON
import Service

/// The OpenAPI schemas of moderation requests and responses.
enum ModerationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    [
      ("flag", flag(about: true)), ("deviceFlag", flag(about: false)), ("report", report),
      ("flagged", OpenAPISchemas.object(["id": id], required: ["id"])), ("action", action),
      ("deletion", deletion),
      (
        "acted",
        OpenAPISchemas.object(
          [
            "id": id, "action": text, "undone": flag, "dry_run": flag,
            "counts": OpenAPISchemas.anyObject,
          ])
      ), ("why", OpenAPISchemas.object(["reason": reason], required: ["reason"])),
      ("queue", queue), ("log", log),
    ]
  }

  private static let id: JSONValue = ["type": "string", "format": "uuid"]
  private static let text = OpenAPISchemas.text
  private static let flag: JSONValue = ["type": "boolean"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let reason: JSONValue = ["type": "string", "minLength": 1, "maxLength": 500]
  private static let time: JSONValue = ["type": "string", "format": "date-time", "nullable": true]

  private static func codes(_ codes: [String]) -> JSONValue {
    ["type": "string", "enum": .array(codes.map { .string($0) })]
  }

  private static func target(_ kinds: [Target.Kind], more: [(String, JSONValue)] = []) -> JSONValue
  {
    OpenAPISchemas.object(
      .object(
        JSONObject([("type", codes(kinds.map(\.rawValue))), ("id", text)] + more)),
      required: ["type", "id"])
  }

  private static func flag(about target: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("reason", codes(FlagStore.Reason.allCases.map(\.rawValue))),
      ("note", ["type": "string", "maxLength": 1_000, "nullable": true]),
    ]
    if target { members.append(("target", Self.target(Target.Kind.pointedAt))) }
    return OpenAPISchemas.object(
      .object(JSONObject(members)), required: target ? ["target", "reason"] : ["reason"])
  }

  private static var report: JSONValue {
    OpenAPISchemas.object(
      [
        "target": target(Target.Kind.pointedAt),
        "reason": codes(FlagStore.Reason.allCases.map(\.rawValue)),
        "note": ["type": "string", "minLength": 1, "maxLength": 1_000],
        "email": ["type": "string", "format": "email", "nullable": true],
        "locale": ["type": "string", "nullable": true],
      ], required: ["target", "reason", "note"])
  }

  private static var action: JSONValue {
    let part: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]
    let region = OpenAPISchemas.object(
      ["x": part, "y": part, "width": part, "height": part],
      required: ["x", "y", "width", "height"])
    return OpenAPISchemas.object(
      [
        "action": codes(ModerationAction.requested.map(\.rawValue)),
        "target": target(
          Target.Kind.allCases,
          more: [
            ("revision", integer), ("into", id), ("days", integer),
            ("regions", OpenAPISchemas.array(region)), ("all", flag),
          ]), "reason": reason, "dry_run": flag, "version": text,
      ], required: ["action", "target", "reason"])
  }

  private static var queue: JSONValue {
    let item = OpenAPISchemas.object(
      [
        "id": text, "version": text, "kind": codes(QueueStore.Kind.allCases.map(\.rawValue)),
        "severity": codes(["high", "normal"]), "opened_at": time, "count": integer,
        "target": target(Target.Kind.allCases), "device": nullableObject, "photo": nullableObject,
        "account": nullableObject, "reasons": OpenAPISchemas.array(OpenAPISchemas.anyObject),
        "revision": ["type": "integer", "nullable": true],
        "changes": [
          "type": "array", "items": OpenAPISchemas.anyObject, "nullable": true,
        ], "verdict": nullableObject,
      ])
    return OpenAPISchemas.object(
      [
        "items": OpenAPISchemas.array(item), "counts": OpenAPISchemas.anyObject, "next": next,
      ], required: ["items", "counts", "next"])
  }

  private static var log: JSONValue {
    let entry = OpenAPISchemas.object(
      [
        "id": ["type": "string", "nullable": true], "at": time,
        "actor": ["type": "string", "nullable": true], "action": text, "target": nullableObject,
        "reason": ["type": "string", "nullable": true], "undone_at": time,
      ])
    return OpenAPISchemas.object(
      ["entries": OpenAPISchemas.array(entry), "next": next], required: ["entries", "next"])
  }

  private static let next: JSONValue = ["type": "string", "nullable": true]
  private static let nullableObject: JSONValue = ["type": "object", "nullable": true]

  private static var deletion: JSONValue {
    OpenAPISchemas.object(
      [
        "reason": ["type": "string", "minLength": 1, "maxLength": 500],
        "code": OpenAPISchemas.oneOf(DeletionRoutes.codes), "purge": ["type": "boolean"],
      ], required: ["reason"])
  }
}
