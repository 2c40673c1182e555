import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Taking acts back.
extension Moderation {
  private static var batchSize: Int { 100 }

  /// Takes an act back: what it changed is as it was, what it closed is open again.
  ///
  /// - Throws: ``NotFound`` where there is none, a 403 or a 409 ``Refusal`` where it was taken back
  ///   already or things have moved on.
  func takeBack(_ id: String, reason: String, by caller: Caller) throws -> Act {
    let principal = try caller.signedIn()
    let act = try map.database.read { try acts.act(DeviceID(text: id)?.text ?? id, $0) }
    try check(act, by: principal)
    if act.action == .revert {
      var last: Int64? = 0
      while let after = last {
        last = try map.write { connection in
          try takeBackRevisions(of: act, after: after, limit: Self.batchSize, connection)
        }
      }
    }
    return try map.write { connection in
      let act = try acts.act(act.id, connection)
      try check(act, by: principal)
      try change(act, caller, reason: reason, connection)
      try acts.markUndone(act, reason: reason, by: principal, connection)
      return act
    }
  }

  private func check(_ act: Act, by principal: Principal) throws {
    guard !act.isUndone else { throw Refusal.overtaken("error.act.undone_already") }
    try Authority(actor: principal).check(undoing: act)
  }

  /// Puts back what an act of one transaction changed, and tells the person concerned.
  private func change(
    _ act: Act, _ caller: Caller, reason: String, _ connection: borrowing Connection
  ) throws {
    switch act.action {
    case .accept, .dismiss: return try takeBackJudgement(act, connection)
    case .merge, .delete: try bringBack(act, connection)
    default: break
    }
    let subject = try Subject(act.target, for: caller, connection)
    try Authority(actor: try caller.signedIn()).check(undoing: act, on: subject, connection)
    switch act.action {
    case .hide, .restore: try takeBackSight(act, subject, connection)
    case .warn, .suspend, .unsuspend: try takeBackSanction(act, subject, connection)
    case .merge: try takeBackMerge(act, subject, connection)
    case .revert where act.target.kind == .account:
      try PersonRevert(moderation: self).takeBackRest(act, connection)
    case .redact: try redaction.takeBack(act.undo, of: act.target.id, connection)
    case .revert, .delete, .accept, .dismiss: break
    }
    try tell(act, subject, reason: reason, connection)
  }

  private func tell(
    _ act: Act, _ subject: Subject, reason: String, _ connection: borrowing Connection
  ) throws {
    guard let author = subject.author else { return }
    switch act.action {
    case .suspend: try mails.tell(author, "unsuspended", ["reason": reason], connection)
    case .unsuspend:
      let until = act.undo["until"]?.stringValue.flatMap { Timestamp(text: $0) }
      try mails.tell(
        author, "suspended", ["reason": reason, "until": until?.day.text ?? ""], connection)
    default:
      try mails.decided(
        "undo", author: author, device: try named(subject.device, connection), reason: reason,
        connection)
    }
  }
}

extension Authority {
  /// Whether the actor may take an act back that concerns a person: nobody judges what was decided of
  /// themselves, but an admin of their own contributions.
  func check(
    undoing act: Act, on subject: Subject, _ connection: borrowing Connection
  ) throws {
    if subject.target.kind == .account {
      try check(account: subject.author, connection)
    } else {
      try checkNotOwn(subject.author)
    }
  }
}
