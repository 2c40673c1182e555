import Accounts
import Devices
import JSON
import PrivacyMap
import Service
package import SpatialDatabase

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
      guard let found = try AccountStore().storedSuspension(of: account, connection) else {
        return nil
      }
      self.init(at: found.at, until: found.until, reason: found.reason)
    }

    func holds(at now: Timestamp) -> Bool {
      at != nil && (until.flatMap { Timestamp(text: $0) }.map { $0 > now } ?? true)
    }

    func write(to account: Int64, _ connection: borrowing Connection) throws {
      try AccountStore().setSuspension((at, until, reason), of: account, connection)
    }
  }

  func sanction(
    _ request: ModerationActionRequest, _ subject: Subject, _ connection: borrowing Connection
  ) throws -> Decision {
    try sanction(
      request.action, subject, days: request.days, reason: request.reason, connection)
  }

  /// Warns, suspends or unsuspends. Sessions stay valid: a suspended user can read, download their data
  /// and delete the account.
  package func sanction(
    _ action: ModerationAction, _ subject: Subject, days: Int?, reason: String,
    _ connection: borrowing Connection
  ) throws -> Decision {
    guard let account = subject.author,
      let before = try Suspension(of: account, connection)
    else { throw NotFound.account }
    let now = map.environment.now()
    var decision = Decision(
      author: account, flags: .of(subject.target),
      notice: .person(template: "warned", arguments: [:]))
    switch action {
    case .suspend:
      let until = days.map {
        now.later(Seconds.days(Int64($0)))
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
    _ act: ModerationActionRecord, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    guard let account = subject.author else { throw NotFound.account }
    guard act.action != .warn else { return }
    try Suspension(act.undo).write(to: account, connection)
  }
}
