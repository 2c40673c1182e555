internal import Projections
import WrittenValues

/// One column of an inspected list.
package struct InspectedColumn: Sendable {
  /// The kind of most of its values.
  package enum Kind: String, CaseIterable, Sendable {
    case empty, number, date, text
    /// Numbers with a comma as decimal sign.
    case decimalComma = "decimal_comma"
    /// Degrees with letters or signs: `46° 12' 0" N`.
    case degrees
    /// Positions, each in one value.
    case position
    /// Letters for the hemisphere of the number in another column: N and S, or E and W.
    case hemisphere
    /// Lists of several objects in one row.
    case list
  }

  /// One value and the number of rows that have it.
  package struct Value: Sendable {
    package let text: String
    package let count: Int
  }

  /// As a mapping writes it: a name, or a JSON Pointer.
  package let column: String
  package let kind: Kind
  /// The formats of a date, as in a mapping; several if its values do not decide.
  package let dateFormats: [String]
  /// The number of rows with a value.
  package let filled: Int
  /// Whether its first values are all different.
  package let isUnique: Bool
  /// Its first different values, shortened.
  package let samples: [String]
  /// All values, the most frequent first; empty if there are too many.
  package let values: [Value]
  /// The number in each row of the sample, for columns that may contain coordinates; otherwise empty.
  package let numbers: [Double?]
  /// The two numbers of each row of the sample, for columns with positions; otherwise empty.
  package let pairs: [SamplePair?]
  /// The order that the notation of these positions states, as in a mapping; nil for plain numbers.
  package let order: String?
  /// Whether values have the letter O, which is the east or the west.
  package let hasLetterO: Bool
}

/// Collects the values of one column.
struct ColumnInspection {
  let path: [String]
  private var filled = 0
  /// The number of values with letters outside ASCII.
  private(set) var foreign = 0
  private var samples: [String] = []
  private var counts: [String: Int] = [:]
  private var hasManyValues = false
  /// Hashes of the first values, while they are all different.
  private var hashes: Set<Int> = []
  private var isUnique = true
  private var kinds = ValueKinds()
  private var positions: PositionTally

  private static let maxSamples = 5
  /// Unicode scalars of a sample.
  private static let sampleLength = 80
  /// The number of values that a person assigns to categories one by one.
  private static let maxValues = 60
  /// Bytes of such a value.
  private static let valueLength = 200
  private static let maxHashes = 2_000

  init(path: [String]) {
    self.path = path
    positions = PositionTally(isGeohash: path.last?.lowercased().contains("geohash") == true)
  }

  /// `isRepeated`: the whole row is that of an earlier one, so that its id says nothing about the ids of the list.
  mutating func add(_ text: String, isRepeated: Bool = false) {
    filled += 1
    if text.utf8.contains(where: { $0 >= 0x80 }) { foreign += 1 }
    kinds.add(text)
    addValue(text)
    if isUnique, !isRepeated, hashes.count < Self.maxHashes {
      isUnique = hashes.insert(text.hashValue).inserted
    }
    guard samples.count < Self.maxSamples else { return }
    let shown = CleanText(text, limit: Self.sampleLength, lines: false).text
    if !samples.contains(shown) { samples.append(shown) }
  }

  private mutating func addValue(_ text: String) {
    guard !hasManyValues else { return }
    if text.utf8.count <= Self.valueLength { counts[text, default: 0] += 1 }
    guard text.utf8.count > Self.valueLength || counts.count > Self.maxValues else { return }
    hasManyValues = true
    counts = [:]
  }

  /// The position in a value of the column, if its values are positions.
  mutating func position(in text: String, _ systems: CoordinateSystems) -> SamplePair? {
    positions.read(text, systems).map { SamplePair(first: $0.first, second: $0.second) }
  }

  var hasPositions: Bool { positions.isMost }
  var mayBeCoordinate: Bool { kinds.isMostlyNumbers || kinds.kind == .hemisphere }
  var hasFractions: Bool { kinds.hasFractions || kinds.kind == .hemisphere }

  func inspected(
    numbers: [Double?], pairs: [SamplePair?], isList: Bool = false
  ) -> InspectedColumn {
    let ordered = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return InspectedColumn(
      column: Column.reference(to: path),
      kind: isList ? .list : positions.isMost ? .position : kinds.kind,
      dateFormats: kinds.dateFormats,
      filled: filled, isUnique: isUnique && filled > 1, samples: samples,
      values: ordered.map { InspectedColumn.Value(text: $0.key, count: $0.value) },
      numbers: numbers, pairs: pairs, order: positions.order?.rawValue,
      hasLetterO: positions.hasLetterO)
  }
}

extension Column {
  /// The text by which a mapping names the value at a path.
  static func reference(to path: [String]) -> String {
    if path.count == 1, let name = path.first, !name.hasPrefix("/"), !name.hasPrefix(":") {
      return name
    }
    return PointerText.pointer(to: path)
  }
}
