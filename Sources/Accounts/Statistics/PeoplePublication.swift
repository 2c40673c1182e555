package import PrivacyMap
package import Service
package import SpatialDatabase

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
/// people and enough have joined or left; otherwise the published figure stays (docs/explanation/suppression.md).
package struct PeoplePublication: Sendable {
  /// The kind of job.
  static let job = "publish_people"
  static let every = Duration.seconds(3_600)
  /// People per read, so that no connection is occupied for long.
  private static let portion: Int64 = 500

  let database: Database
  let environment: Environment
  let publicChanges: PublicChanges
  /// The minimum number of people in a group.
  let minimum: Int
  let store: PeopleStore

  package init(
    database: Database, environment: Environment, publicChanges: PublicChanges, minimum: Int,
    features: [any Feature.Type]
  ) {
    self.database = database
    self.environment = environment
    self.publicChanges = publicChanges
    store = PeopleStore(features)
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
    let now = environment.now()
    guard try database.read({ try Publication.isDue(.people, now.day, $0) }) else { return }
    let census = try census(now)
    let groups = PeopleGroups(census.groups, minimum: minimum)
    var settled: [(grouping: PeopleGrouping, shown: Set<String>)] = []
    for grouping in PeopleGrouping.allCases {
      let members = census.members(grouping)
      let shown = try database.write { connection -> Set<String>? in
        // Another server may have published since, while this one was paused.
        guard try Publication.isDue(.people, now.day, connection) else { return nil }
        try PublicChanges.note(connection, at: now)
        return try publish(grouping, members, groups, beside: settled, now.day, connection)
      }
      guard let shown else { return }
      settled.append((grouping, shown))
    }
    try database.write { connection in
      // All groups get the same date, so that it does not reveal which of them changed.
      try store.date(now.day, connection)
      try Publication.note(.people, now.day, connection)
      try PublicChanges.note(connection, at: now)
    }
    publicChanges.changed()
  }

  private func census(_ now: Timestamp) throws -> Census {
    let yesterday = now.later(-Publication.delay)
    var census = Census()
    var count: Int64
    repeat {
      let people = try database.read { connection in
        try store.people(
          after: census.people.last ?? 0, joinedBy: yesterday, at: now, limit: Self.portion,
          connection)
      }
      for (person, groups) in people { census.add(person, groups) }
      count = Int64(people.count)
    } while count == Self.portion
    return census
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
    let published = try store.published(grouping, minimum: minimum, connection)
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
      try store.delete(group, of: grouping, connection)
      guard next.contains(group) else { continue }
      try store.insert(grouping, group, members[group] ?? [], today, connection)
    }
    return next
  }
}
