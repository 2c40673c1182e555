import JSON
import PrivacyMap
import SpatialDatabase

/// Moderation actions on people: warn, suspend, unsuspend.
extension Moderation {
  /// The suspension columns of an account.
  private struct Suspension {
    let at, until, reason: String?

    var json: JSONValue {
      [
        "at": at.map { .string($0) } ?? .null, "until": until.map { .string($0) } ?? .null,
        "reason": reason.map { .string($0) } ?? .null,
      ]
    }

    init(at: String?, until: String?, reason: String?) {
      self.at = at
      self.until = until
      self.reason = reason
    }

    init(_ json: JSONValue) {
      at = json["at"]?.stringValue
      until = json["until"]?.stringValue
      reason = json["reason"]?.stringValue
    }

    /// - Returns: nil if the account does not exist.
    init?(of account: Int64, _ connection: borrowing Connection) throws {
      let found = try connection.first(
        """
        SELECT suspended_at, suspended_until, suspended_reason FROM account WHERE rowid = ?
        """, [.integer(account)]
      ) { row in
        Suspension(
          at: row.optionalText(0), until: row.optionalText(1), reason: row.optionalText(2))
      }
      guard let found else { return nil }
      self = found
    }

    func holds(at now: Timestamp) -> Bool {
      at != nil && (until.flatMap { Timestamp(text: $0) }.map { $0 > now } ?? true)
    }

    func write(to account: Int64, _ connection: borrowing Connection) throws {
      try connection.execute(
        """
        UPDATE account SET suspended_at = ?, suspended_until = ?, suspended_reason = ?
        WHERE rowid = ?
        """, [SQLValue(at), SQLValue(until), SQLValue(reason), .integer(account)])
    }
  }

  func sanction(
    _ request: ActRequest, _ subject: Subject, _ connection: borrowing Connection
  ) throws -> Decision {
    try sanction(
      request.action, subject, days: request.days, reason: request.reason, connection)
  }

  /// Warns, suspends or unsuspends. Sessions stay valid: a suspended user can read, download their data
  /// and delete the account.
  func sanction(
    _ action: ModerationAction, _ subject: Subject, days: Int?, reason: String,
    _ connection: borrowing Connection
  ) throws -> Decision {
    guard let account = subject.author,
      let before = try Suspension(of: account, connection)
    else { throw NotFound.account }
    let now = map.surroundings.now()
    var decision = Decision(
      author: account, flags: .of(subject.target),
      notice: .person(template: "warned", arguments: [:]))
    switch action {
    case .suspend:
      let until = days.map {
        Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Int64($0) * 86_400)
      }
      try Suspension(at: now.text, until: until?.text, reason: reason)
        .write(to: account, connection)
      decision.notice = .person(
        template: "suspended", arguments: ["until": until?.day.text ?? ""])
    case .unsuspend:
      guard before.holds(at: now) else { throw Refusal.overtaken("error.act.not_suspended") }
      try Suspension(at: nil, until: nil, reason: nil).write(to: account, connection)
      decision.flags = nil
      decision.notice = .person(template: "unsuspended", arguments: [:])
    default: break
    }
    decision.undo = before.json
    return decision
  }

  /// Undoes a suspension or its end: the account gets its previous state.
  func takeBackSanction(
    _ act: Act, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    guard let account = subject.author else { throw NotFound.account }
    guard act.action != .warn else { return }
    try Suspension(act.undo).write(to: account, connection)
  }
}
