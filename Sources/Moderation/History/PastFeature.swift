import Contributions
import Devices
import Import
import JSON
import Pictures
import PrivacyMap
package import Service
import SpatialDatabase

/// Shows past states of devices, and the changes of a revision.
package struct PastFeature: InstancePart {
  private let writer: DeviceGeoJSON

  /// Properties that derive from other tables and therefore have no history.
  private static let unknown: Set<String> = [
    "claims", "photos", "refs", "tags", "last_confirmed", "stale_on", "registered_operator",
    "statement", "licence",
  ]

  package init(_ instance: Instance) throws {
    writer = DeviceGeoJSON(
      properties: DeviceProperty.all.filter { !Self.unknown.contains($0.name) },
      publicTags: try instance.given())
  }

  /// The feature at that revision. Its point and its stated precision use the coarser of the past
  /// precision and `now`.
  func feature(
    _ past: PastDevice, _ entry: RevisionEntry, now: Precision, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let shown = past.precision.coarser(now)
    var columns = past.columns
    let point = past.point(at: shown)
    columns["longitude"] = .real(point.longitude)
    columns["latitude"] = .real(point.latitude)
    columns["precision"] = .text(shown.rawValue)
    var json = JSONWriter(capacity: 2_048)
    try writer.write(
      rowid: past.rowid, columns: columns, choices: past.choices, revision: past.number,
      updatedAt: entry.madeAt, to: &json, connection)
    var feature = try JSONValue(parsing: json.bytes).objectValue ?? JSONObject()
    var properties = feature["properties"]?.objectValue ?? JSONObject()
    properties["photos"] = try photos(past.photos, connection)
    feature["properties"] = .object(properties)
    return .object(feature)
  }

  /// A property that differs between two versions, with both values. `exact_place` becomes true: no response has the
  /// points of a move inside a cell.
  typealias Change = (field: String, before: JSONValue, after: JSONValue)

  static let change = JSONShape<Change>(
    nil, .text("field") { $0.field }, .init("before", .any) { $0.before },
    .init("after", .any) { $0.after })

  /// A revision compared with the previous one.
  struct Comparison {
    let entry: RevisionEntry
    let changes: [Change]
    /// The device as it was after the revision.
    let feature: JSONValue
  }

  /// The changes of a revision. Points use the coarsest of the past precisions and `now`.
  ///
  /// - Returns: nil if there is no such revision.
  func comparison(
    of number: Int64, of rowid: Int64, now: Precision, _ connection: borrowing Connection
  ) throws -> Comparison? {
    let store = HistoryStore()
    guard let entry = try store.entry(number, of: rowid, connection),
      let then = try store.past(number, of: rowid, connection)
    else { return nil }
    let after = (then, try feature(then, entry, now: now, connection))
    var before: (PastDevice, JSONValue)?
    if let earlier = try store.entry(number - 1, of: rowid, connection),
      let past = try store.past(number - 1, of: rowid, connection)
    {
      before = (past, try feature(past, earlier, now: now, connection))
    }
    return Comparison(
      entry: entry,
      changes: Self.changes(
        entry.before == nil ? Self.firstWords : entry.changed, from: before, to: after),
      feature: after.1)
  }

  /// The properties listed as changed by a revision that adds a device.
  private static let firstWords =
    ["geometry"] + DeviceProperty.all.map(\.name).filter(DeviceForm.said.contains)

  /// The named properties that differ between two versions, with both values.
  private static func changes(
    _ names: [String], from before: (device: PastDevice, feature: JSONValue)?,
    to after: (device: PastDevice, feature: JSONValue)
  ) -> [Change] {
    names.compactMap { name in
      if name == StoredDevice.exactPlace { return (name, .bool(false), .bool(true)) }
      let old = before.map { Self.value(name, $0) } ?? .null
      let new = Self.value(name, after)
      return DeviceChange.mean(old, new) ? nil : (name, old, new)
    }
  }

  private static func value(
    _ name: String, _ version: (device: PastDevice, feature: JSONValue)
  ) -> JSONValue {
    switch name {
    case "geometry": version.feature["geometry"] ?? .null
    case "hidden": .bool(version.device.isHidden)
    // The past precision, even if the point is now shown at a coarser one.
    case "precision": .string(version.device.precision.rawValue)
    default: version.feature["properties"]?[name] ?? .null
    }
  }

  /// The photos that were public at that revision. Photos deleted since have no description; pending
  /// and hidden ones are omitted.
  private func photos(
    _ kept: [KeptPhoto], _ connection: borrowing Connection
  ) throws -> JSONValue {
    .array(
      try kept.compactMap { photo in
        switch try HistoryStore().state(ofPhoto: photo.id, connection) {
        case ("public", _)?: return ["id": .string(photo.id), "alt": .string(photo.alt)]
        case ("deleted", "public")?, nil: return ["id": .string(photo.id), "alt": .null]
        default: return nil
        }
      })
  }
}
