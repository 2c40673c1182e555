import PrivacyMap
import SpatialDatabase

/// Some of all devices, as a count and as a share.
struct Share: Equatable {
  let count: Int
  let total: Int

  /// 0…1; nil of nothing.
  var share: Double? { total > 0 ? Double(count) / Double(total) : nil }
}

/// What statistics say of one area.
struct StatisticsFigures {
  /// A group: what it is called under each property, nil where that is unknown.
  struct Group: Equatable {
    var keys: [String?]
    var count: Int
  }

  /// The groups that are too many to tell.
  struct Rest: Equatable {
    var groups: Int
    /// Where groups overlap, a device may be in here more than once.
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
  /// Nil where no area was asked for, or its size is not known.
  var squareKilometres: Double?
  var groups: [Group] = []
  var rest: Rest?
  var series: [Step] = []
}

/// Works out figures from a snapshot of the index.
struct StatisticsCounter {
  let index: PointIndex
  let vocabulary: Vocabulary
  let countries: CountrySizes
  let today: Day
  let question: StatisticsQuestion
  /// The intervals of the question, if it asks for any.
  let intervals: StatisticsIntervals?

  private var groupings: [PointGrouping] {
    question.properties.map { $0.grouping(today: today) }
  }

  /// The figures of a selection.
  func figures(
    _ selection: DeviceSelection, _ connection: borrowing Connection
  ) throws -> StatisticsFigures {
    var figures = StatisticsFigures()
    let profiles = index.profileCounts(matching: selection.listed)
    figures.disclosure = Disclosure(of: profiles, choices: Self.choicesOffered(vocabulary))
    figures.squareKilometres = squareKilometres(selection.listed)
    if !question.properties.isEmpty {
      let counts = index.counts(by: groupings, matching: selection.listed, of: profiles)
      let named = try NamedGroups(counts, question.properties, vocabulary, connection)
      figures.groups = named.largest(question.limit)
      figures.rest = named.rest(after: question.limit)
    }
    if let intervals {
      figures.series = try series(intervals, selection, connection)
    }
    return figures
  }

  /// The size of the area that a filter asks for: of its boxes or of its countries. Where it has both,
  /// it is not known how much of the one lies in the other.
  private func squareKilometres(_ filter: PointFilter) -> Double? {
    switch (filter.boxes, filter.countries) {
    case (let boxes?, nil): return boxes.reduce(0) { $0 + $1.squareKilometres }
    case (nil, let countries?):
      return Set(countries).reduce(0) { sum, country in
        sum.flatMap { sum in self.countries.squareKilometres(of: country).map { sum + $0 } }
      }
    default: return nil
    }
  }

  /// The choices that let somebody do something: a notice alone is none, and neither is the word that
  /// there is none or that nobody knows.
  private static func choicesOffered(_ vocabulary: Vocabulary) -> UInt32 {
    let none: Set<String> = ["notice_only", "none_offered", "unknown"]
    return vocabulary.bits(
      vocabulary.terms(of: .choices).map(\.code).filter { !none.contains($0) }, in: .choices)
  }

  private func series(
    _ intervals: StatisticsIntervals, _ selection: DeviceSelection,
    _ connection: borrowing Connection
  ) throws -> [StatisticsFigures.Step] {
    let counts = index.counts(by: groupings, matching: selection.ofAllTimes)
    let named = try NamedGroups(counts, question.properties, vocabulary, connection)
    let fitting = StatisticsQuestion.maximumSteps / max(1, intervals.starts.count)
    // The whole is told of even where nothing is in it.
    let told =
      question.properties.isEmpty
      ? [StatisticsFigures.Group(keys: [], count: 0)]
      : named.largest(min(question.limit, fitting))
    let members = told.map { named.members($0.keys) }
    let steps = index.steps(
      of: members.flatMap { $0 }, by: groupings, starts: intervals.starts.map(intervals.number),
      end: intervals.number(intervals.end), matching: selection.ofAllTimes)
    var next = steps.startIndex
    return zip(told, members).flatMap { group, members in
      let own = steps[next..<next + members.count]
      next += members.count
      return intervals.rows(group.keys, PointSteps(sum: own, count: intervals.starts.count))
    }
  }
}

/// Groups by what they are called: codes that have one name, as operators entered twice, are one.
struct NamedGroups {
  private let groups: [StatisticsFigures.Group]
  private let byKeys: [[String?]: [PointGroup]]

  init(
    _ counts: [PointGroup: Int], _ properties: [StatisticsProperty], _ vocabulary: Vocabulary,
    _ connection: borrowing Connection
  ) throws {
    let names = StatisticsNames(vocabulary: vocabulary)
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

  /// The first groups, the largest first; of the same size by name, the unknown last.
  func largest(_ limit: Int) -> [StatisticsFigures.Group] { Array(groups.prefix(limit)) }

  /// What comes after those; nil where nothing does.
  func rest(after limit: Int) -> StatisticsFigures.Rest? {
    let others = groups.dropFirst(limit)
    guard !others.isEmpty else { return nil }
    return StatisticsFigures.Rest(
      groups: others.count, count: others.reduce(0) { $0 + $1.count })
  }

  /// The codes behind a name.
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
