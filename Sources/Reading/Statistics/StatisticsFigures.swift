import Devices
import PrivacyMap
import Reference
import SpatialDatabase

/// Some of all devices, as a count and as a share.
struct Share: Equatable {
  let count: Int
  let total: Int

  /// 0…1; nil if the total is 0.
  var share: Double? { total > 0 ? Double(count) / Double(total) : nil }
}

/// The figures for one area.
struct StatisticsFigures {
  /// A group: its name for each property, or nil for unknown.
  struct Group: Equatable {
    var keys: [String?]
    var count: Int
  }

  /// The groups beyond the limit.
  struct Rest: Equatable {
    var groups: Int
    /// If groups overlap, a device may be counted here more than once.
    var count: Int
  }

  /// One interval of one group.
  struct Step: Equatable {
    var keys: [String?]
    var start: Day
    /// The last day.
    var end: Day
    var added, confirmed, removed, standing: Int
  }

  var disclosure = Disclosure()
  /// Nil if the filter names no area, or its size is unknown.
  var squareKilometres: Double?
  var groups: [Group] = []
  var rest: Rest?
  var series: [Step] = []
}

/// Computes figures from a snapshot of the index.
struct StatisticsCounter {
  let index: PointIndex
  let vocabulary: Vocabulary
  let countries: CountrySizes
  let today: Day
  let question: StatisticsQuestion
  /// The rows of operators whose names are withheld.
  let withheld: Set<UInt32>
  /// The intervals of the question, if it has any.
  let intervals: StatisticsIntervals?

  private var groupings: [PointGrouping] {
    question.properties.map { $0.grouping(today: today, vocabulary) }
  }

  /// The figures of a selection, which is inside these places.
  func figures(
    _ selection: DeviceSelection, in places: [PlaceArea], _ connection: borrowing Connection
  ) throws -> StatisticsFigures {
    var figures = StatisticsFigures()
    let profiles = index.profileCounts(matching: selection.listed)
    figures.disclosure = Disclosure(of: profiles, choices: Self.choicesOffered(vocabulary))
    figures.squareKilometres = squareKilometres(selection.listed, in: places)
    if !question.properties.isEmpty {
      let counts = index.counts(by: groupings, matching: selection.listed, of: profiles)
      let named = try named(counts, connection)
      figures.groups = named.largest(question.limit)
      figures.rest = named.rest(after: question.limit)
    }
    if let intervals {
      figures.series = try series(intervals, selection, connection)
    }
    return figures
  }

  /// The size of the area in a filter: inside the border of its place, of its boxes or of its countries. The overlap of
  /// several areas has no known size, nor has a place without a border.
  private func squareKilometres(_ filter: PointFilter, in places: [PlaceArea]) -> Double? {
    if let place = places.first(where: { !$0.isCountry }) {
      let own = place.country.map { [IndexedPoint.packedCountry($0)] }
      guard places.count == 1, filter.countries == own, question.filter[BoxCondition.self] == nil
      else { return nil }
      return place.squareKilometres
    }
    switch (filter.boxes, filter.countries) {
    case (let boxes?, nil): return boxes.reduce(0) { $0 + $1.squareKilometres }
    case (nil, let countries?):
      return Set(countries).reduce(0) { sum, country in
        sum.flatMap { sum in self.countries.squareKilometres(of: country).map { sum + $0 } }
      }
    default: return nil
    }
  }

  /// The choices that give people an option. A notice alone, `none_offered` and `unknown` do not count.
  private static func choicesOffered(_ vocabulary: Vocabulary) -> UInt32 {
    let none: Set<String> = ["notice_only", "none_offered", "unknown"]
    return vocabulary.bits(
      vocabulary.terms(of: .choices).map(\.code).filter { !none.contains($0) }, in: .choices)
  }

  private func named(
    _ counts: [PointGroup: Int], _ connection: borrowing Connection
  ) throws -> NamedGroups {
    let names = StatisticsNames(vocabulary: vocabulary, withheld: withheld)
    return try NamedGroups(counts, question.properties, names, connection)
  }

  private func series(
    _ intervals: StatisticsIntervals, _ selection: DeviceSelection,
    _ connection: borrowing Connection
  ) throws -> [StatisticsFigures.Step] {
    let counts = index.counts(by: groupings, matching: selection.ofAllTimes)
    let named = try named(counts, connection)
    let fitting = StatisticsQuestion.maximumSteps / max(1, intervals.starts.count)
    // The whole is included even if it is empty.
    let listed =
      question.properties.isEmpty
      ? [StatisticsFigures.Group(keys: [], count: 0)]
      : named.largest(min(question.limit, fitting))
    let members = listed.map { named.members($0.keys) }
    let steps = index.steps(
      of: members.flatMap { $0 }, by: groupings, starts: intervals.starts.map(intervals.number),
      end: intervals.number(intervals.end), matching: selection.ofAllTimes)
    var next = steps.startIndex
    return zip(listed, members).flatMap { group, members in
      let own = steps[next..<next + members.count]
      next += members.count
      return intervals.rows(group.keys, PointSteps(sum: own, count: intervals.starts.count))
    }
  }
}

/// Groups by name: codes with the same name, such as operators entered twice, form one group.
struct NamedGroups {
  private let groups: [StatisticsFigures.Group]
  private let byKeys: [[String?]: [PointGroup]]

  init(
    _ counts: [PointGroup: Int], _ properties: [StatisticsProperty], _ names: StatisticsNames,
    _ connection: borrowing Connection
  ) throws {
    var texts: [[UInt32: String]] = []
    for (place, property) in properties.enumerated() {
      let codes = Set(counts.keys.map { place == 0 ? $0.first : $0.second })
      texts.append(try names.texts(of: codes, under: property, connection))
    }
    var byKeys: [[String?]: [PointGroup]] = [:]
    for group in counts.keys {
      let keys = zip(texts, [group.first, group.second]).map { $0[$1] }
      byKeys[keys, default: []].append(group)
    }
    self.byKeys = byKeys
    groups = byKeys.map { keys, members in
      StatisticsFigures.Group(keys: keys, count: members.reduce(0) { $0 + (counts[$1] ?? 0) })
    }.sorted { one, other in
      one.count != other.count
        ? one.count > other.count : Self.comesBefore(one.keys, other.keys)
    }
  }

  /// The largest groups; groups of the same size by name, unknown last.
  func largest(_ limit: Int) -> [StatisticsFigures.Group] { Array(groups.prefix(limit)) }

  /// The groups after those; nil if there are no more.
  func rest(after limit: Int) -> StatisticsFigures.Rest? {
    let others = groups.dropFirst(limit)
    guard !others.isEmpty else { return nil }
    return StatisticsFigures.Rest(
      groups: others.count, count: others.reduce(0) { $0 + $1.count })
  }

  /// The codes with a name.
  func members(_ keys: [String?]) -> [PointGroup] { byKeys[keys] ?? [] }

  private static func comesBefore(_ one: [String?], _ other: [String?]) -> Bool {
    for (one, other) in zip(one, other) where one != other {
      guard let one else { return false }
      guard let other else { return true }
      return one < other
    }
    return false
  }
}
