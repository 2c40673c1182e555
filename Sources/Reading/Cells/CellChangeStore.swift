import PrivacyMap
import SpatialDatabase

/// Reads the devices of a cell by the time of their last change.
struct CellChangeStore {
  /// A position in the order of changes.
  struct Position: Equatable {
    let changedAt: Timestamp
    let rowid: Int64
  }

  /// The first `limit` public devices of a cell that were last changed on a day, after a position.
  func changes(
    in cell: WatchCell, on day: Day, after position: Position?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [Position] {
    let start = Position(changedAt: Timestamp(startOf: day), rowid: 0)
    let position = position ?? start
    let end = Timestamp(startOf: Day(daysSinceEpoch: day.daysSinceEpoch + 1))
    return try connection.rows(
      Self.statement,
      [
        SQLValue(cell.number), .text(position.changedAt.text), .integer(position.rowid),
        .text(end.text), SQLValue(limit),
      ]
    ) { row in (rowid: row.int(0), changedAt: row.text(1)) }
    .compactMap { found in
      Timestamp(text: found.changedAt).map { Position(changedAt: $0, rowid: found.rowid) }
    }
  }

  static let statement = """
    SELECT rowid, updated_at FROM device
    WHERE watch_cell = ? AND hidden = 0 AND (updated_at, rowid) > (?, ?) AND updated_at < ?
    ORDER BY updated_at, rowid LIMIT ?
    """
}
