import PrivacyMap
import SpatialDatabase

/// The devices of a filter as the point index finds them.
struct DeviceSelection {
  /// Those that a list of the same filter has.
  let listed: PointFilter
  /// Those of all times: where the filter names no status, the ones that were removed as well.
  let ofAllTimes: PointFilter

  /// Two filters of the index that belong together.
  init(listed: PointFilter, ofAllTimes: PointFilter) {
    self.listed = listed
    self.ofAllTimes = ofAllTimes
  }

  /// What the index lacks (operators, times …) is asked of the database; the rows that it finds are then
  /// counted by the index.
  init(_ filter: DeviceFilter, store: DeviceStore, _ connection: borrowing Connection) throws {
    let today = store.surroundings.now().day
    let statuses = filter.effectiveStatuses
    var wide = filter
    // Who asks for no state means what stands, or stood.
    if filter.statuses.isEmpty {
      wide.statuses = statuses == DeviceStatus.standing ? statuses + [.removed] : statuses
    }
    ofAllTimes =
      try wide.pointFilter(vocabulary: store.vocabulary, today: today, connection)
      ?? PointFilter(rows: Self.rows(wide, store: store, today: today, connection))
    var listed = ofAllTimes
    listed.statuses = CodeSet(statuses.map { IndexNumber.of($0) })
    self.listed = listed
  }

  private static func rows(
    _ filter: DeviceFilter, store: DeviceStore, today: Day, _ connection: borrowing Connection
  ) throws -> RowSet {
    let condition = try filter.condition(
      vocabulary: store.vocabulary, today: today, connection: connection)
    var rows = RowSet()
    try connection.forEach(
      "SELECT device.rowid FROM \(DeviceStore.tables) WHERE \(condition.sql)", condition.arguments
    ) { row in
      if let row = UInt32(exactly: row.int(0)) { rows.insert(row) }
    }
    return rows
  }
}
