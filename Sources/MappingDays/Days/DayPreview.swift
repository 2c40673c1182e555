package import PrivacyMap
package import SpatialDatabase

/// The data of a public mapping day that previews show.
package struct DayPreview: Sendable {
  package let id, title, purpose: String
  package let startsAt, endsAt: String
  package let timeZone: String
  /// A polygon in GeoJSON.
  package let area: String
  package let meeting: Coordinate?

  /// Nil if there is no such day that every visitor sees.
  package init?(of text: String, _ connection: borrowing Connection) throws {
    guard let id = DeviceID(text: text) else { return nil }
    let found = try connection.first(
      """
      SELECT title, purpose, starts_at, ends_at, time_zone, area, meeting_longitude,
        meeting_latitude
      FROM mapping_day
      WHERE id = ? AND state IN ('approved', 'running', 'over', 'cancelled')
      """, [.text(id.text)]
    ) { DayPreview(id, $0) }
    guard let found else { return nil }
    self = found
  }

  private init(_ id: DeviceID, _ row: borrowing Row) {
    self.id = id.text
    (title, purpose) = (row.text(0), row.text(1))
    (startsAt, endsAt, timeZone) = (row.text(2), row.text(3), row.text(4))
    area = row.text(5)
    meeting = row.isNull(6) ? nil : .clamped(longitude: row.double(6), latitude: row.double(7))
  }
}
