import PrivacyMap
import SpatialDatabase

/// Creates requests for volunteers who accept devices without a request: at most one per volunteer and day, within the
/// volunteer's radius.
struct VisitFinder: Sendable {
  let database: Database
  let environment: Environment
  let store: VisitStore
  let volunteers: VolunteerStore

  /// The maximum number of volunteers in one run.
  private static let maximum = 20
  /// A coarse position or a missing photo is not urgent: the street walk covers these.
  private static let reasons: [VisitReason] = [.disputed, .stale, .singleReport]

  private var now: Timestamp { environment.now() }

  static let waitingQuery = """
    SELECT account_rowid FROM visit_volunteer
    WHERE found = 1 AND paused = 0 AND free_from <= ?1 AND free_until > ?1
      AND (found_at IS NULL OR found_at <= ?2 OR found_at > ?1)
      AND NOT EXISTS (SELECT 1 FROM visit_offer
        WHERE visit_offer.account_rowid = visit_volunteer.account_rowid AND offered_at > ?2)
    ORDER BY turn LIMIT ?3
    """

  /// Adds the requests, each in a separate transaction.
  ///
  /// - Returns: their number.
  func run() throws -> Int {
    let chosen = try database.read(limit: .after(.seconds(20))) { connection in
      let waiting = try connection.rows(
        Self.waitingQuery,
        [.text(now.text), .text(now.later(-Seconds.day).text), SQLValue(Self.maximum)]
      ) { $0.int(0) }
      return try waiting.map { account in
        let volunteer = try volunteers.one(account, connection)
        return (account, try volunteer.flatMap { try device(for: $0, connection) })
      }
    }
    var count = 0
    for (account, device) in chosen {
      let isAdded = try database.write { connection -> Bool in
        try volunteers.noteFound(account, connection)
        guard let device, let reason = device.reasons.first,
          try store.open(about: device.device.rowid, connection) == nil,
          let present = try store.device(device.device.rowid, connection), !present.isHidden
        else { return false }
        _ = try store.add(about: present, reason, by: nil, connection)
        return true
      }
      if isAdded { count += 1 }
    }
    return count
  }

  /// The device with the most urgent reason, nearest to the middle of the volunteer’s cell.
  private func device(
    for volunteer: StoredVolunteer, _ connection: borrowing Connection
  ) throws -> NeedsQuery.Found? {
    let settings = volunteer.settings
    for reason in Self.reasons {
      let query = NeedsQuery(
        reasons: [reason], categories: settings.kinds, today: now.day)
      let found = try query.devices(
        near: settings.cell.middle, within: Double(settings.radius) * 1_000, limit: 20, connection)
      for candidate in found
      where candidate.request == nil && candidate.device.author != volunteer.account
        && !(candidate.device.isOfHousehold && !reason.isSeenFromStreet)
      {
        if let last = try store.lastVisit(to: candidate.device.rowid, connection),
          last.later(VisitRules.life) > now
        {
          continue
        }
        return candidate
      }
    }
    return nil
  }
}
