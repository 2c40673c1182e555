import DevicePhotos
import Devices
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Reverts all contributions of one person without touching later changes by others.
struct PersonRevert: Sendable {
  /// The effects of a revert, done or previewed.
  struct Counts: Sendable {
    /// The person's revisions.
    var revisions: Int64 = 0
    /// Devices taken off the map because the person created them.
    var withdrawn = 0
    /// Devices that got their previous values back.
    var restored = 0
    /// Devices that the person created and that stay because others have edited them.
    var kept = 0
    var photos = 0
    var verdicts = 0

    fileprivate mutating func count(_ outcome: RevisionUndo.Outcome) {
      switch outcome {
      case .withdrawn: withdrawn += 1
      case .restored: restored += 1
      case .kept: kept += 1
      case .unchanged: break
      }
    }

    static let shape = JSONShape<Counts>(
      nil, .count("devices") { $0.withdrawn + $0.restored + $0.kept },
      .count("revisions", \.revisions), .count("withdrawn", \.withdrawn),
      .count("restored", \.restored), .count("kept", \.kept), .count("photos", \.photos),
      .count("verdicts", \.verdicts))
  }

  let moderation: Moderation
  private var store: ContributionStore { ContributionStore() }

  private var undo: RevisionUndo { .revert(moderation.map.writer) }

  /// Previews a revert.
  func preview(
    of target: Target, for caller: Caller
  ) throws -> Counts {
    try moderation.map.database.readPrivate(limit: .after(.seconds(20))) { connection in
      let subject = try Subject(target, for: caller, connection)
      try Authority(actor: try caller.signedIn()).check(.revert, on: subject, connection)
      guard let person = subject.author else { throw NotFound.account }
      var counts = Counts(revisions: try store.revisions(of: person, connection))
      var last: Int64 = 0
      while true {
        let devices = try store.devices(
          of: person, after: last, limit: ModerationActionBatches.size, connection)
        guard let end = devices.last else { break }
        for device in devices {
          let plan = try undo.plan(
            device, where: Self.isOf(person), keptFor: Self.isOfOthers(than: person), connection)
          if let plan { counts.count(plan.outcome) }
        }
        last = end
      }
      counts.photos = try PhotoTable().photos(by: person, connection).count
      counts.verdicts = try VerificationStore.counting(by: person, connection).count
      return counts
    }
  }

  /// Reverts everything. The action is logged and photos change first; the devices follow in batches. If interrupted, a
  /// job finishes them. The verdicts follow at random moments (``DelayedVerdicts``).
  func perform(
    _ request: ModerationActionRequest, by caller: Caller
  ) throws -> (act: ModerationActionRecord, counts: Counts) {
    var (act, counts) = try moderation.map.write { connection in
      try begin(request, by: caller, connection)
    }
    try ModerationActionBatches(moderation: moderation).finish(act) { counts.count($0) }
    return (act, counts)
  }

  /// Checks the permission, inserts the action, hides photos and schedules the verdicts, in the caller's
  /// transaction; ``ModerationActionBatches`` does the rest.
  func begin(
    _ request: ModerationActionRequest, by caller: Caller, _ connection: borrowing Connection
  ) throws -> (act: ModerationActionRecord, counts: Counts) {
    let subject = try Subject(request.target, for: caller, connection)
    let principal = try caller.signedIn()
    try Authority(actor: principal).check(.revert, on: subject, connection)
    guard let person = subject.author else { throw NotFound.account }
    var counts = Counts(revisions: try store.revisions(of: person, connection))
    var decision = Moderation.Decision(author: person, flags: .of(subject.target))
    decision.notice = .author(sentence: "revert_all")
    decision.reviews = try moderation.cases.reviews(.by(account: person), connection)
    decision.undo = try hideRest(of: person, &counts, connection)
    let act = try moderation.acts.enter(
      .revert, subject.target, reason: request.reason, by: principal, connection)
    try moderation.settle(act, decision, reason: request.reason, by: principal, connection)
    try ModerationActionBatches(moderation: moderation).begin(.perform, act, connection)
    return (act, counts)
  }

  /// Reverts the person's changes to the devices after the row `last`, as many as fit into a turn of the
  /// writer.
  ///
  /// - Returns: the last device processed; nil if no devices remain or the account is deleted.
  func batch(
    of act: ModerationActionRecord, after last: Int64, noting: (RevisionUndo.Outcome) -> Void,
    _ connection: borrowing Connection
  ) throws -> Int64? {
    guard let person = try SubjectStore().rowid(ofAccount: act.target.id, connection) else {
      return nil
    }
    let devices = try store.devices(
      of: person, after: last, limit: ModerationActionBatches.size, connection)
    let turn = WriterTurn()
    var processed: Int64?
    for device in devices {
      if turn.isOver, let processed { return processed }
      processed = device
      let outcome = try undo.undo(
        device, where: Self.isOf(person), keptFor: Self.isOfOthers(than: person), connection)
      noting(outcome)
      guard let revision = outcome.revision else { continue }
      try moderation.acts.keep((device, revision), of: act, connection)
      try moderation.claims.settle(device, connection)
    }
    return processed
  }

  /// Hides the person's photos and schedules that their verdicts stop counting. Returns the data needed to undo this.
  private func hideRest(
    of person: Int64, _ counts: inout Counts, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let photos = try PhotoTable().photos(by: person, connection)
    for photo in photos { try moderation.photos.set(photo.rowid, to: "hidden", connection) }
    let verdicts = try VerificationStore.counting(by: person, connection)
    try moderation.delayed.schedule(verdicts, of: person, counts: false, connection)
    counts.photos = photos.count
    counts.verdicts = verdicts.count
    return [
      "photos": .array(photos.map { [.integer($0.rowid), .string($0.state)] }),
      "verdicts": .array(verdicts.map { .integer($0) }),
    ]
  }

  /// Undoes the revert, except for the devices.
  func takeBackRest(_ act: ModerationActionRecord, _ connection: borrowing Connection) throws {
    for pair in act.undo["photos"]?.arrayValue ?? [] {
      guard let photo = pair[0]?.intValue, let state = pair[1]?.stringValue else { continue }
      try moderation.photos.set(Int64(photo), to: state, connection)
    }
    guard let person = try SubjectStore().rowid(ofAccount: act.target.id, connection) else {
      return
    }
    let verdicts = (act.undo["verdicts"]?.arrayValue ?? []).compactMap {
      $0.intValue.map { Int64($0) }
    }
    try moderation.delayed.schedule(verdicts, of: person, counts: true, connection)
  }

  private static func isOf(_ person: Int64) -> (RevisionUndo.Revision) -> Bool {
    { $0.account == person && !$0.kind.isAct }
  }

  private static func isOfOthers(than person: Int64) -> (RevisionUndo.Revision) -> Bool {
    { $0.account != person && !$0.kind.isAct }
  }
}
