import JSON
import PrivacyMap
import SpatialDatabase

/// The rows that pages show to readers without scripts.
struct PageStore: Sendable {
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
