import PrivacyMap
package import Service
package import SpatialDatabase

// The data of an account in mapping days: export, retention periods and erasure.
extension MappingDays {
  package static let exports = [
    ExportSection(
      name: "mapping_days",
      sql: """
        SELECT rowid, id, title, purpose, area, meeting_longitude, meeting_latitude, meeting_words,
          starts_at, ends_at, time_zone, maximum, kinds, languages, state, reason, created_at,
          changed_at, mails, teams
        FROM mapping_day WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
        """, start: [0],
      members: [
        ("id", .text), ("title", .text), ("purpose", .text), ("area", .json),
        ("meeting_longitude", .number), ("meeting_latitude", .number), ("meeting_words", .text),
        ("starts_at", .text), ("ends_at", .text), ("time_zone", .text), ("maximum", .number),
        ("kinds", .json), ("languages", .json), ("state", .text), ("reason", .text),
        ("created_at", .text), ("changed_at", .text), ("mails", .number),
        ("teams", .json),
      ]),
    ExportSection(
      name: "mapping_day_participations",
      sql: """
        SELECT mapping_day_participant.rowid, mapping_day.id, mapping_day.title,
          mapping_day_participant.state, shows_name, joined_at, team
        FROM mapping_day_participant
        JOIN mapping_day ON mapping_day.rowid = mapping_day_participant.day_rowid
        WHERE mapping_day_participant.account_rowid = ? AND mapping_day_participant.rowid > ?
        ORDER BY mapping_day_participant.rowid LIMIT ?
        """, start: [0],
      members: [
        ("mapping_day", .text), ("title", .text), ("state", .text), ("shows_name", .flag),
        ("joined_at", .text), ("team", .text),
      ]),
  ]

  package static let retention = [
    RetentionRule(
      code: "mapping_day_participant", entry: "mapping_days",
      what: "who took part in a mapping day",
      why: "to count contributions, and for mails about the day", period: .days(DaySweep.memory),
      job: DaySweep.job, due: "SELECT count(*) FROM (\(DaySweep.oldParticipants)) AS old",
      limit: .ago(Seconds.days(DaySweep.memory))),
    RetentionRule(
      code: "mapping_day_plan", entry: "mapping_days",
      what: "plans of mapping days that never became public",
      why: "so that the organiser can go on", period: .days(DaySweep.life), job: DaySweep.job,
      due: "SELECT count(*) FROM (\(DaySweep.oldPlans)) AS old",
      limit: .ago(Seconds.days(DaySweep.life))),
  ]

  package static let restores = RestoreRule.of(
    "mapping_days",
    [
      "mapping_day": .repeats([.mappingDay, .mappingDayState]),
      "mapping_day_participant": .repeats([.participation, .participationName]),
      "mapping_day_mail": .ends,
    ])

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .mappingDay:
      try connection.execute("DELETE FROM mapping_day WHERE id = ?", [.text(entry.id)])
    case .mappingDayState:
      try connection.execute(
        """
        UPDATE mapping_day SET state = 'cancelled'
        WHERE id = ? AND state IN ('draft', 'waiting', 'approved', 'rejected', 'running')
        """, [.text(entry.id)])
    case .participation: return try leaveAgain(entry.id, connection)
    case .participationName:
      guard entry.value == ParticipantStore.hidden else { return false }
      try connection.execute(
        "UPDATE mapping_day_participant SET shows_name = 0 WHERE id = ? AND shows_name = 1",
        [.text(entry.id)])
    default: return nil
    }
    return connection.changedRowCount > 0
  }

  /// Ends a part in a day that a restored backup has brought back. The place goes to the waiting list, as it did then.
  private func leaveAgain(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let found = try connection.first(
      "SELECT account_rowid, day_rowid FROM mapping_day_participant WHERE id = ?", [.text(id)]
    ) { (account: $0.int(0), day: $0.int(1)) }
    guard let found, let day = try days.one(row: found.day, connection),
      let part = try participants.one(of: found.account, in: found.day, connection)
    else { return false }
    _ = try participants.leave(
      day.rowid, part, takesParticipants: day.state.takesParticipants, maximum: day.plan.maximum,
      connection)
    return true
  }

  /// Deletes private plans of the organiser, and cancels a day that has not begun. A day that runs or is over continues
  /// without the name. Places of the account go to the waiting list.
  package static func erase(
    _ account: ErasedAccount, _ connection: borrowing Connection
  ) throws {
    let now = account.now
    let environment = Environment(now: { now })
    let key = [SQLValue.integer(account.rowid)]
    try connection.execute(
      """
      DELETE FROM mapping_day WHERE account_rowid = ? AND state IN ('draft', 'waiting', 'rejected')
      """, key)
    let coming = try connection.rows(
      "SELECT rowid FROM mapping_day WHERE account_rowid = ? AND state = 'approved'", key
    ) { $0.int(0) }
    let days = DayStore(environment: environment)
    for row in coming {
      guard let day = try days.one(row: row, connection) else { continue }
      try days.apply(.cancel, to: day, by: .organiser, connection)
      try DayMails.plan(.cancelled, to: row, at: account.now, connection)
    }
    try connection.execute(
      "UPDATE mapping_day SET account_rowid = NULL WHERE account_rowid = ?", key)
    try givePlaces(of: account, environment, connection)
  }

  private static func givePlaces(
    of account: ErasedAccount, _ environment: Environment, _ connection: borrowing Connection
  ) throws {
    let (days, participants) = (
      DayStore(environment: environment), ParticipantStore(environment: environment)
    )
    for day in try days.joined(by: account.rowid, connection) {
      guard let part = try participants.one(of: account.rowid, in: day.rowid, connection) else {
        continue
      }
      let next = try participants.leave(
        day.rowid, part, takesParticipants: day.state.takesParticipants,
        maximum: day.plan.maximum, connection)
      if let next { try DayMails.movedUp(next, day, at: account.now, connection) }
    }
  }
}
