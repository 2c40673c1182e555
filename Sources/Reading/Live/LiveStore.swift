package import Devices
import Filters
import JSON
import PrivacyMap
import Service
package import SpatialDatabase

/// Reads the devices and changes that are sent to listeners.
struct LiveStore {
  let store: DeviceStore
  let writer: DeviceGeoJSON

  /// A device in a range of the change sequence.
  struct Change: Sendable {
    let rowid: UInt32
    /// Whether it was added in that range.
    let isAdded: Bool
    /// The number of its last change in that range.
    let sequence: Int64
  }

  /// The devices that changed after `sequence`, each once, in the order of their last changes. Nil if there are more
  /// than `maximum` changes, if the sequence does not reach back that far, or if it has not reached that number yet.
  func changes(
    after sequence: Int64, through last: Int64, atMost maximum: Int,
    _ connection: borrowing Connection
  ) throws -> [Change]? {
    guard sequence != last else { return [] }
    guard (0..<last).contains(sequence), last - sequence <= Int64(maximum),
      let oldest = try connection.integer("SELECT min(sequence) FROM change"),
      oldest <= sequence + 1
    else { return nil }
    var changes: [UInt32: Change] = [:]
    try connection.forEach(Self.changes, [.integer(sequence), .integer(last)]) { row in
      guard let rowid = UInt32(exactly: row.int(0)) else { return }
      let earlier = changes[rowid]
      changes[rowid] = Change(
        rowid: rowid, isAdded: row.text(1) == "added" || earlier?.isAdded == true,
        sequence: max(row.int(2), earlier?.sequence ?? 0))
    }
    return changes.values.sorted { $0.sequence < $1.sequence }
  }

  static let changes = """
    SELECT device_rowid, kind, sequence FROM change WHERE sequence > ? AND sequence <= ?
    """

  /// The devices as features of lists, each a line of GeoJSON, without devices that are no longer public.
  func features(
    of rows: [UInt32], _ connection: borrowing Connection
  ) throws -> [UInt32: [UInt8]] {
    var features: [UInt32: [UInt8]] = [:]
    try connection.forEach(writer.statement, keys: rows.map { Int64($0) }) { place, row in
      var json = JSONWriter(capacity: 600)
      try writer.write(row, to: &json, crs: .crs84)
      features[rows[place]] = json.bytes
    }
    return features
  }

  /// The subset of `rows` that matches a filter that the index cannot answer.
  func matching(
    _ filter: DeviceFilter, among rows: [UInt32], _ connection: borrowing Connection
  ) throws -> Set<UInt32> {
    try LiveFilter.matching(filter, among: rows, in: store, connection)
  }

  /// The statement that selects the given rows that meet a condition over `device` and `operator`.
  static func statement(_ condition: String) -> String {
    """
    SELECT device.rowid FROM \(DeviceStore.tables)
    WHERE \(condition) AND device.rowid IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
    """
  }
}

extension LiveFilter {
  /// The subset of `rows` that matches a filter that the index cannot answer; with `includesHidden` also rows that are
  /// not public.
  package static func matching(
    _ filter: DeviceFilter, among rows: [UInt32], includesHidden: Bool = false,
    in store: DeviceStore, _ connection: borrowing Connection
  ) throws -> Set<UInt32> {
    let condition = try filter.condition(
      vocabulary: store.vocabulary, today: store.environment.now().day,
      includesHidden: includesHidden, connection: connection)
    let list = "[" + rows.map { "\($0)" }.joined(separator: ",") + "]"
    return Set(
      try connection.rows(
        LiveStore.statement(condition.sql), condition.arguments + [.text(list)]
      ) { UInt32(clamping: $0.int(0)) })
  }
}
