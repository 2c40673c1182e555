import JSON
import Service

/// The OpenAPI schemas of moderation requests and responses.
enum ModerationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    let reason = JSONSchema.text(1...500)
    let target = target(Target.Kind.pointedAt)
    let code = JSONSchema.oneOf(FlagStore.Reason.self)
    let note = JSONSchema.text(maximum: 1_000).orNull.optional
    return JSONSchema.named([
      "flag": ["reason": code, "note": note, "target": .object(target)],
      "deviceFlag": ["reason": code, "note": note],
      "report": [
        "target": .object(target), "reason": code, "note": .text(1...1_000),
        "email": .email.orNull.optional, "locale": .text.orNull.optional,
      ],
      "action": [
        "action": .oneOf(ModerationAction.requested.map(\.rawValue)), "target": actionTarget,
        "reason": reason.optional, "dry_run": .flag.optional, "version": .text.optional,
      ],
      "deletion": [
        "reason": reason, "message": reason.optional,
        "code": .oneOf(DeletionRoutes.codes).optional, "purge": .flag.optional,
      ],
      "why": ["reason": reason],
    ]) + [
      FlagRoutes.flagged.component, ModerationActionRoutes.acted.component,
      QueueJSON.page.component, LogRoutes.page.component,
    ]
  }

  private static func target(_ kinds: [Target.Kind]) -> [(String, JSONSchema)] {
    [("type", .oneOf(kinds.map(\.rawValue))), ("id", .text)]
  }

  private static var actionTarget: JSONSchema {
    let part = JSONSchema.number.with("minimum", 0).with("maximum", 1)
    let region: JSONSchema = ["x": part, "y": part, "width": part, "height": part]
    return .object(
      target(Target.Kind.allCases) + [
        ("revision", .integer.optional), ("into", .uuid.optional), ("days", .integer.optional),
        ("regions", .list(of: region).optional), ("all", .flag.optional),
      ])
  }
}
