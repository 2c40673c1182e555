import PrivacyMap
import Service
import SpatialDatabase

/// People by group, and the tables of published groups.
struct PeopleStore: Sendable {
  /// The kinds of contributions other than devices; the first that a person has is the person's.
  private let contributions: [PersonContribution]

  init(_ features: [any Feature.Type]) {
    let given = features.flatMap { $0.personContributions }
    contributions = ["edits", "claims", "photos"].compactMap { name in
      given.first { $0.name == name }
    }
  }

  /// Accounts that are confirmed, more than a day old and not suspended, in portions.
  var censusQuery: String {
    """
    SELECT account.rowid, account.role, substr(account.created_at, 1, 4),
      (SELECT category FROM device WHERE device.account_rowid = account.rowid AND hidden = 0
        GROUP BY category ORDER BY count(*) DESC, category LIMIT 1),
      (SELECT country FROM device WHERE device.account_rowid = account.rowid AND hidden = 0
        AND country IS NOT NULL GROUP BY country ORDER BY count(*) DESC, country LIMIT 1),
      \(contributions.map { "EXISTS (SELECT 1 FROM \($0.rows))" }.joined(separator: ",\n  "))
    FROM account
    WHERE account.rowid > ?1 AND confirmed_at IS NOT NULL AND created_at <= ?2
      AND (suspended_at IS NULL OR suspended_until <= ?3)
    ORDER BY account.rowid LIMIT ?4
    """
  }

  /// A portion of the people who count, with their groups.
  func people(
    after last: Int64, joinedBy yesterday: Timestamp, at now: Timestamp, limit: Int64,
    _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, groups: [PeopleGrouping: String])] {
    try connection.rows(
      censusQuery,
      [.integer(last), .text(yesterday.text), .text(now.text), .integer(limit)]
    ) { ($0.int(0), groups($0)) }
  }

  private func groups(_ row: Row) -> [PeopleGrouping: String] {
    let category = row.optionalText(3)
    let contribution =
      category != nil
      ? "devices"
      : contributions.indices.first(where: { row.bool(5 + $0) }).map { contributions[$0].name }
        ?? PeopleGrouping.none
    return [
      .role: row.text(1), .year: row.text(2), .contribution: contribution,
      .country: row.optionalText(4) ?? PeopleGrouping.none,
      .category: category ?? PeopleGrouping.none,
    ]
  }

  static let groupsQuery = """
    SELECT key, shown, as_of, people FROM people_group WHERE grouping = ? ORDER BY key
    """

  typealias Group = (key: String, shown: Int64, asOf: String, people: Int64)

  /// The published groups of a grouping. `shown` is the rounded number of people.
  func groups(
    of grouping: PeopleGrouping, _ connection: borrowing Connection
  ) throws -> [Group] {
    try connection.rows(Self.groupsQuery, [.text(grouping.rawValue)]) {
      ($0.text(0), $0.int(1), $0.text(2), $0.int(3))
    }
  }

  /// Dates all published groups.
  func date(_ day: Day, _ connection: borrowing Connection) throws {
    try connection.execute("UPDATE people_group SET as_of = ?", [.text(day.text)])
  }

  func delete(
    _ group: String, of grouping: PeopleGrouping, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM people_group WHERE grouping = ? AND key = ?",
      [.text(grouping.rawValue), .text(group)])
  }

  /// The published groups of a grouping and their members. Figures published under a lower minimum than
  /// today's are deleted.
  func published(
    _ grouping: PeopleGrouping, minimum: Int, _ connection: borrowing Connection
  ) throws -> [String: PublishedGroup] {
    let isTooSmall = try connection.integer(
      "SELECT 1 FROM people_group WHERE grouping = ? AND people < ? LIMIT 1",
      [.text(grouping.rawValue), SQLValue(minimum)])
    if isTooSmall != nil {
      try connection.execute(
        "DELETE FROM people_group WHERE grouping = ?", [.text(grouping.rawValue)])
    }
    var cells: [String: PublishedGroup] = [:]
    let rows = try connection.rows(
      "SELECT rowid, key, people FROM people_group WHERE grouping = ?",
      [.text(grouping.rawValue)]
    ) { ($0.int(0), $0.text(1), $0.int(2)) }
    for (rowid, key, people) in rows {
      var members: Set<Int64> = []
      try connection.forEach(
        "SELECT account_rowid FROM people_group_member WHERE group_rowid = ?", [.integer(rowid)]
      ) { _ = members.insert($0.int(0)) }
      cells[key] = PublishedGroup(members: members, gone: max(0, Int(people) - members.count))
    }
    return cells
  }

  /// Publishes a group and its members.
  func insert(
    _ grouping: PeopleGrouping, _ group: String, _ members: Set<Int64>, _ today: Day,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO people_group (grouping, key, people, shown, as_of) VALUES (?, ?, ?, ?, ?)",
      [
        .text(grouping.rawValue), .text(group), SQLValue(members.count),
        SQLValue(Suppression.rounded(members.count)), .text(today.text),
      ])
    let rowid = connection.lastInsertedRowID
    for person in members {
      // People whose accounts were deleted since the read count as gone.
      try connection.execute(
        """
        INSERT INTO people_group_member (group_rowid, account_rowid)
        SELECT ?1, rowid FROM account WHERE rowid = ?2
        """, [.integer(rowid), .integer(person)])
    }
  }
}
