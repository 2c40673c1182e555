import JSON
import PrivacyMap
import SpatialDatabase

/// The rows that pages show to readers without scripts.
struct PageStore: Sendable {
  /// The name of an approved organisation.
  func organisation(
    _ id: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      "SELECT name FROM organisation WHERE id = ? AND state = 'approved'", [.text(id)])
  }

  /// What previews of a public mapping day show. Times are local times of the day, such as `2027-05-08 10:00`.
  struct DayFacts {
    let id, title, purpose: String
    let start, end: String
    let timeZone: String
    /// A polygon in GeoJSON.
    let area: String
    let meeting: Coordinate?
  }

  /// Nil if there is no such day that every visitor sees.
  func mappingDay(_ text: String, _ connection: borrowing Connection) throws -> DayFacts? {
    guard let id = DeviceID(text: text) else { return nil }
    return try connection.first(
      """
      SELECT title, purpose, starts_at, ends_at, time_zone, area, meeting_longitude,
        meeting_latitude
      FROM mapping_day
      WHERE id = ? AND state IN ('approved', 'running', 'over', 'cancelled')
      """, [.text(id.text)]
    ) { row in
      DayFacts(
        id: id.text, title: row.text(0), purpose: row.text(1),
        start: LocalTime.text(row.text(2), in: row.text(4)),
        end: LocalTime.text(row.text(3), in: row.text(4)), timeZone: row.text(4),
        area: row.text(5),
        meeting: row.isNull(6)
          ? nil : .clamped(longitude: row.double(6), latitude: row.double(7)))
    }
  }

  /// The facts of a public device that summaries of it show, as codes.
  struct Facts {
    let name, category: String
    let data: [String]
    let operatorName: String?
    let status: String
    let description: String?
  }

  /// Nil if there is no such public device.
  func device(_ id: DeviceID, _ connection: borrowing Connection) throws -> Facts? {
    try connection.first(
      """
      SELECT device.name, device.category, device.data_collected, operator.name, device.status,
        device.description
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
      WHERE device.id = ? AND device.hidden = 0
      """, [.text(id.text)]
    ) { row in
      Facts(
        name: row.text(0), category: row.text(1),
        data: JSONText.codes(row.text(2)),
        operatorName: row.optionalText(3), status: row.text(4), description: row.optionalText(5))
    }
  }
}
