import Import
import JSON
import PrivacyMap
import SpatialDatabase

/// Stores imported devices: finds the ones that are known already, so that nothing doubles.
struct ImportStore {
  /// What became of one device of a list.
  struct Outcome {
    enum Kind {
      case added, changed, unchanged
    }

    var kind: Kind
    /// The device that it was known again as by its place alone.
    var matched: Int64?
  }

  let writer: DeviceWriter
  let vocabulary: Vocabulary

  /// Adds a device, or brings the one it is known as up to date.
  ///
  /// The source's own key finds its own records, which it may overwrite but never make unknown. A
  /// key of another register finds the record of another list: only what is unknown there is filled
  /// in, so that two lists of one device never take turns. Where no key finds anything, `near` is
  /// asked for a device known by its place; a record of this source is the same under a new key then.
  func store(
    _ device: ImportedDevice, key: String, source: (rowid: Int64, code: String),
    by author: DeviceWriter.Author, _ connection: borrowing Connection,
    near: () throws -> Int64?
  ) throws -> Outcome {
    let fields = withAssumptions(device.fields)
    let isHousehold = vocabulary.category(fields.category)?.isHousehold ?? false
    let placement = DeviceWriter.Placement(
      place: device.coordinate,
      precision: device.precision ?? (isHousehold ? .kilometre : .exact),
      isApproximate: device.isApproximate)
    let own = try known(source.code, key, connection)
    let known = try own ?? firstKnown(device.otherKeys, connection)
    let matched = known == nil && placement.precision == .exact ? try near() : nil
    if let rowid = known ?? matched {
      let isOwn =
        try (own ?? matched) != nil && self.source(of: rowid, connection) == source.rowid
      let isChanged = try writer.update(
        rowid, to: fields, at: placement,
        merging: isOwn ? .overlaying(keepsPlace: device.keepsKnownPosition) : .filling,
        by: author, connection)
      if isOwn, matched != nil { try renew(device, key, source, of: rowid, connection) }
      try keep(device, key, source, rowid: rowid, isOwn: isOwn, connection)
      return Outcome(kind: isChanged ? .changed : .unchanged, matched: matched)
    }
    let rowid = try writer.add(
      fields, at: placement, source: (source.rowid, key), by: author, connection)
    try keep(device, key, source, rowid: rowid, isOwn: true, connection)
    return Outcome(kind: .added)
  }

  /// Puts the keys of a record in place of those it had before, which lead nowhere any more.
  private func renew(
    _ device: ImportedDevice, _ key: String, _ source: (rowid: Int64, code: String),
    of rowid: Int64, _ connection: borrowing Connection
  ) throws {
    for namespace in Set([source.code] + device.otherKeys.map(\.namespace)) {
      try connection.execute(
        "DELETE FROM device_key WHERE device_rowid = ? AND namespace = ?",
        [.integer(rowid), .text(namespace)])
    }
    try connection.execute(
      "UPDATE device SET source_key = ? WHERE rowid = ?", [.text(key), .integer(rowid)])
  }

  /// What such a device usually collects, said to be assumed, where its list does not tell.
  private func withAssumptions(_ fields: DeviceFields) -> DeviceFields {
    guard fields.dataCollected.isEmpty,
      let usual = vocabulary.category(fields.category)?.collects, !usual.isEmpty
    else { return fields }
    var fields = fields
    fields.dataCollected = usual
    fields.assumed.append("data_collected")
    return fields
  }

  private func known(
    _ namespace: String, _ key: String, _ connection: borrowing Connection
  ) throws -> Int64? {
    try connection.integer(
      "SELECT device_rowid FROM device_key WHERE namespace = ? AND key = ?",
      [.text(namespace), .text(key)])
  }

  private func firstKnown(
    _ keys: [ImportedDevice.Key], _ connection: borrowing Connection
  ) throws -> Int64? {
    for key in keys {
      if let rowid = try known(key.namespace, key.key, connection) { return rowid }
    }
    return nil
  }

  private func source(of rowid: Int64, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT source_rowid FROM device WHERE rowid = ?", [.integer(rowid)])
  }

  /// Remembers the names and the further columns of a record.
  private func keep(
    _ device: ImportedDevice, _ key: String, _ source: (rowid: Int64, code: String),
    rowid: Int64, isOwn: Bool, _ connection: borrowing Connection
  ) throws {
    let own = ImportedDevice.Key(namespace: source.code, key: key)
    for key in [own] + device.otherKeys {
      try connection.execute(
        """
        INSERT INTO device_key (namespace, key, device_rowid, version) VALUES (?, ?, ?, ?)
        ON CONFLICT (namespace, key) DO UPDATE SET version = excluded.version
        WHERE version IS NOT excluded.version
        """,
        [.text(key.namespace), .text(key.key), .integer(rowid), SQLValue(key.version)])
    }
    guard isOwn, !device.tags.isEmpty else { return }
    var json = JSONWriter()
    json.beginObject()
    for tag in device.tags {
      json.key(tag.key)
      json.string(tag.value)
    }
    json.endObject()
    try connection.execute(
      """
      INSERT INTO device_tag (device_rowid, tags) VALUES (?, ?)
      ON CONFLICT (device_rowid) DO UPDATE SET tags = excluded.tags WHERE tags <> excluded.tags
      """, [.integer(rowid), .text(String(decoding: json.bytes, as: UTF8.self))])
  }
}

/// Names for the records of lists that have none of their own, and a watch over names used twice.
struct ImportKeys {
  /// Hashes of the keys seen, eight bytes each: what an import of a million rows keeps in memory.
  private var seen: Set<Int> = []

  /// The key of a record: its source's, or a fingerprint of what it says, which stays the same as
  /// long as the record does.
  ///
  /// - Returns: nil when another record of this file has the same key of the source.
  mutating func key(of device: ImportedDevice) -> String? {
    if let key = device.sourceKey {
      return seen.insert(key.hashValue).inserted ? key : nil
    }
    let place = device.coordinate
    let digest = DeviceCursor.digest(of: [
      "\(place.longitude)", "\(place.latitude)", device.fields.category, device.fields.name,
      device.fields.description ?? "", device.fields.model ?? "",
    ])
    // Records that say the same are told apart by their order.
    var key = "#" + digest
    var next = 2
    while !seen.insert(key.hashValue).inserted {
      key = "#\(digest)-\(next)"
      next += 1
    }
    return key
  }
}
