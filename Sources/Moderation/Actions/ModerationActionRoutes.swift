import DevicePhotos
import Accounts
import Devices
import Service
import SpatialDatabase
import WebServer

/// `POST /api/moderation/actions`: moderation actions, and undoing them.
struct ModerationActionRoutes: Sendable {
  let moderation: Moderation

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "act", .post, "/api/moderation/actions", tag: "Moderation",
        summary: "Performs a moderation action, such as hide, revert, merge or suspend.",
        access: .moderator, body: .json("action"),
        answers: [
          .ok("The action performed, with the id to undo it.", schema: "acted"), overtaken,
          .stale,
        ],
        .slow(act)),
      Endpoint(
        "undoAct", .post, "/api/moderation/actions/{id}/undo", tag: "Moderation",
        summary: "Undoes a moderation action.", access: .moderator,
        parameters: [.path("id", .text(maxLength: 100), "The UUID of the action.")],
        body: .json("why", limit: Endpoint.Body.smallLimit),
        answers: [.ok("The action undone.", schema: "acted"), overtaken], .slow(undo)),
    ]
  }

  private var overtaken: Endpoint.Answer {
    .refusal(409, "The target was changed or decided in the meantime. Load it again.")
  }

  @Sendable private func act(_ request: Request, _ caller: Caller) throws -> Response {
    let wanted = try ModerationActionRequest(request)
    switch (wanted.action, wanted.target.kind) {
    case (.revert, .account):
      let revert = PersonRevert(moderation: moderation)
      if wanted.isDryRun {
        let counts = try revert.preview(of: wanted.target, for: caller)
        return .json((nil, false, counts), as: Self.acted)
      }
      let (act, counts) = try revert.perform(wanted, by: caller)
      return answer(act, isUndone: false, counts: counts)
    case (.redact, _): return answer(try redact(wanted, caller), isUndone: false)
    default:
      let act = try moderation.map.write { connection in
        try moderation.perform(wanted, by: caller, connection)
      }
      return answer(act, isUndone: false)
    }
  }

  /// The picture is redacted before the transaction, so that other writers do not wait for it.
  private func redact(_ wanted: ModerationActionRequest, _ caller: Caller) throws
    -> ModerationActionRecord
  {
    let redaction = moderation.redaction
    let picture = try redaction.prepare(wanted.target.id, wanted.regions, for: caller)
    do {
      return try moderation.map.write { connection in
        try moderation.perform(wanted, showing: picture, by: caller, connection)
      }
    } catch {
      redaction.discard(picture)
      throw error
    }
  }

  @Sendable private func undo(_ request: Request, _ caller: Caller) throws -> Response {
    var body = try RequestBody(request, ["reason"])
    let reason = body.reason()
    try body.check()
    let act = try moderation.takeBack(
      request.parameter("id"), reason: try reason.given(), by: caller)
    return answer(act, isUndone: true)
  }

  private func answer(
    _ act: ModerationActionRecord, isUndone: Bool, counts: PersonRevert.Counts? = nil
  ) -> Response {
    .json((act, isUndone, counts), as: Self.acted)
  }

  /// An action, or without one the preview of its effects.
  static let acted = JSONShape<
    (act: ModerationActionRecord?, isUndone: Bool, counts: PersonRevert.Counts?)
  >(
    "acted", .uuid("id") { $0.act?.id }.optional,
    .text("action") { $0.act?.action.rawValue }.optional,
    .flag("undone") { $0.act == nil ? nil : $0.isUndone }.optional,
    .flag("dry_run") { $0.act == nil ? true : nil }.optional,
    .object("counts", PersonRevert.Counts.shape) { $0.counts }.optional)
}
