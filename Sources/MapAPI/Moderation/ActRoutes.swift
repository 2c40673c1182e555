import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `POST /api/moderation/actions`: decisions, and taking them back.
struct ActRoutes: Sendable {
  let moderation: Moderation

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "act", .post, "/api/moderation/actions", tag: "Keeping order",
        summary: "Decides: hides, restores, reverts, redacts, merges, warns, suspends, dismisses.",
        access: .moderator, body: .json("action"),
        answers: [
          .ok("What was done, and its id to take it back by.", schema: "acted"), overtaken,
          .stale,
        ],
        .slow(act)),
      Endpoint(
        "undoAct", .post, "/api/moderation/actions/{id}/undo", tag: "Keeping order",
        summary: "Takes a decision back.", access: .moderator,
        parameters: [.path("id", .text(maxLength: 100), "The UUID of the decision.")],
        body: .json("why"),
        answers: [.ok("What was taken back.", schema: "acted"), overtaken], .slow(undo)),
    ]
  }

  private var overtaken: Endpoint.Answer {
    .refusal(409, "Somebody was faster, or it changed since: look again.")
  }

  @Sendable private func act(_ request: Request, _ caller: Caller) throws -> Response {
    let wanted = try ActRequest(request)
    switch (wanted.action, wanted.target.kind) {
    case (.revert, .account):
      let revert = PersonRevert(moderation: moderation)
      if wanted.isDryRun {
        let counts = try revert.preview(of: wanted.target, for: caller)
        return .json(["dry_run": true, "counts": counts.json])
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

  /// The picture is drawn before the transaction, which nobody then waits for.
  private func redact(_ wanted: ActRequest, _ caller: Caller) throws -> Act {
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
    _ act: Act, isUndone: Bool, counts: PersonRevert.Counts? = nil
  ) -> Response {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(act.id)), ("action", .string(act.action.rawValue)),
      ("undone", .bool(isUndone)),
    ]
    if let counts { members.append(("counts", counts.json)) }
    return .json(.object(JSONObject(members)))
  }
}
