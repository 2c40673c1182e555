import Accounts
package import PrivacyMap
package import Service
package import SpatialDatabase

/// The state of a person's latest request, and the days until its answer.
struct OutcomePosition: Equatable, Sendable {
  let standing: OutcomeStanding
  /// Days from sending to the answer; nil before an answer.
  let days: Int?
}

/// Publishes the figures about requests on Mondays, all at once. Per figure, at least ten people are added, removed or
/// counted again at a time (docs/explanation/suppression.md).
package struct OutcomePublication: Sendable {
  /// The kind of job.
  static let job = "publish_outcomes"
  static let every = Duration.seconds(3_600)

  package let database: Database
  package let environment: Environment
  /// Responses contain the figures, so publishing changes their versions.
  package let publicChanges: PublicChanges

  private typealias Cells = CrossedCells<String, OutcomePosition>

  func run() throws {
    let now = environment.now()
    guard try database.read({ try Publication.isDue(.outcomes, now.day, $0) }) else { return }
    let requests = try OutcomeRequests(database, now: now)
    try database.write { connection in
      // Another server may have published since, while this one was paused.
      guard try Publication.isDue(.outcomes, now.day, connection) else { return }
      let published = try published(connection)
      let people = Set(
        try connection.rows("SELECT DISTINCT account_rowid FROM choice") { $0.int(0) })
      let next = published.renewed(
        rows: Self.positions(requests, .operator, among: people),
        columns: Self.positions(requests, .category, among: people),
        on: now.day.daysSinceEpoch)
      for (kind, before, after) in [
        (OutcomeKind.operator, published.rows, next.rows),
        (.category, published.columns, next.columns),
      ] {
        // All figures are replaced, so that watches of all operators get news. News about changed figures only
        // would reveal the operators whose members changed, even where no rounded number did.
        for key in Set(before.keys).union(after.keys).sorted() {
          let name = requests.cells[kind]?[key]?.name
          try replace(kind, key, after[key], name, now.day, connection)
        }
      }
      // All figures get the same date, so that it does not reveal which of them changed.
      try connection.execute("UPDATE outcome SET as_of = ?", [.text(now.day.text)])
      try Publication.note(.outcomes, now.day, connection)
      try PublicChanges.note(connection, at: now)
    }
    publicChanges.changed()
  }

  private func published(_ connection: borrowing Connection) throws -> Cells {
    typealias Member = CrossedCell<OutcomePosition>.Member
    var members: [Int64: [Int64: Member]] = [:]
    try connection.forEach(
      "SELECT outcome_rowid, person, standing, days, since FROM outcome_member"
    ) { row in
      guard let standing = OutcomeStanding(rawValue: row.text(2)) else { return }
      let position = OutcomePosition(
        standing: standing, days: row.optionalInt(3).map { Int($0) })
      members[row.int(0), default: [:]][row.int(1)] = Member(
        position, since: Int32(clamping: row.int(4)))
    }
    var cells = Cells()
    try connection.forEach("SELECT rowid, kind, key FROM outcome") { row in
      let cell = CrossedCell(members: members[row.int(0)] ?? [:])
      if row.text(1) == OutcomeKind.operator.rawValue {
        cells.rows[row.text(2)] = cell
      } else {
        cells.columns[row.text(2)] = cell
      }
    }
    return cells
  }

  /// Replaces the figures of a cell; deletes them if `cell` is nil. A published name stays: another spelling in a
  /// new request would reveal that request.
  private func replace(
    _ kind: OutcomeKind, _ key: String, _ cell: CrossedCell<OutcomePosition>?, _ name: String?,
    _ today: Day, _ connection: borrowing Connection
  ) throws {
    let known = try connection.text(
      "SELECT name FROM outcome WHERE kind = ? AND key = ?", [.text(kind.rawValue), .text(key)])
    try connection.execute(
      "DELETE FROM outcome WHERE kind = ? AND key = ?", [.text(kind.rawValue), .text(key)])
    guard let cell,
      let figures = OutcomeFigures(
        cell.members.values.map(\.standing.standing),
        days: cell.members.values.compactMap(\.standing.days))
    else { return }
    try connection.execute(
      """
      INSERT INTO outcome (kind, key, name, people, asked, honoured, refused, overdue, median_days,
        as_of)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(kind.rawValue), .text(key), .text(known ?? name ?? key),
        SQLValue(cell.members.count), SQLValue(figures.asked), SQLValue(figures.honoured),
        SQLValue(figures.refused), SQLValue(figures.overdue),
        SQLValue(figures.medianDays.map { Int64($0) }), .text(today.text),
      ])
    try insert(cell, connection.lastInsertedRowID, connection)
  }

  private func insert(
    _ cell: CrossedCell<OutcomePosition>, _ outcome: Int64, _ connection: borrowing Connection
  ) throws {
    for (person, member) in cell.members {
      try connection.execute(
        """
        INSERT INTO outcome_member (outcome_rowid, person, standing, days, since)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          .integer(outcome), .integer(person), .text(member.standing.standing.rawValue),
          SQLValue(member.standing.days.map { Int64($0) }), .integer(Int64(member.since)),
        ])
    }
  }

  /// The cells of a kind, without people who have erased their choices since they were read.
  private static func positions(
    _ requests: OutcomeRequests, _ kind: OutcomeKind, among people: Set<Int64>
  ) -> [String: [Int64: OutcomePosition]] {
    requests.cells[kind, default: [:]].mapValues { cell in
      cell.positions.filter { people.contains($0.key) }
    }
  }
}
