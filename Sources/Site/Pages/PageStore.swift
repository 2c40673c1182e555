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

  /// Name, category, data, operator, status and description of a public device.
  func device(
    _ id: DeviceID, _ connection: borrowing Connection
  ) throws -> (String, String, String, String?, String, String?)? {
    try connection.first(
      """
      SELECT device.name, device.category, device.data_collected, operator.name, device.status,
        device.description
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
      WHERE device.id = ? AND device.hidden = 0
      """, [.text(id.text)]
    ) { row in
      (
        row.text(0), row.text(1), row.text(2), row.optionalText(3), row.text(4),
        row.optionalText(5)
      )
    }
  }

  /// Label and definition of a term, in a language or in English.
  func term(
    _ scheme: String, _ code: String, in language: String, _ connection: borrowing Connection
  ) throws -> (String, String)? {
    try connection.first(
      """
      SELECT label, definition FROM translation
      WHERE scheme = ? AND code = ? AND language IN (?, 'en') ORDER BY language = 'en' LIMIT 1
      """, [.text(scheme), .text(code), .text(language)]
    ) { ($0.text(0), $0.text(1)) }
  }
}
