import PrivacyMap
import SpatialDatabase

/// The groupings of people in statistics; each person is in exactly one group of each.
enum PeopleGrouping: String, CaseIterable, Sendable {
  case role
  /// The year of joining.
  case year
  /// The first kind that applies: devices, edits, claims or photos contributed by the person.
  case contribution
  /// The country of most devices that the person added.
  case country
  /// The category of most of these devices.
  case category

  /// The group of people without such a value.
  static let none = "none"
}

/// Publishes the number of people in each group, on Mondays. A figure changes only if it has enough
/// people and enough have joined or left; otherwise the published figure stays (docs/suppression.md).
struct PeoplePublication: Sendable {
  /// The kind of job.
  static let job = "publish_people"
  static let every = Duration.seconds(3_600)
  /// People per read, so that no connection is occupied for long.
  private static let portion: Int64 = 500

  let database: Database
  let surroundings: Surroundings
  let publicChanges: PublicChanges
  /// The minimum number of people in a group.
  let minimum: Int

  init(database: Database, surroundings: Surroundings, publicChanges: PublicChanges, minimum: Int) {
    self.database = database
    self.surroundings = surroundings
    self.publicChanges = publicChanges
    self.minimum = max(minimum, Suppression.minimum)
  }

  /// All people who count, with their group in each grouping, in the order of the cases.
  private struct Census {
    var people: [Int64] = []
    var groups: [String: [String]] = [:]

    mutating func add(_ person: Int64, _ own: [PeopleGrouping: String]) {
      people.append(person)
      for (grouping, group) in own { groups[grouping.rawValue, default: []].append(group) }
    }

    func members(_ grouping: PeopleGrouping) -> [String: Set<Int64>] {
      var members: [String: Set<Int64>] = [:]
      for (person, group) in zip(people, groups[grouping.rawValue] ?? []) {
        members[group, default: []].insert(person)
      }
      return members
    }
  }

  func run() throws {
    let now = surroundings.now()
    guard try database.read({ try Publication.isDue(.people, now.day, $0) }) else { return }
    let census = try census(now)
    let groups = PeopleGroups(census.groups, minimum: minimum)
    var settled: [(grouping: PeopleGrouping, shown: Set<String>)] = []
    for grouping in PeopleGrouping.allCases {
      let members = census.members(grouping)
      let shown = try database.write { connection in
        try publish(grouping, members, groups, beside: settled, now.day, connection)
      }
      settled.append((grouping, shown))
    }
    try database.write { connection in
      // All groups get the same date, so that it does not reveal which of them changed.
      try connection.execute("UPDATE people_group SET as_of = ?", [.text(now.day.text)])
      try Publication.note(.people, now.day, connection)
    }
    publicChanges.changed()
  }

  /// Accounts that are confirmed, more than a day old and not suspended, in portions.
  static let censusQuery = """
    SELECT account.rowid, account.role, substr(account.created_at, 1, 4),
      (SELECT category FROM device WHERE device.account_rowid = account.rowid AND hidden = 0
        GROUP BY category ORDER BY count(*) DESC, category LIMIT 1),
      (SELECT country FROM device WHERE device.account_rowid = account.rowid AND hidden = 0
        AND country IS NOT NULL GROUP BY country ORDER BY count(*) DESC, country LIMIT 1),
      EXISTS (SELECT 1 FROM revision WHERE revision.account_rowid = account.rowid
        AND kind IN ('edit', 'restore')),
      EXISTS (SELECT 1 FROM verdict WHERE verdict.account_rowid = account.rowid),
      EXISTS (SELECT 1 FROM photo WHERE photo.account_rowid = account.rowid AND state = 'public')
    FROM account
    WHERE account.rowid > ?1 AND confirmed_at IS NOT NULL AND created_at <= ?2
      AND (suspended_at IS NULL OR suspended_until <= ?3)
    ORDER BY account.rowid LIMIT ?4
    """

  private func census(_ now: Timestamp) throws -> Census {
    let yesterday = Timestamp(
      secondsSinceEpoch: now.secondsSinceEpoch - OutcomeRequests.patience)
    var census = Census()
    var count: Int64
    repeat {
      count = 0
      try database.read { connection in
        try connection.forEach(
          Self.censusQuery,
          [
            .integer(census.people.last ?? 0), .text(yesterday.text), .text(now.text),
            .integer(Self.portion),
          ]
        ) { row in
          count += 1
          census.add(row.int(0), Self.groups(row))
        }
      }
    } while count == Self.portion
    return census
  }

  private static func groups(_ row: borrowing Row) -> [PeopleGrouping: String] {
    let category = row.optionalText(3)
    let contribution =
      category != nil
      ? "devices"
      : row.bool(5)
        ? "edits" : row.bool(6) ? "claims" : row.bool(7) ? "photos" : PeopleGrouping.none
    return [
      .role: row.text(1), .year: row.text(2), .contribution: contribution,
      .country: row.optionalText(4) ?? PeopleGrouping.none,
      .category: category ?? PeopleGrouping.none,
    ]
  }

  /// Publishes a grouping as far as the rules allow, given the groups already shown of earlier groupings.
  ///
  /// - Returns: the groups that are now shown.
  private func publish(
    _ grouping: PeopleGrouping, _ members: [String: Set<Int64>], _ groups: PeopleGroups,
    beside others: [(grouping: PeopleGrouping, shown: Set<String>)], _ today: Day,
    _ connection: borrowing Connection
  ) throws -> Set<String> {
    let name = grouping.rawValue
    let published = try published(grouping, connection)
    let wanted = groups.shown(name)
    var next = Set(published.keys)
    var renewed: Set<String> = []
    for group in wanted.union(published.keys) {
      let isDue =
        published[group].map { $0.isRenewed(by: members[group] ?? []) } ?? true
      guard isDue else { continue }
      renewed.insert(group)
      if wanted.contains(group) { next.insert(group) } else { next.remove(group) }
    }
    let isSafe =
      groups.hidesEnough(name, next)
      && others.allSatisfy {
        groups.areSafe(name, next, beside: $0.grouping.rawValue, $0.shown)
      }
    guard isSafe else { return Set(published.keys) }
    for group in renewed.sorted() {
      try connection.execute(
        "DELETE FROM people_group WHERE grouping = ? AND key = ?", [.text(name), .text(group)])
      guard next.contains(group) else { continue }
      try insert(grouping, group, members[group] ?? [], today, connection)
    }
    return next
  }

  private func published(
    _ grouping: PeopleGrouping, _ connection: borrowing Connection
  ) throws -> [String: PublishedGroup] {
    // Figures published under a lower minimum than today's are deleted.
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

  private func insert(
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
