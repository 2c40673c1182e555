import Devices
import Import
import JSON
import PrivacyMap
import SpatialDatabase

/// Rows of another table that belong to devices, read in parallel with the devices.
///
/// The devices arrive with ascending rowids, so the other table is read once in the same order. If the
/// next device is far ahead, the cursor seeks to it.
struct RowsAlongside {
  private let cursor: Cursor
  /// The device of the current row; nil at the end.
  private var device: Int64?
  private var row: Row?

  /// The distance in rowids beyond which the cursor seeks: a seek costs about as much as reading this
  /// many rows.
  private static let farAhead: Int64 = 64

  /// The first column of `sql` is the rowid of a device. Its rows are sorted by it, starting at a bound
  /// value.
  init(_ sql: String, _ connection: borrowing Connection) throws {
    cursor = try connection.cursor(sql, [.integer(0)])
    try advance()
  }

  /// Passes each row of the device `wanted` to `body`; `wanted` must be greater than in the previous
  /// call.
  mutating func forEach(of wanted: Int64, _ body: (Row) throws -> Void) throws {
    guard let first = device, first <= wanted else { return }
    if wanted - first > Self.farAhead {
      try cursor.restart(with: wanted)
      try advance()
    }
    while let device, device <= wanted, let row {
      if device == wanted { try body(row) }
      try advance()
    }
  }

  private mutating func advance() throws {
    row = try cursor.next()
    device = row?.int(0)
  }
}

/// The values of tabular exports that come from rows of other tables.
struct DependentRows {
  private var references, tags, choices: RowsAlongside
  private let publicTags: PublicTags

  init(_ publicTags: PublicTags, _ connection: borrowing Connection) throws {
    self.publicTags = publicTags
    references = try RowsAlongside(DeviceKeyStore.inOrder, connection)
    tags = try RowsAlongside(DeviceTags.fromRow, connection)
    choices = try RowsAlongside(OfferedChoice.inOrder, connection)
  }

  /// The value of a column for a device; nil without a value. Calls for a column must have devices in ascending order.
  mutating func value(of device: Int64, _ kind: FlatColumn.Kind) throws -> [UInt8]? {
    switch kind {
    case .references:
      var joined: [UInt8] = []
      try references.forEach(of: device) { row in
        if !joined.isEmpty { joined.append(UInt8(ascii: ";")) }
        row.withUTF8(1) { joined.append(contentsOf: $0) }
        joined.append(UInt8(ascii: ":"))
        row.withUTF8(2) { joined.append(contentsOf: $0) }
      }
      return joined.isEmpty ? nil : joined
    case .tags:
      var shown: [UInt8]?
      try tags.forEach(of: device) { shown = publicTags.json(shownOf: $0.blob(1)) }
      return shown
    case .choices:
      var offered: [JSONValue] = []
      try choices.forEach(of: device) { offered.append(OfferedChoice($0, from: 1).json) }
      return offered.isEmpty ? nil : Array(JSONValue.array(offered).text.utf8)
    case .text, .integer, .number, .flag, .time, .day, .degrees, .list, .credit, .address:
      return nil
    }
  }
}
