package import JSON
package import PrivacyMap
package import SpatialDatabase

extension OfferedChoice {
  /// The columns of `device_choice` in the order in which ``init(_:from:)`` reads them.
  package static let columns = "kind, channel, target, instructions, deadline_days, checked_on"

  /// Device and ``columns`` of all choices from a device on, in the order of the devices.
  package static let inOrder = """
    SELECT device_rowid, \(columns) FROM device_choice
    WHERE device_rowid >= ? ORDER BY device_rowid, position
    """

  /// Reads ``columns`` of a row from its column `first` on.
  package init(_ row: Row, from first: Int = 0) {
    self.init(kind: row.text(first))
    channel = row.optionalText(first + 1).flatMap(Channel.init(rawValue:))
    target = row.optionalText(first + 2)
    instructions = row.optionalText(first + 3)
    deadlineDays = row.optionalInt(first + 4).map { Int($0) }
    checkedOn = row.optionalText(first + 5).flatMap { Day(text: $0) }
  }

  /// The choices that a device offers, in the order of its record.
  package static func all(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> [OfferedChoice] {
    try connection.rows(
      "SELECT \(columns) FROM device_choice WHERE device_rowid = ? ORDER BY position",
      [.integer(device)]
    ) { OfferedChoice($0) }
  }

  /// The offer as on the device.
  package var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "kind": .string(kind), "channel": text(channel?.rawValue), "target": text(target),
      "instructions": text(instructions),
      "deadline_days": deadlineDays.map { .integer(Int64($0)) } ?? .null,
      "checked_on": text(checkedOn?.text),
    ]
  }
}
