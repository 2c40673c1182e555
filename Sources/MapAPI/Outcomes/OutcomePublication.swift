import PrivacyMap
import SpatialDatabase

/// Publishes figures about requests once a day, those that enough people have changed; all others stay
/// as they were published (docs/suppression.md).
struct OutcomePublication: Sendable {
  /// The kind of job.
  static let job = "publish_outcomes"
  static let every = Duration.seconds(3_600)

  let database: Database
  let surroundings: Surroundings
  /// Answers show figures, and so their versions change with them.
  let publicChanges: PublicChanges

  func run() throws {
    let now = surroundings.now()
    guard try database.read({ try Publication.isDue(.outcomes, now.day, $0) }) else { return }
    let requests = try OutcomeRequests(database, now: now)
    let changed = try database.write { connection in
      let published = try published(connection)
      let next = published.renewed(
        rows: requests.cells[.operator, default: [:]].mapValues(\.standings),
        columns: requests.cells[.category, default: [:]].mapValues(\.standings))
      var changed = false
      for (kind, before, after) in [
        (OutcomeKind.operator, published.rows, next.rows),
        (.category, published.columns, next.columns),
      ] {
        for key in Set(before.keys).union(after.keys).sorted() {
          if let cell = after[key], !cell.isNew { continue }
          changed = true
          let current = requests.cells[kind]?[key]
          try replace(kind, key, after[key], current, now.day, connection)
        }
      }
      try Publication.note(.outcomes, now.day, connection)
      return changed
    }
    if changed { publicChanges.changed() }
  }

  private func published(
    _ connection: borrowing Connection
  ) throws -> CrossedCells<String, OutcomeStanding> {
    var members: [Int64: [Int64: OutcomeStanding]] = [:]
    try connection.forEach("SELECT outcome_rowid, account_rowid, standing FROM outcome_member") {
      members[$0.int(0), default: [:]][$0.int(1)] = OutcomeStanding(rawValue: $0.text(2))
    }
    var cells = CrossedCells<String, OutcomeStanding>()
    try connection.forEach("SELECT rowid, kind, key, people FROM outcome") { row in
      let known = members[row.int(0)] ?? [:]
      let cell = PublishedCell(members: known, gone: max(0, Int(row.int(3)) - known.count))
      if row.text(1) == OutcomeKind.operator.rawValue {
        cells.rows[row.text(2)] = cell
      } else {
        cells.columns[row.text(2)] = cell
      }
    }
    return cells
  }

  /// Takes away the figures of a cell and puts the new ones, if any, in their place.
  private func replace(
    _ kind: OutcomeKind, _ key: String, _ cell: PublishedCell<OutcomeStanding>?,
    _ current: OutcomeRequests.Cell?, _ today: Day, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM outcome WHERE kind = ? AND key = ?", [.text(kind.rawValue), .text(key)])
    guard let cell, let current,
      let figures = OutcomeFigures(
        Array(cell.members.values), days: current.days(of: cell.members.keys))
    else { return }
    try connection.execute(
      """
      INSERT INTO outcome (kind, key, name, people, asked, honoured, refused, overdue, median_days,
        as_of)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(kind.rawValue), .text(key), .text(current.name), SQLValue(cell.members.count),
        SQLValue(figures.asked), SQLValue(figures.honoured), SQLValue(figures.refused),
        SQLValue(figures.overdue), SQLValue(figures.medianDays.map { Int64($0) }),
        .text(today.text),
      ])
    let rowid = connection.lastInsertedRowID
    for (person, standing) in cell.members {
      // Whoever has erased what they asked since it was read is one who has gone.
      try connection.execute(
        """
        INSERT INTO outcome_member (outcome_rowid, account_rowid, standing)
        SELECT ?1, rowid, ?3 FROM account WHERE rowid = ?2
          AND EXISTS (SELECT 1 FROM choice WHERE choice.account_rowid = account.rowid)
        """, [.integer(rowid), .integer(person), .text(standing.rawValue)])
    }
  }
}

/// The table `publication`: figures are looked at once a day, at the first run after midnight (UTC).
enum Publication: String {
  case outcomes, people

  static func isDue(
    _ kind: Publication, _ today: Day, _ connection: borrowing Connection
  ) throws -> Bool {
    let last = try connection.text(
      "SELECT day FROM publication WHERE kind = ?", [.text(kind.rawValue)])
    return last.map { $0 < today.text } ?? true
  }

  static func note(
    _ kind: Publication, _ today: Day, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO publication (kind, day) VALUES (?, ?)
      ON CONFLICT (kind) DO UPDATE SET day = excluded.day
      """, [.text(kind.rawValue), .text(today.text)])
  }
}
