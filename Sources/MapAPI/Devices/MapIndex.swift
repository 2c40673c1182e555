package import PrivacyMap
package import SpatialDatabase
import Synchronization

/// The point index of the running server, kept in step with the database.
///
/// The database is the only truth. The index is read from it at start, and brought up to its change
/// sequence after each commit and before the commit is answered, so no answer shows what a write has
/// made untrue.
package final class MapIndex: Sendable {
  private let current: Mutex<PointIndex>
  /// Held while the index is brought up to date, so that two commits do not do it at once.
  private let following = Mutex(())
  private let reader: IndexedPointReader

  /// An index of nothing, to be filled by ``load(from:)``.
  package init(vocabulary: Vocabulary) {
    reader = IndexedPointReader(vocabulary: vocabulary)
    current = Mutex(PointIndex())
  }

  /// What the index knows now: a value that later commits do not change.
  package var snapshot: PointIndex { current.withLock { $0 } }

  /// The change sequence that the index reflects.
  package var sequence: Int64 { current.withLock { $0.sequence } }

  /// Reads every public device.
  package func load(from database: Database) throws {
    try following.withLock { _ in
      let index = try database.read(limit: .none) { connection in
        var builder = PointIndex.Builder()
        let sequence = try Self.lastSequence(connection)
        try reader.forEach(connection) { builder.append($0) }
        return builder.finish(sequence: sequence)
      }
      current.withLock { $0 = index }
    }
  }

  /// Takes in what was committed since the last time.
  package func catchUp(with database: Database) throws {
    try following.withLock { _ in
      let seen = snapshot.sequence
      let (changes, sequence) = try database.read(limit: .none) { connection in
        let sequence = try Self.lastSequence(connection)
        guard sequence > seen else { return ([PointChange](), seen) }
        var changes: [PointChange] = []
        let rowids = try connection.rows(
          "SELECT DISTINCT device_rowid FROM change WHERE sequence > ? AND sequence <= ?",
          [.integer(seen), .integer(sequence)]
        ) { $0.int(0) }
        for rowid in rowids {
          if let point = try reader.point(rowid: rowid, connection) {
            changes.append(.put(point))
          } else if let rowid = UInt32(exactly: rowid) {
            changes.append(.remove(rowid: rowid))
          }
        }
        return (changes, sequence)
      }
      guard sequence > seen else { return }
      var next = snapshot
      next.apply(changes, sequence: sequence)
      current.withLock { $0 = next }
    }
  }

  private static func lastSequence(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT max(sequence) FROM change") ?? 0
  }
}

/// Reads devices as the index knows them.
struct IndexedPointReader: Sendable {
  private let vocabulary: Vocabulary
  private let numberOfCategory: [String: UInt8]

  init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    numberOfCategory = Dictionary(
      vocabulary.categories.map { ($0.code, $0.number) }, uniquingKeysWith: { first, _ in first })
  }

  private static let selection = """
    SELECT device.rowid, device.id, device.longitude, device.latitude, device.category,
      device.status, device.setting, COALESCE(operator.kind, 'unknown'), device.precision,
      device.data_collected, device.choices, device.stale_on, device.country, device.bearings
    FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
    WHERE device.hidden = 0
    """

  /// Every public device, or those of a condition over `device` and `operator`.
  func forEach(
    _ connection: borrowing Connection,
    where condition: (sql: String, arguments: [SQLValue]) = ("1 = 1", []),
    _ body: (IndexedPoint) -> Void
  ) throws {
    var bits = BitCache(vocabulary: vocabulary)
    try connection.forEach(
      Self.selection + " AND " + condition.sql, condition.arguments
    ) { row in
      if let point = self.point(row, &bits) { body(point) }
    }
  }

  func point(rowid: Int64, _ connection: borrowing Connection) throws -> IndexedPoint? {
    var bits = BitCache(vocabulary: vocabulary)
    return try connection.first(
      Self.selection + " AND device.rowid = ?", [.integer(rowid)]
    ) { self.point($0, &bits) } ?? nil
  }

  private func point(_ row: borrowing Row, _ bits: inout BitCache) -> IndexedPoint? {
    guard let rowid = UInt32(exactly: row.int(0)), let id = DeviceID(text: row.text(1)),
      let category = numberOfCategory[row.text(4)],
      let place = try? Coordinate(longitude: row.double(2), latitude: row.double(3))
    else { return nil }
    return IndexedPoint(
      rowid: rowid, id: id, position: FixedPosition(place),
      profile: DeviceProfile(
        category: category,
        status: IndexNumber.of(DeviceStatus(rawValue: row.text(5)) ?? .reported),
        setting: IndexNumber.of(row.optionalText(6).flatMap(Setting.init(rawValue:))),
        operatorKind: IndexNumber.of(Operator.Kind(rawValue: row.text(7)) ?? .unknown),
        precision: IndexNumber.of(Precision(rawValue: row.text(8)) ?? .exact),
        data: bits.of(row.text(9), in: .data), choices: bits.of(row.text(10), in: .choices)),
      dueDay: Day(text: row.text(11)).map(IndexNumber.of) ?? 0,
      country: row.optionalText(12).map(IndexedPoint.packedCountry) ?? 0,
      bearing: Self.firstBearing(row.text(13)))
  }

  /// The first number of a JSON array, in whole degrees.
  private static func firstBearing(_ json: String) -> UInt16 {
    let number = json.dropFirst().prefix { $0 != "," && $0 != "]" }
    guard let degrees = Double(number), degrees >= 0, degrees <= 360 else {
      return IndexedPoint.noBearing
    }
    return UInt16(degrees.rounded()) % 360
  }
}

/// The bits of the JSON arrays of codes seen so far; there are few distinct ones.
private struct BitCache {
  let vocabulary: Vocabulary
  private var seen: [Scheme: [String: UInt32]] = [:]

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  mutating func of(_ json: String, in scheme: Scheme) -> UInt32 {
    if json == "[]" { return 0 }
    if let bits = seen[scheme]?[json] { return bits }
    let codes = json.split { "[]\",".contains($0) }.map(String.init)
    let bits = vocabulary.bits(codes, in: scheme)
    seen[scheme, default: [:]][json] = bits
    return bits
  }
}

/// Where the cases of a few fixed lists stand in the index.
enum IndexNumber {
  /// The place of a case among all.
  static func of<Case: CaseIterable & Equatable>(_ value: Case) -> UInt8 {
    let place = Case.allCases.enumerated().first { $0.element == value }?.offset ?? 0
    return UInt8(clamping: place)
  }

  /// The place of a case among all, counted from 1; 0 is unknown.
  static func of(_ value: Setting?) -> UInt8 { value.map { of($0) + 1 } ?? 0 }

  /// Days since 2000-01-01, which is day 10,957 since 1970; 0 is unknown.
  static func of(_ day: Day) -> UInt16 { UInt16(clamping: max(1, day.daysSinceEpoch - 10_957)) }

  static func status(_ number: UInt8) -> DeviceStatus? {
    DeviceStatus.allCases.indices.contains(Int(number)) ? DeviceStatus.allCases[Int(number)] : nil
  }

  static func precision(_ number: UInt8) -> Precision? {
    Precision.allCases.indices.contains(Int(number)) ? Precision.allCases[Int(number)] : nil
  }
}

extension DeviceFilter {
  /// The filter as the index understands it.
  ///
  /// - Returns: nil when it names what the index does not hold.
  func pointFilter(vocabulary: Vocabulary, today: Day) -> PointFilter? {
    guard isAnsweredByIndex else { return nil }
    var filter = PointFilter()
    filter.boxes = Self.boxes(box, placeBox)
    if !categories.isEmpty {
      filter.categories = CodeSet(categories.compactMap { vocabulary.category($0)?.number })
    }
    filter.statuses = CodeSet(effectiveStatuses.map { IndexNumber.of($0) })
    if !settings.isEmpty { filter.settings = CodeSet(settings.map { IndexNumber.of($0) + 1 }) }
    if !operatorKinds.isEmpty {
      filter.operatorKinds = CodeSet(operatorKinds.map { IndexNumber.of($0) })
    }
    if !dataCollected.isEmpty {
      filter.dataAny = vocabulary.bits(dataWithDescendants(vocabulary), in: .data)
    }
    if !choices.isEmpty { filter.choicesAny = vocabulary.bits(choices, in: .choices) }
    if !countries.isEmpty { filter.countries = countries.map(IndexedPoint.packedCountry) }
    if !freshness.isEmpty {
      filter.dueDays = freshness.map { freshness in
        let days = Self.days(of: freshness, today: today)
        return IndexNumber.of(days.lowerBound)...IndexNumber.of(days.upperBound)
      }
    }
    return filter
  }

  /// The boxes whose union is the intersection of two areas; nil is the world.
  private static func boxes(_ first: BoundingBox?, _ second: BoundingBox?) -> [FixedBox]? {
    let areas = [first, second].compactMap { $0 }.map { FixedBox.halves(of: $0) }
    guard let one = areas.first else { return nil }
    guard let other = areas.dropFirst().first else { return one }
    return one.flatMap { box in other.compactMap { box.intersection($0) } }
  }
}
