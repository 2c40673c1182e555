import Devices
import PrivacyMap
import SpatialDatabase

/// The devices that match a filter, as filters of the in-memory index.
struct DeviceSelection {
  /// The devices that a list with the same filter contains.
  let listed: PointFilter
  /// The devices of all times: also removed ones, if the filter names no status.
  let ofAllTimes: PointFilter
}

extension DeviceSelection {
  /// Conditions that the index lacks (operators, times …) are evaluated by the database; the index then
  /// counts the rows found.
  init(_ filter: DeviceFilter, store: DeviceStore, _ connection: borrowing Connection) throws {
    let today = store.environment.now().day
    let statuses = filter.statuses
    var wide = filter
    // Without a status, the filter means devices that are or were in place.
    if filter[StatusCondition.self] == nil {
      wide[StatusCondition.self] = StatusCondition(
        codes: statuses == DeviceStatus.standing ? statuses + [.removed] : statuses)
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
