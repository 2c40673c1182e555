import Devices
import JSON
import PrivacyMap
import SpatialDatabase

/// The `watch_change` table: the changes that some watch may report, found by the keys of an area.
struct ChangeLog: Sendable {
  let environment: Environment
  let vocabulary: Vocabulary

  /// The content of a change: a device, or the figures about requests to an operator.
  enum Content {
    case device(ChangeStore.Change)
    case outcome(operator: String)
  }

  struct Entry {
    let number: Int64
    /// The last change in it.
    let sequence: Int64
    let happenedAt: String
    let content: Content
  }

  /// The direction in which changes are read.
  enum Order {
    case oldestFirst, latestFirst
  }

  // Writing

  /// Adds a changed device under keys.
  func add(
    _ change: ChangeStore.Change, _ keys: [Int64], _ connection: borrowing Connection
  ) throws {
    guard let point = change.after ?? change.before else { return }
    func names(_ names: Set<String>) -> SQLValue { .text(JSONText.strings(names.sorted())) }
    let nothing = [SQLValue](repeating: .null, count: DeviceImage.columns.count)
    try connection.execute(
      Self.addition,
      [
        .integer(change.sequence), .text(environment.now().text), .text(Self.list(keys)),
        .integer(change.rowid), .text(point.id.text), names(change.operatorsBefore),
        names(change.operatorsAfter), names(change.properties), SQLValue(change.hasStatement),
        SQLValue(change.isConfirmedAnew), SQLValue(change.isCompared),
      ] + (change.imageBefore?.values ?? nothing) + (change.imageAfter?.values ?? nothing))
    try file(keys, connection)
  }

  private static let addition: String = {
    let images = ["before_", "after_"].flatMap { prefix in DeviceImage.columns.map { prefix + $0 } }
    let columns =
      [
        "sequence", "happened_at", "keys", "device_rowid", "device_id", "operators_before",
        "operators_after", "properties", "has_statement", "is_confirmed_anew", "is_compared",
      ] + images
    return """
      INSERT INTO watch_change (\(columns.joined(separator: ", ")))
      VALUES (\(SQLValue.marks(columns.count)))
      """
  }()

  /// Adds new figures about an operator.
  func add(
    outcomeOf name: String, _ sequence: Int64, _ connection: borrowing Connection
  ) throws {
    let keys = [ChangeKey.outcomes]
    try connection.execute(
      """
      INSERT INTO watch_change (sequence, happened_at, keys, operators_after) VALUES (?, ?, ?, ?)
      """,
      [
        .integer(sequence), .text(environment.now().text), .text(Self.list(keys)),
        .text(JSONText.strings([name])),
      ])
    try file(keys, connection)
  }

  private func file(_ keys: [Int64], _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      INSERT INTO watch_change_key (key, number)
      SELECT CAST(part.value AS BIGINT), CAST(? AS BIGINT) FROM json_each(?) AS part
      """, [.integer(connection.lastInsertedRowID), .text(Self.list(keys))])
  }

  private static func list(_ keys: [Int64]) -> String {
    "[" + keys.map(String.init).joined(separator: ",") + "]"
  }

  /// Erases the changes until `limit`, at most `maximum`.
  ///
  /// - Returns: the number of erased changes.
  static func forget(
    until limit: SQLValue, maximum: Int, _ connection: borrowing Connection
  ) throws -> Int {
    let numbers = try connection.rows(
      "SELECT number FROM watch_change WHERE happened_at <= ? ORDER BY happened_at LIMIT ?",
      [limit, SQLValue(maximum)]
    ) { $0.int(0) }
    for number in numbers {
      try connection.execute(
        """
        DELETE FROM watch_change_key WHERE number = ?1 AND key IN (
          SELECT CAST(part.value AS BIGINT)
          FROM watch_change CROSS JOIN json_each(watch_change.keys) AS part
          WHERE watch_change.number = ?1)
        """, [.integer(number)])
      try connection.execute("DELETE FROM watch_change WHERE number = ?", [.integer(number)])
    }
    return numbers.count
  }

  // Reading

  /// The greatest number.
  static let last = "SELECT coalesce(max(number), 0) FROM watch_change"

  /// A part of the changes under some keys.
  struct Part {
    let numbers: [Int64]
    /// Whether there are no further ones.
    let isLast: Bool
  }

  /// The next changes under keys, after or before a number.
  func numbers(
    _ keys: [Int64], beyond number: Int64, _ order: Order, _ connection: borrowing Connection
  ) throws -> Part {
    var found: Set<Int64> = []
    // The last number read for each key that has further changes.
    var ends: [Int64] = []
    let sql = order == .oldestFirst ? Self.later : Self.earlier
    for key in keys {
      let some = try connection.rows(
        sql, [.integer(key), .integer(number), SQLValue(Self.window)]
      ) { $0.int(0) }
      found.formUnion(some)
      if some.count == Self.window, let end = some.last { ends.append(end) }
    }
    switch order {
    case .oldestFirst:
      let end = ends.min() ?? .max
      return Part(numbers: found.filter { $0 <= end }.sorted(), isLast: ends.isEmpty)
    case .latestFirst:
      let end = ends.max() ?? .min
      return Part(numbers: found.filter { $0 >= end }.sorted(by: >), isLast: ends.isEmpty)
    }
  }

  static let window = 500
  static let later = """
    SELECT number FROM watch_change_key WHERE key = ? AND number > ? ORDER BY number LIMIT ?
    """
  static let earlier = """
    SELECT number FROM watch_change_key WHERE key = ? AND number < ? ORDER BY number DESC LIMIT ?
    """

  /// The changes with these numbers, in their order.
  func entries(
    _ numbers: some Collection<Int64>, _ connection: borrowing Connection
  ) throws -> [Entry] {
    let numbers = Array(numbers)
    let reader = IndexedPointReader(vocabulary: vocabulary)
    var before: [Int: DeviceImage] = [:]
    var after: [Int: DeviceImage] = [:]
    try reader.forEachImage(.before, numbers, connection) { before[$0] = $1 }
    try reader.forEachImage(.after, numbers, connection) { after[$0] = $1 }
    var entries: [Entry] = []
    try connection.forEach(Self.entry, keys: numbers) { place, row in
      func names(_ column: Int) -> Set<String> { Self.names(row.text(column)) }
      let content: Content
      if let rowid = row.optionalInt(2) {
        var change = ChangeStore.Change(rowid: rowid, sequence: row.int(0))
        (change.imageBefore, change.imageAfter) = (before[place], after[place])
        (change.operatorsBefore, change.operatorsAfter) = (names(3), names(4))
        change.properties = names(5)
        change.hasStatement = row.bool(6)
        change.isConfirmedAnew = row.bool(7)
        change.isCompared = row.bool(8)
        content = .device(change)
      } else {
        content = .outcome(operator: names(4).first ?? "")
      }
      entries.append(
        Entry(
          number: numbers[place], sequence: row.int(0), happenedAt: row.text(1), content: content))
    }
    return entries
  }

  private static func names(_ json: String) -> Set<String> {
    // Most lists are empty.
    guard json != "[]", let list = try? JSONValue(parsing: Array(json.utf8)) else { return [] }
    return Set(list.arrayValue?.compactMap(\.stringValue) ?? [])
  }

  static let entry = """
    SELECT sequence, happened_at, device_rowid, operators_before, operators_after, properties,
      has_statement, is_confirmed_anew, is_compared
    FROM watch_change WHERE number = ?
    """
}
