import DevicePhotos
package import Devices
import JSON
package import Service
package import SpatialDatabase
import WebServer

/// The dependencies and core of moderation.
package struct Moderation: Sendable {
  package let map: LiveMap
  package let acts: ModerationActionStore
  package let cases: OpenCaseStore
  let standing: Standing
  let photos: PhotoStates
  let redaction: PhotoRedaction
  let claims: VerificationCounts
  /// Renders the changes of revisions.
  let past: PastFeature

  package var mails: ModerationMails { cases.mails }
  var delayed: DelayedVerdicts { DelayedVerdicts(map: map, claims: claims) }

  /// The side effects of an action: flags and reviews to close, people to notify, and the data for undo.
  package struct Decision {
    /// The person to notify.
    enum Notice {
      case nobody
      /// The author of a contribution, with a sentence key such as `hide` of `mail.act.hide`.
      case author(sentence: String)
      /// The person concerned, with a separate mail template.
      case person(template: String, arguments: [String: String])
    }

    /// The author of the contribution, or the account concerned.
    var author: Int64?
    var device: (id: String, name: String)?
    var undo: JSONValue = [:]
    /// A revision that the action created.
    var revision: (device: Int64, number: Int64)?
    var flags: OpenCaseStore.Flags?
    var flagOutcome = FlagOutcome.upheld
    var reviews: [OpenCaseStore.Review] = []
    var reviewOutcome = ReviewOutcome.refused
    var notice = Notice.nobody
    /// The code of a deletion, whose words the author gets. The typed reason is for moderators only.
    var deletion: String?
    /// Work to do last.
    var finish: ((Connection) throws -> Void)?
  }

  /// Performs an action in the caller's transaction; `picture` is the version that replaces a redacted
  /// photo.
  ///
  /// - Throws: ``NotFound`` or a 403, 409 or 410 ``Refusal``.
  func perform(
    _ request: ModerationActionRequest, showing picture: PhotoRedaction.Prepared? = nil,
    by caller: Caller,
    _ connection: borrowing Connection
  ) throws -> ModerationActionRecord {
    let principal = try caller.signedIn()
    let (target, decision) = try decide(request, picture, caller, connection)
    let act = try acts.enter(
      request.action, target, reason: request.typedReason, by: principal, connection)
    try settle(act, decision, reason: request.reason, by: principal, connection)
    return act
  }

  /// Closes flags and reviews that an action decides, and notifies the people concerned.
  package func settle(
    _ act: ModerationActionRecord, _ decision: Decision, reason: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    try acts.setUndo(decision.undo, of: act, connection)
    if let revision = decision.revision { try acts.keep(revision, of: act, connection) }
    try cases.end(decision.reviews, as: decision.reviewOutcome, by: act, connection)
    if let flags = decision.flags {
      let count = try cases.close(
        flags, as: decision.flagOutcome, by: act, actor: principal.account, connection)
      // Dismissing has no other effect.
      if act.action == .dismiss, count == 0, decision.reviews.isEmpty {
        throw Refusal.overtaken("error.act.nothing_open")
      }
    }
    try tell(decision, reason: reason, by: principal, connection)
    try decision.finish?(connection)
  }

  private func tell(
    _ decision: Decision, reason: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    switch decision.notice {
    case .nobody: break
    case .author(let sentence) where decision.author != principal.account:
      try mails.decided(
        sentence, author: decision.author, device: decision.device, reason: reason,
        deletion: decision.deletion, connection)
    case .author: break
    case .person(let template, let arguments):
      guard let person = decision.author else { break }
      try mails.tell(
        person, template, arguments.merging(["reason": reason]) { own, _ in own }, connection)
    }
  }

  private func decide(
    _ request: ModerationActionRequest, _ picture: PhotoRedaction.Prepared?, _ caller: Caller,
    _ connection: borrowing Connection
  ) throws -> (Target, Decision) {
    switch request.action {
    case .accept, .dismiss: return try judge(request, caller, connection)
    default: break
    }
    let subject = try Subject(request.target, for: caller, connection)
    try Authority(actor: try caller.signedIn()).check(request.action, on: subject, connection)
    try checkSeen(request, subject.target, connection)
    let decision: Decision
    switch request.action {
    case .hide: decision = try hide(subject, connection)
    case .restore: decision = try restore(subject, connection)
    case .revert: decision = try revert(subject, request.revision, connection)
    case .merge: decision = try merge(subject, request, caller, connection)
    case .warn, .suspend, .unsuspend: decision = try sanction(request, subject, connection)
    case .redact: decision = try redact(subject, picture, connection)
    case .accept, .dismiss, .delete: throw Refusal.role
    }
    return (subject.target, decision)
  }

  /// The id and name of a device, as used in mails.
  package func named(
    _ rowid: Int64?, _ connection: borrowing Connection
  ) throws -> (id: String, name: String)? {
    guard let rowid else { return nil }
    return try SubjectStore().device(rowid, connection)
  }
}

/// The rules for whom a moderator may act on.
///
/// Moderators may act on accounts with a lower role, admins on all accounts except their own. Any
/// moderator may take any contribution off the map. Moderators may not approve their own contributions.
/// Admins may, because an instance may have only one.
package struct Authority {
  package let actor: Principal

  package init(actor: Principal) {
    self.actor = actor
  }

  /// - Throws: a 403 ``Refusal``.
  package func check(
    _ action: ModerationAction, on subject: Subject, _ connection: borrowing Connection
  ) throws {
    if subject.target.kind == .account, action != .dismiss {
      return try check(account: subject.author, connection)
    }
    switch action {
    case .restore, .dismiss, .accept: try checkNotOwn(subject.author)
    default: break
    }
  }

  /// Checks that the actor may act on a person.
  func check(account: Int64?, _ connection: borrowing Connection) throws {
    if account == actor.account { throw Refusal(.forbidden, "error.act.oneself") }
    guard let account, actor.role < .admin else { return }
    if try (SubjectStore().role(of: account, connection) ?? .contributor) >= .moderator {
      throw Refusal(.forbidden, "error.act.rank")
    }
  }

  /// Checks that the actor may approve a contribution of this author.
  package func checkNotOwn(_ author: Int64?) throws {
    if author == actor.account, actor.role < .admin {
      throw Refusal(.forbidden, "error.act.own")
    }
  }

  /// Checks that the actor may undo another person's action.
  func check(undoing act: ModerationActionRecord) throws {
    if act.role > actor.role { throw Refusal(.forbidden, "error.act.rank") }
  }
}
