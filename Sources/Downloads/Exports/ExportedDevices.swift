package import Devices
import PrivacyMap
package import SpatialDatabase

/// The devices of an export, sorted by rowid (the order of adding).
package struct ExportedDevices: Sendable {
  /// The number of devices, or at least that many if they are not counted.
  let total: Int
  /// The sources of their records, where nil is the instance itself; nil if any source is possible.
  let sources: Set<Int64?>?
  private let which: Which
  private var reported: (@Sendable (Int) -> Void)?

  private enum Which: Sendable {
    /// All devices with these statuses: a scan of the table.
    case all([String])
    /// Ascending rowids, eight bytes each.
    case rows([Int64])
  }

  /// Finds the devices that match `filter` in the snapshot that `connection` reads.
  ///
  /// Uses the point index if it is at the same change as the snapshot. Otherwise, and if `condition` is
  /// given, uses SQL; `condition` is constant SQL that must also hold. Counting all devices by SQL reads
  /// the whole table; with `isCounted` false, ``total`` is then only an upper bound.
  package init(
    _ filter: DeviceFilter, store: DeviceStore, also condition: String? = nil,
    isCounted: Bool = true, _ connection: borrowing Connection
  ) throws {
    let today = store.environment.now().day
    let isAll = filter.conditions.allSatisfy { $0 is StatusCondition } && condition == nil
    let states = filter.statuses.map(\.rawValue)
    let index = store.index.snapshot
    let last = try connection.integer("SELECT max(sequence) FROM change") ?? 0
    if index.sequence == last, last > 0, condition == nil,
      let points = try filter.pointFilter(
        vocabulary: store.vocabulary, today: today, connection)
    {
      if isAll {
        (which, total, sources) = (.all(states), index.count(matching: points), nil)
      } else {
        let rows = index.rowids(matching: points)
        var sources: Set<Int64?> = []
        try connection.forEach("SELECT source_rowid FROM device WHERE rowid = ?", keys: rows) {
          _, row in sources.insert(row.optionalInt(0))
        }
        (which, total, self.sources) = (.rows(rows), rows.count, sources)
      }
      return
    }
    let meant = try filter.condition(
      vocabulary: store.vocabulary, today: today, connection: connection)
    let also = condition.map { " AND (\($0))" } ?? ""
    let from = "FROM \(DeviceStore.tables) WHERE \(meant.sql)\(also)"
    if isAll {
      let count =
        try isCounted
        ? connection.integer("SELECT count(*) \(from)", meant.arguments)
        : connection.integer("SELECT max(rowid) FROM device")
      (which, total, sources) = (.all(states), Int(count ?? 0), nil)
    } else {
      var rows: [Int64] = []
      var sources: Set<Int64?> = []
      try connection.forEach("SELECT device.rowid, device.source_rowid \(from)", meant.arguments) {
        rows.append($0.int(0))
        sources.insert($0.optionalInt(1))
      }
      rows.sort()
      (which, total, self.sources) = (.rows(rows), rows.count, sources)
    }
  }

  /// The condition that selects all devices with some statuses.
  static func standing(_ count: Int) -> String {
    "device.hidden = 0 AND device.status IN (\(SQLValue.marks(count))) ORDER BY device.rowid"
  }

  /// The number of devices between two progress reports.
  private static let tellsAfter = 10_000

  /// The same devices, with progress reports of the number of devices read, the last one at the end.
  func telling(_ reported: @escaping @Sendable (Int) -> Void) -> ExportedDevices {
    var devices = self
    devices.reported = reported
    return devices
  }

  /// Passes each device to `body`, sorted by rowid; `selection` is `SELECT … FROM device …` without a
  /// WHERE clause.
  package func forEach(
    _ selection: String, _ connection: borrowing Connection, _ body: (Row) throws -> Void
  ) throws {
    var count = 0
    func counted(_ row: Row) throws {
      try body(row)
      count += 1
      if count % Self.tellsAfter == 0 { reported?(count) }
    }
    switch which {
    case .all(let states):
      try connection.forEach(
        "\(selection) WHERE \(Self.standing(states.count))", states.map { .text($0) }, counted)
    case .rows(let rows):
      try connection.forEach(
        "\(selection) WHERE device.rowid = ? AND device.hidden = 0", keys: rows
      ) { _, row in try counted(row) }
    }
    reported?(count)
  }
}
