import PrivacyMap
import Reference
import SpatialDatabase

/// The operators that public devices name, in one state of the map.
///
/// It is computed from the point index and the names of operators. Names that mean the same organisation are one
/// operator (``OperatorName``, ``OperatorRulings``).
///
/// A name on a household device is never listed: it may be the name of the person who lives there. Such a device
/// does not count, so an operator that only household devices name does not exist here.
struct OperatorDirectory: Sendable {
  struct Entry: Sendable {
    let key: String
    /// The most frequent spelling.
    let name: String
    /// The most frequent kind that devices give it.
    let kind: Operator.Kind
    let devices, towns: Int
    /// All names, the most frequent first.
    let spellings: [Spelling]
    /// The rows of `operator`.
    let rows: Set<UInt32>
    /// The words of all spellings, each after a hyphen.
    fileprivate let words: String
  }

  struct Spelling: Hashable, Sendable {
    let name: String
    let devices: Int
  }

  /// The devices of the map by the knowledge about their operator. A device counts in one of these.
  struct Totals: Equatable, Sendable {
    var devices = 0
    /// Devices of listed operators.
    var named = 0
    /// Devices of households, and devices whose operator is not listed, usually because it may be a person.
    var unlisted = 0
    /// Devices without an operator.
    var unknown: Int { devices - named - unlisted }
  }

  enum Order: String, CaseIterable, Sendable { case devices, towns, name }

  let totals: Totals
  let rulings: OperatorRulings
  /// The rows of `operator` whose names are withheld.
  let withheld: Set<UInt32>
  /// By name.
  let entries: [Entry]
  private let places: [String: Int]
  private let orders: [Order: [Int]]
  /// Normal forms, kept because most names are the same in the next state of the map.
  fileprivate let names: [String: OperatorName?]

  func entry(_ key: String) -> Entry? { places[key].map { entries[$0] } }

  /// The operator that a name, in any spelling, belongs to.
  func entry(named text: String) -> Entry? {
    OperatorName(text).flatMap { entry(rulings.key(of: $0)) }
  }

  /// The operators of which every word begins a word in one of their names; nil for all.
  func entries(by order: Order, matching words: String?) -> [Entry] {
    let all = (orders[order] ?? []).lazy.map { entries[$0] }
    guard let words else { return Array(all) }
    guard let wanted = OperatorName(words)?.spelling.split(separator: "-") else { return [] }
    return all.filter { entry in wanted.allSatisfy { entry.words.contains("-\($0)") } }
  }
}

extension OperatorDirectory {
  /// The statuses of the devices that lists show.
  static var filter: PointFilter {
    PointFilter(statuses: CodeSet(DeviceStatus.standing.map { IndexNumber.of($0) }))
  }

  static let allNames = "SELECT rowid, name FROM operator WHERE name IS NOT NULL"
  static let nameQuery = "SELECT name FROM operator WHERE rowid = ?"

  /// Whether a device may be counted under the name of its operator.
  static func isListable(_ profile: DeviceProfile, households: CodeSet) -> Bool {
    !households.contains(profile.category)
      && profile.operatorKind != IndexNumber.of(Operator.Kind.household)
  }

  /// The devices of each row of `operator` that may be listed.
  struct Counts: Sendable {
    fileprivate var rows: [UInt32: RowCount] = [:]
    fileprivate let totals: Totals

    /// Counts without the database, which takes some milliseconds for each ten thousand devices.
    ///
    /// - Parameters:
    ///   - index: the devices.
    ///   - vocabulary: the categories of household devices.
    ///   - towns: finds the town of a device; nil without a gazetteer.
    init(of index: PointIndex, _ vocabulary: Vocabulary, towns: TownIndex?) {
      let households = vocabulary.households
      var rows: [UInt32: RowCount] = [:]
      index.forEachOperated(matching: OperatorDirectory.filter) { row, profile, position in
        guard OperatorDirectory.isListable(profile, households: households) else { return }
        rows[row, default: RowCount()].add(profile.operatorKind, towns?.nearest(to: position))
      }
      self.rows = rows
      totals = OperatorDirectory.totals(index)
    }
  }

  /// - Parameters:
  ///   - counts: the devices.
  ///   - former: a directory of another state of the map, to save work.
  ///   - rulings: the decisions in effect.
  ///   - connection: reads the names.
  /// - Throws: a database error.
  init(
    of counts: Counts, former: OperatorDirectory?, rulings: OperatorRulings,
    _ connection: borrowing Connection
  ) throws {
    let rows = counts.rows.keys.sorted()
    var names: [String: OperatorName?] = [:]
    var groups: [String: Group] = [:]
    try connection.forEach(Self.nameQuery, keys: rows.map { Int64($0) }) { place, row in
      guard let text = row.optionalText(0), let count = counts.rows[rows[place]] else { return }
      let name = former?.names[text] ?? names[text] ?? OperatorName(text)
      names[text] = name
      guard let name else { return }
      let key = rulings.key(of: name)
      guard !rulings.isWithheld(key) else { return }
      groups[key, default: Group()].add(rows[place], text, name, count)
    }
    var withheld: Set<UInt32> = []
    if rulings.withholdsNames {
      // Including the names on removed and unlisted devices.
      try connection.forEach(Self.allNames) { row in
        let text = row.text(1)
        let name = former?.names[text] ?? names[text] ?? OperatorName(text)
        names[text] = name
        guard let name, rulings.isWithheld(rulings.key(of: name)) else { return }
        withheld.insert(UInt32(clamping: row.int(0)))
      }
    }
    let entries = groups.map { $1.entry($0) }.sorted { ($0.key, $0.name) < ($1.key, $1.name) }
    var totals = counts.totals
    totals.named = entries.reduce(0) { $0 + $1.devices }
    totals.unlisted -= totals.named
    self.init(
      totals: totals, rulings: rulings, withheld: withheld, entries: entries, names: names)
  }

  private init(
    totals: Totals, rulings: OperatorRulings, withheld: Set<UInt32>, entries: [Entry],
    names: [String: OperatorName?]
  ) {
    (self.totals, self.rulings, self.entries) = (totals, rulings, entries)
    (self.withheld, self.names) = (withheld, names)
    places = Dictionary(entries.enumerated().map { ($1.key, $0) }) { first, _ in first }
    let all = Array(entries.indices)
    orders = [
      .name: all, .devices: all.sorted { (-entries[$0].devices, $0) < (-entries[$1].devices, $1) },
      .towns: all.sorted { (-entries[$0].towns, $0) < (-entries[$1].towns, $1) },
    ]
  }

  /// The counts of all devices. Devices of a known operator count as ``Totals/unlisted`` at first.
  private static func totals(_ index: PointIndex) -> Totals {
    var totals = Totals(devices: index.count(matching: filter))
    for one in index.profileCounts(matching: filter)
    where one.profile.facts.contains(.operator) { totals.unlisted += one.count }
    return totals
  }

  /// The devices of one row of `operator`.
  fileprivate struct RowCount: Sendable {
    var devices = 0
    var kinds: [UInt8: Int] = [:]
    var towns: Set<Int64> = []

    mutating func add(_ kind: UInt8, _ town: Int64?) {
      devices += 1
      kinds[kind, default: 0] += 1
      if let town { towns.insert(town) }
    }
  }

  /// The rows that are one operator.
  private struct Group {
    var rows: Set<UInt32> = []
    var spellings: [String: Int] = [:]
    var words: Set<String> = []
    var count = RowCount()

    mutating func add(_ row: UInt32, _ text: String, _ name: OperatorName, _ other: RowCount) {
      rows.insert(row)
      spellings[text, default: 0] += other.devices
      words.insert(name.spelling)
      count.devices += other.devices
      count.kinds.merge(other.kinds) { $0 + $1 }
      count.towns.formUnion(other.towns)
    }

    func entry(_ key: String) -> Entry {
      let sorted = spellings.map { Spelling(name: $0.key, devices: $0.value) }
        .sorted { ($1.devices, $0.name) < ($0.devices, $1.name) }
      let kind = count.kinds.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      return Entry(
        key: key, name: sorted.first?.name ?? key,
        kind: Operator.Kind.allCases.first { kind == IndexNumber.of($0) } ?? .unknown,
        devices: count.devices, towns: count.towns.count, spellings: sorted, rows: rows,
        words: words.sorted().map { "-\($0)" }.joined())
    }
  }
}
