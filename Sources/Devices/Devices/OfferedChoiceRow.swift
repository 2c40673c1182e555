package import JSON
package import PrivacyMap
package import SpatialDatabase

extension OfferedChoice {
  /// The columns of `device_choice` in the order in which ``init(_:)`` reads them.
  static let columns = "kind, channel, target, instructions, deadline_days, checked_on"

  /// Reads a row of ``columns``.
  init(_ row: Row) {
    self.init(kind: row.text(0))
    channel = row.optionalText(1).flatMap(Channel.init(rawValue:))
    target = row.optionalText(2)
    instructions = row.optionalText(3)
    deadlineDays = row.optionalInt(4).map { Int($0) }
    checkedOn = row.optionalText(5).flatMap { Day(text: $0) }
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
