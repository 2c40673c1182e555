import DevicePhotos
import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Undoing moderation actions.
extension Moderation {
  private var batches: ModerationActionBatches { ModerationActionBatches(moderation: self) }

  /// Undoes an action: restores the changed data and reopens the closed cases.
  ///
  /// - Throws: ``NotFound`` if the action does not exist; a 403 or 409 ``Refusal`` if it is undone
  ///   already or the target has changed since. In these cases nothing changes.
  func takeBack(_ id: String, reason: String, by caller: Caller) throws -> ModerationActionRecord {
    let act = try map.write { connection in
      try beginTakingBack(id, reason: reason, by: caller, connection)
    }
    if act.action == .revert { try batches.finish(act) }
    return act
  }

  /// Checks the permission, undoes the part that fits one transaction and logs it, in the caller's transaction;
  /// ``ModerationActionBatches`` does the rest.
  func beginTakingBack(
    _ id: String, reason: String, by caller: Caller, _ connection: borrowing Connection
  ) throws -> ModerationActionRecord {
    let principal = try caller.signedIn()
    let authority = Authority(actor: principal)
    let act = try acts.act(DeviceID(text: id)?.text ?? id, connection)
    guard !act.isUndone else { throw Refusal.overtaken("error.act.undone_already") }
    try authority.check(undoing: act)
    let authors = try acts.authors(concernedBy: act, connection)
    for author in authors { try authority.checkNotOwn(author) }
    try change(act, caller, reason: reason, notifying: authors, connection)
    try acts.markUndone(act, reason: reason, by: principal, connection)
    if act.action == .revert {
      try batches.begin(.undo, act, connection)
      _ = try batches.step(act, connection)
    }
    return act
  }

  /// Restores the data that an action changed in one transaction, and notifies the people concerned.
  private func change(
    _ act: ModerationActionRecord, _ caller: Caller, reason: String, notifying authors: [Int64],
    _ connection: borrowing Connection
  ) throws {
    switch act.action {
    case .accept, .dismiss: return try takeBackJudgement(act, connection)
    // The author can be read only after the device is restored.
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
    let isOneRevision = act.action == .revert && act.target.kind == .device
    let author = isOneRevision && act.undo["revision"] != nil ? authors.first : subject.author
    try tell(act, author, subject.device, reason: reason, connection)
  }

  private func tell(
    _ act: ModerationActionRecord, _ author: Int64?, _ device: Int64?, reason: String,
    _ connection: borrowing Connection
  ) throws {
    guard let author else { return }
    switch act.action {
    case .suspend: try mails.tell(author, "unsuspended", ["reason": reason], connection)
    case .unsuspend:
      let until = act.undo["until"]?.stringValue.flatMap { Timestamp(text: $0) }
      try mails.tell(
        author, "suspended", ["reason": reason, "until": until?.day.text ?? ""], connection)
    default:
      try mails.decided(
        "undo", author: author, device: try named(device, connection), reason: reason,
        connection)
    }
  }
}

extension Authority {
  /// Checks that the actor may undo an action that concerns a person. Decisions about one's account can
  /// be undone only by others; admins may undo decisions on their own contributions.
  func check(
    undoing act: ModerationActionRecord, on subject: Subject, _ connection: borrowing Connection
  ) throws {
    if subject.target.kind == .account {
      try check(account: subject.author, connection)
    } else {
      try checkNotOwn(subject.author)
    }
  }
}
