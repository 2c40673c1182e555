import JSON
import PrivacyMap
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

    var json: JSONValue {
      [
        "devices": .integer(Int64(withdrawn + restored + kept)), "revisions": .integer(revisions),
        "withdrawn": .integer(Int64(withdrawn)), "restored": .integer(Int64(restored)),
        "kept": .integer(Int64(kept)), "photos": .integer(Int64(photos)),
        "verdicts": .integer(Int64(verdicts)),
      ]
    }
  }

  let moderation: Moderation

  private var undo: RevisionUndo { .revert(moderation.map.writer) }

  /// Previews a revert.
  func preview(
    of target: Target, for caller: Caller
  ) throws -> Counts {
    try moderation.map.database.readPrivate(limit: .after(.seconds(20))) { connection in
      let subject = try Subject(target, for: caller, connection)
      try Authority(actor: try caller.signedIn()).check(.revert, on: subject, connection)
      guard let person = subject.author else { throw NotFound.account }
      var counts = Counts(revisions: try Self.revisions(of: person, connection))
      var last: Int64 = 0
      while true {
        let devices = try Self.devices(of: person, after: last, connection)
        guard let end = devices.last else { break }
        for device in devices {
          let plan = try undo.plan(
            device, where: Self.isOf(person), keptFor: Self.isOfOthers(than: person), connection)
          if let plan { counts.count(plan.outcome) }
        }
        last = end
      }
      counts.photos = try Self.photos(of: person, connection).count
      counts.verdicts = try Self.verdicts(of: person, connection).count
      return counts
    }
  }

  /// Reverts everything. The action is logged and photos and verdicts change first; the devices follow in
  /// batches. If interrupted, a job finishes them.
  func perform(
    _ request: ActRequest, by caller: Caller
  ) throws -> (act: Act, counts: Counts) {
    var (act, counts) = try moderation.map.write { connection in
      try begin(request, by: caller, connection)
    }
    try ActBatches(moderation: moderation).finish(act) { counts.count($0) }
    return (act, counts)
  }

  /// Checks the permission, inserts the action and hides photos and verdicts, in the caller's
  /// transaction; ``ActBatches`` does the rest.
  func begin(
    _ request: ActRequest, by caller: Caller, _ connection: borrowing Connection
  ) throws -> (act: Act, counts: Counts) {
    let subject = try Subject(request.target, for: caller, connection)
    let principal = try caller.signedIn()
    try Authority(actor: principal).check(.revert, on: subject, connection)
    guard let person = subject.author else { throw NotFound.account }
    var counts = Counts(revisions: try Self.revisions(of: person, connection))
    var decision = Moderation.Decision(author: person, flags: .of(subject.target))
    decision.notice = .author(sentence: "revert_all")
    decision.reviews = try moderation.cases.reviews(.by(account: person), connection)
    decision.undo = try hideRest(of: person, &counts, connection)
    let act = try moderation.acts.enter(
      .revert, subject.target, reason: request.reason, by: principal, connection)
    try moderation.settle(act, decision, reason: request.reason, by: principal, connection)
    try ActBatches(moderation: moderation).begin(.perform, act, connection)
    return (act, counts)
  }

  /// Reverts the person's changes to the devices after the row `last`.
  ///
  /// - Returns: the last device processed; nil if no devices remain or the account is deleted.
  func batch(
    of act: Act, after last: Int64, noting: (RevisionUndo.Outcome) -> Void,
    _ connection: borrowing Connection
  ) throws -> Int64? {
    let person = try connection.integer(
      "SELECT rowid FROM account WHERE id = ?", [.text(act.target.id)])
    guard let person else { return nil }
    let devices = try Self.devices(of: person, after: last, connection)
    for device in devices {
      let outcome = try undo.undo(
        device, where: Self.isOf(person), keptFor: Self.isOfOthers(than: person), connection)
      noting(outcome)
      guard let revision = outcome.revision else { continue }
      try moderation.acts.keep((device, revision), of: act, connection)
      try moderation.claims.settle(device, connection)
    }
    return devices.last
  }

  /// Hides the person's photos and makes their verdicts not count. Returns the data needed to undo this.
  private func hideRest(
    of person: Int64, _ counts: inout Counts, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let photos = try Self.photos(of: person, connection)
    for photo in photos { try moderation.photos.set(photo.rowid, to: "hidden", connection) }
    let verdicts = try Self.verdicts(of: person, connection)
    for verdict in verdicts { try moderation.claims.uncount(verdict, connection) }
    counts.photos = photos.count
    counts.verdicts = verdicts.count
    return [
      "photos": .array(photos.map { [.integer($0.rowid), .string($0.state)] }),
      "verdicts": .array(verdicts.map { .integer($0) }),
    ]
  }

  /// Undoes the revert, except for the devices.
  func takeBackRest(_ act: Act, _ connection: borrowing Connection) throws {
    for pair in act.undo["photos"]?.arrayValue ?? [] {
      guard let photo = pair[0]?.intValue, let state = pair[1]?.stringValue else { continue }
      try moderation.photos.set(Int64(photo), to: state, connection)
    }
    for verdict in act.undo["verdicts"]?.arrayValue ?? [] {
      guard let rowid = verdict.intValue else { continue }
      try moderation.claims.count(Int64(rowid), connection)
    }
  }

  private static func isOf(_ person: Int64) -> (RevisionUndo.Revision) -> Bool {
    { $0.account == person && !$0.isAct }
  }

  private static func isOfOthers(than person: Int64) -> (RevisionUndo.Revision) -> Bool {
    { $0.account != person && !$0.isAct }
  }

  private static func revisions(
    of person: Int64, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM revision WHERE account_rowid = ?", [.integer(person)]) ?? 0
  }

  private static func devices(
    of person: Int64, after last: Int64, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      """
      SELECT DISTINCT device_rowid FROM revision WHERE account_rowid = ? AND device_rowid > ?
      ORDER BY device_rowid LIMIT ?
      """, [.integer(person), .integer(last), SQLValue(ActBatches.size)]
    ) { $0.int(0) }
  }

  private static func photos(
    of person: Int64, _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, state: String)] {
    try connection.rows(
      "SELECT rowid, state FROM photo WHERE account_rowid = ? AND state IN ('public', 'waiting')",
      [.integer(person)]
    ) { ($0.int(0), $0.text(1)) }
  }

  private static func verdicts(
    of person: Int64, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM verdict WHERE account_rowid = ? AND counts = 1", [.integer(person)]
    ) { $0.int(0) }
  }
}
