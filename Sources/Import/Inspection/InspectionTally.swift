import JSON
internal import Projections
import WrittenValues

/// Collects the facts about the columns and rows of a list during an inspection.
struct InspectionTally {
  /// One row of the sample: its number, the position of the format, and the numbers of its columns.
  struct SampleRow {
    let row: Int
    let position: SamplePosition?
    let numbers: [Int: Double]
    let pairs: [Int: SamplePair]
  }

  private(set) var rows = 0
  private(set) var unreadable = 0
  private(set) var hasForeignBytes = false
  private(set) var hasMoreColumns = false
  private(set) var sample: [SampleRow] = []
  /// The first texts with letters above ASCII.
  private(set) var foreignSamples: [String] = []
  private var columns: [ColumnInspection] = []
  private var places: [[String]: Int] = [:]
  private var doubled = 0
  /// Lists with several objects in one row.
  private var longLists: Set<[String]> = []
  private let systems = CoordinateSystems()
  /// Of the first rows, to recognise equal ones.
  private var rowHashes: Set<Int> = []
  /// Whether the current row is equal to an earlier one.
  private var isRepeated = false
  /// The sample contains the rows whose number is a multiple of this.
  private var stride = 1

  /// The maximum number of columns. Tables made by people have fewer; OpenStreetMap has more kinds of tags.
  static let maxColumns = 200
  /// The maximum number of rows in the sample, which the page draws as points.
  static let maxSamples = 2_000
  private static let maxForeign = 3
  /// The maximum nesting of JSON members that become columns.
  private static let maxDepth = 5

  mutating func add(header: [String]) {
    for name in header { _ = place(of: [name]) }
  }

  /// The names of the columns.
  var names: [String] { columns.compactMap { $0.path.count == 1 ? $0.path.first : nil } }

  mutating func add(_ row: SourceRow) {
    rows += 1
    if let fault = row.fault {
      unreadable += 1
      if fault.code == "not_text" { hasForeignBytes = true }
      return
    }
    var numbers: [Int: Double] = [:]
    var pairs: [Int: SamplePair] = [:]
    isRepeated = false
    if rowHashes.count < Self.maxSamples {
      isRepeated = !rowHashes.insert(Self.hash(row)).inserted
    }
    for (name, value) in row.columns.members { add(value, at: [name], &numbers, &pairs) }
    addToSample(
      SampleRow(
        row: row.number, position: Self.position(row.place), numbers: numbers, pairs: pairs))
  }

  private mutating func add(
    _ value: JSONValue, at path: [String], _ numbers: inout [Int: Double],
    _ pairs: inout [Int: SamplePair]
  ) {
    if case .object(let inner) = value, path.count < Self.maxDepth {
      for (name, value) in inner.members { add(value, at: path + [name], &numbers, &pairs) }
      return
    }
    if let elements = value.arrayValue, elements.contains(where: { $0.objectValue != nil }) {
      // In a list of several objects, the first object is not the row.
      if elements.count > 1 {
        _ = place(of: path)
        longLists.insert(path)
      }
      if elements.count == 1, path.count < Self.maxDepth {
        return add(elements[0], at: path + ["0"], &numbers, &pairs)
      }
    }
    guard let place = place(of: path), let text = Self.text(value) else { return }
    columns[place].add(text, isRepeated: isRepeated)
    if foreignSamples.count < Self.maxForeign, text.utf8.contains(where: { $0 >= 0x80 }) {
      let shown = CleanText(text, limit: 80, lines: false).text
      if !foreignSamples.contains(shown) { foreignSamples.append(shown) }
    }
    if TextRepair.looksDoubleEncoded(text) { doubled += 1 }
    if let number = PlainNumber.read(text) ?? PlainNumber.read(text, decimal: .comma)
      ?? DegreesText.coordinate(text, Self.westernO, isUpright: nil)
      ?? ValueKinds.sign(ofHemisphere: text)
    {
      numbers[place] = number
    } else {
      pairs[place] = columns[place].position(in: text, systems)
    }
  }

  private static func hash(_ row: SourceRow) -> Int {
    var hasher = Hasher()
    var writer = JSONWriter()
    writer.value(.object(row.columns))
    writer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private static let westernO = WrittenPosition.Notation(isOEast: false)

  private mutating func place(of path: [String]) -> Int? {
    if let known = places[path] { return known }
    guard columns.count < Self.maxColumns else {
      hasMoreColumns = true
      return nil
    }
    places[path] = columns.count
    columns.append(ColumnInspection(path: path))
    return columns.count - 1
  }

  /// The text of a value; nil for an empty value. Elements of a list are joined.
  private static func text(_ value: JSONValue) -> String? {
    let text =
      if case .array(let elements) = value {
        elements.prefix(100).compactMap(\.scalarText).joined(separator: ", ")
      } else {
        value.scalarText ?? ""
      }
    let cleaned = RowColumns.cleaned(text)
    return cleaned.isEmpty ? nil : cleaned
  }

  private static func position(_ place: SourcePlace) -> SamplePosition? {
    switch place {
    case .point(let longitude, let latitude), .pointOnShape(let longitude, let latitude):
      guard longitude.isFinite, latitude.isFinite else { return nil }
      return SamplePosition(longitude: longitude, latitude: latitude)
    case .none, .unusable: return nil
    }
  }

  /// Keeps a sample of equally spaced rows. A full sample drops every second row.
  private mutating func addToSample(_ row: SampleRow) {
    guard (rows - 1).isMultiple(of: stride) else { return }
    sample.append(row)
    guard sample.count > Self.maxSamples else { return }
    sample = sample.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    stride *= 2
  }

  /// Whether a tenth of the texts with letters outside ASCII, and at least one, are encoded twice.
  var isDoubleEncoded: Bool {
    let foreign = columns.reduce(0) { $0 + $1.foreign }
    return doubled > 0 && doubled * 10 >= foreign
  }

  var inspectedColumns: [InspectedColumn] {
    let numeric = numericColumns
    let positions = columns.indices.filter { columns[$0].hasPositions }.prefix(Self.maxPositions)
    return columns.enumerated().filter { !isInLongList($0.element.path) }.map { place, column in
      column.inspected(
        numbers: numeric.contains(place) ? sample.map { $0.numbers[place] } : [],
        pairs: positions.contains(place) ? sample.map { $0.pairs[place] } : [],
        isList: longLists.contains(column.path))
    }
  }

  private func isInLongList(_ path: [String]) -> Bool {
    !longLists.isEmpty && path.indices.contains { longLists.contains(Array(path[..<$0])) }
  }

  /// The numeric columns, which may contain coordinates. Columns with fractions come first.
  private var numericColumns: Set<Int> {
    let found = columns.indices.filter { columns[$0].mayBeCoordinate }
    let ordered =
      found.filter { columns[$0].hasFractions } + found.filter { !columns[$0].hasFractions }
    return Set(ordered.prefix(Self.maxNumeric))
  }

  private static let maxNumeric = 16
  private static let maxPositions = 4
}
