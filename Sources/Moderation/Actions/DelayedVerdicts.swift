import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Changes whether the verdicts of a reverted person count, each at a random moment of the next three days.
///
/// Responses do not name the author of a verdict. If all verdicts of a person stopped counting in the second in which
/// the history shows their revert, an observer would learn which verdicts were theirs. Trust follows: a verdict counts
/// until its moment, and not afterwards.
struct DelayedVerdicts: Sendable {
  /// The kind of job, one for each verdict.
  static let job = "settle_verdict"
  /// Seconds until a verdict changes: at least an hour after the revert, at most three days.
  static let delay: ClosedRange<Int64> = 3_600...259_200

  let map: LiveMap
  let claims: VerificationCounts

  /// A verdict as it was when its change was scheduled. SQLite gives the row of a deleted verdict to another one.
  private struct Scheduled {
    let rowid: Int64
    let device: Int64
    let claim: String
    let madeAt: String
    let counts: Bool

    var payload: String {
      let payload: JSONValue = [
        "verdict": rowid.json, "device": device.json, "claim": .string(claim),
        "made_at": .string(madeAt), "counts": .bool(counts),
      ]
      return payload.text
    }
  }

  private static func key(_ verdict: Int64, counts: Bool) -> String {
    "\(job) \(verdict) \(counts ? "count" : "uncount")"
  }

  /// Schedules that the verdicts of a person stop counting, or count again. A change in the other direction that has
  /// not happened yet is called off instead, which is not visible at all.
  func schedule(
    _ verdicts: [Int64], of person: Int64, counts: Bool, _ connection: borrowing Connection
  ) throws {
    for verdict in verdicts {
      if try StoredJobs.cancel(Self.key(verdict, counts: !counts), connection) { continue }
      guard let stored = try VerificationStore.verdict(verdict, connection),
        stored.account == person
      else { continue }
      let scheduled = Scheduled(
        rowid: verdict, device: stored.device, claim: stored.claim, madeAt: stored.madeAt,
        counts: counts)
      try JobRunner.schedule(
        Self.job, payload: scheduled.payload, key: Self.key(verdict, counts: counts),
        due: randomMoment(), connection)
    }
  }

  private func randomMoment() -> Timestamp {
    let random = map.environment.randomBytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let span = Self.delay.upperBound - Self.delay.lowerBound + 1
    return Timestamp(
      secondsSinceEpoch: map.environment.now().secondsSinceEpoch + Self.delay.lowerBound
        + random % span)
  }

  /// Changes one verdict, unless it was replaced meanwhile.
  @Sendable func work(_ payload: String) throws {
    let json = try JSONValue(parsing: [UInt8](payload.utf8))
    guard let verdict = json["verdict"]?.intValue, let device = json["device"]?.intValue,
      let claim = json["claim"]?.stringValue, let madeAt = json["made_at"]?.stringValue,
      let counts = json["counts"]?.boolValue
    else { throw HopelessJob(reason: "the payload names no verdict") }
    try map.write { connection in
      let stored = try VerificationStore.verdict(Int64(verdict), connection)
      guard let stored, stored.device == Int64(device), stored.claim == claim,
        stored.madeAt == madeAt, stored.counts != counts
      else { return }
      if counts {
        try claims.count(Int64(verdict), connection)
      } else {
        try claims.uncount(Int64(verdict), connection)
      }
    }
  }
}
