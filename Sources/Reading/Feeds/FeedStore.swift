import Devices
import PrivacyMap
import Reference
import SpatialDatabase

/// Reads feeds.
struct FeedStore: Sendable {
  /// The devices of a filter, the last changed first, starting after the position `last`.
  func page(
    _ filter: DeviceFilter, store: DeviceStore, after last: (updatedAt: String, rowid: Int64)?,
    limit: Int, language: String, _ connection: borrowing Connection
  ) throws -> [FeedEntry] {
    let today = store.environment.now().day
    let condition = try filter.condition(
      vocabulary: store.vocabulary, today: today,
      usesTree: !Self.walks(filter, limit: limit, in: store, today: today), connection: connection)
    let words = try TermLabels(in: language, connection)
    var arguments = condition.arguments
    if let last { arguments += [.text(last.updatedAt), .integer(last.rowid)] }
    return try connection.rows(
      Self.statement(condition.sql, isFirst: last == nil), arguments + [SQLValue(limit)]
    ) { row in
      FeedEntry(
        rowid: row.int(0), id: row.text(1), name: row.text(2),
        category: words.label("categories", row.text(3)),
        status: words.label("statuses", row.text(4)), longitude: row.double(5),
        latitude: row.double(6), createdAt: row.text(7), updatedAt: row.text(8),
        licence: row.optionalText(9))
    }
  }

  /// Whether a walk through the last changed devices finds a page in the boxes of a filter sooner than their R*Tree,
  /// which finds all devices of the boxes before they are sorted.
  static func walks(_ filter: DeviceFilter, limit: Int, in store: DeviceStore, today: Day) -> Bool {
    let area = DeviceFilter(
      filter.conditions.filter { $0 is BoxCondition || $0 is PlaceCondition })
    guard let points = area.pointFilter(vocabulary: store.vocabulary, today: today) else {
      return false
    }
    let snapshot = store.index.snapshot
    let inArea = snapshot.count(matching: points)
    // If the area has one device of n, the walk passes n devices for each one that it finds.
    return inArea > 0 && snapshot.count / inArea * limit < inArea
  }

  /// The statement for a page with a condition over `device` and `operator`.
  static func statement(_ condition: String, isFirst: Bool) -> String {
    """
    SELECT device.rowid, device.id, device.name, device.category, device.status, device.longitude,
      device.latitude, device.created_at, device.updated_at,
      \(SourceStore.licence)
    FROM \(DeviceStore.tables)
    WHERE \(condition)\(isFirst ? "" : " AND (device.updated_at, device.rowid) < (?, ?)")
    ORDER BY device.updated_at DESC, device.rowid DESC LIMIT ?
    """
  }

  /// The time of the last change. The removal of a device also changes a feed, so it does not follow from
  /// the entries alone.
  func lastChange(_ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT changed_at FROM change ORDER BY sequence DESC LIMIT 1")
  }
}
