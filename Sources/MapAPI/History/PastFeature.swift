import Import
import JSON
import PrivacyMap
import SpatialDatabase

/// Shows devices as they were, and what a revision changed.
struct PastFeature: Sendable {
  private let writer: DeviceGeoJSON

  /// What follows from other tables, and so has no past.
  private static let unknown: Set<String> = [
    "claims", "photos", "refs", "tags", "last_confirmed", "stale_on", "registered_operator",
    "statement",
  ]

  init(publicTags: PublicTags) {
    writer = DeviceGeoJSON(
      properties: DeviceProperty.all.filter { !Self.unknown.contains($0.name) },
      publicTags: publicTags)
  }

  /// The feature of then, its point at the coarsest of the precision of then and of `now`, which is
  /// also what it says of its precision.
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

  /// A revision beside the one before it.
  struct Comparison {
    let entry: RevisionEntry
    /// `[{field, before, after}]`.
    let changes: JSONValue
    /// The device as it was after the revision.
    let feature: JSONValue
  }

  /// What a revision changed, with points at the coarsest of the precisions of then and of `now`.
  ///
  /// - Returns: nil when there is no such revision.
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

  /// What a revision that adds a device is told to have said.
  private static let firstWords =
    ["geometry"] + DeviceProperty.all.map(\.name).filter(DeviceForm.said.contains)

  /// What differs between two versions, of the properties named: before and after of each.
  private static func changes(
    _ names: [String], from before: (device: PastDevice, feature: JSONValue)?,
    to after: (device: PastDevice, feature: JSONValue)
  ) -> JSONValue {
    .array(
      names.compactMap { name in
        let old = before.map { Self.value(name, $0) } ?? .null
        let new = Self.value(name, after)
        guard !DeviceChange.mean(old, new) else { return nil }
        return ["field": .string(name), "before": old, "after": new]
      })
  }

  private static func value(
    _ name: String, _ version: (device: PastDevice, feature: JSONValue)
  ) -> JSONValue {
    switch name {
    case "geometry": version.feature["geometry"] ?? .null
    case "hidden": .bool(version.device.isHidden)
    // What it was, also where the point is shown more coarsely now.
    case "precision": .string(version.device.precision.rawValue)
    default: version.feature["properties"]?[name] ?? .null
    }
  }

  /// The photos of then that everybody could see. Of one that is deleted by now the words are gone too;
  /// of one that waits for a look, or was hidden, nobody is told.
  private func photos(_ kept: JSONValue, _ connection: borrowing Connection) throws -> JSONValue {
    .array(
      try (kept.arrayValue ?? []).compactMap { photo in
        guard let id = photo["id"]?.stringValue else { return nil }
        let state = try connection.first(
          "SELECT state, state_before FROM photo WHERE id = ?", [.text(id)]
        ) { ($0.text(0), $0.optionalText(1)) }
        switch state {
        case ("public", _)?: return ["id": .string(id), "alt": photo["alt"] ?? .null]
        case ("deleted", "public")?, nil: return ["id": .string(id), "alt": .null]
        default: return nil
        }
      })
  }
}
