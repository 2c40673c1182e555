import PrivacyMap
import SpatialDatabase

/// The devices in site maps: the same as in lists without a filter.
struct SiteMapStore: Sendable {
  /// Rows of the table `device` in one file; the protocol permits 50,000 addresses and 50 MB.
  static let size: Int64 = 10_000

  private static let isListed = """
    hidden = 0 AND status IN (\(DeviceStatus.standing.map { _ in "?" }.joined(separator: ", ")))
    """
  private static let statuses = DeviceStatus.standing.map { SQLValue.text($0.rawValue) }

  /// The numbers of the ranges of rows that have a listed device.
  func ranges(_ connection: borrowing Connection) throws -> [Int64] {
    let last = try connection.integer("SELECT max(rowid) FROM device") ?? 0
    var found: [Int64] = []
    for number in 0...max(0, last) / Self.size {
      let one = try connection.integer(
        "SELECT 1 FROM device WHERE rowid BETWEEN ? AND ? AND \(Self.isListed) LIMIT 1",
        Self.bounds(number) + Self.statuses)
      if one != nil { found.append(number) }
    }
    return found
  }

  /// The id of each listed device in a range of rows, and the time of its last change.
  func devices(
    inRange number: Int64, _ connection: borrowing Connection
  ) throws -> [(id: String, changedAt: String)] {
    try connection.rows(
      """
      SELECT id, updated_at FROM device WHERE rowid BETWEEN ? AND ? AND \(Self.isListed)
      ORDER BY rowid
      """, Self.bounds(number) + Self.statuses
    ) { ($0.text(0), $0.text(1)) }
  }

  private static func bounds(_ number: Int64) -> [SQLValue] {
    [.integer(number * size), .integer((number + 1) * size - 1)]
  }
}
