import Import
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

  private let writer: DeviceWriter
  private let source: (rowid: Int64, code: String)
  private let author: DeviceWriter.Author
  private let addition: BulkAddition
  /// Records whose devices wait to be stored, and the names by which they could be known again.
  private var waiting: [(record: ImportRecord, rowid: Int64)] = []
  private var waitingKeys: Set<ImportedDevice.Key> = []

  /// - Parameters:
  ///   - map: what it stores into.
  ///   - source: where the devices come from.
  ///   - author: the import, as it stands in the history.
  ///   - addition: what new devices are added by.
  init(
    map: LiveMap, source: (rowid: Int64, code: String), author: DeviceWriter.Author,
    addition: BulkAddition
  ) {
    writer = map.writer
    self.source = source
    self.author = author
    self.addition = addition
  }

  /// Adds a device, or brings the one it is known as up to date.
  ///
  /// The source's own key finds its own records, which it may overwrite but never make unknown. A
  /// key of another register finds the record of another list: only what is unknown there is filled
  /// in, so that two lists of one device never take turns. Where no key finds anything, `near` is
  /// asked for a device known by its place; a record of this source is the same under a new key then.
  mutating func store(
    _ record: ImportRecord, _ connection: borrowing Connection, near: () throws -> Int64?
  ) throws -> Outcome {
    if !waitingKeys.isDisjoint(with: record.names.map(\.unversioned)) { try settle(connection) }
    let own = try known(record.ownName, connection)
    let known = try own ?? firstKnown(record.device.otherKeys, connection)
    let matched = known == nil && record.row.placement.precision == .exact ? try near() : nil
    if let rowid = known ?? matched {
      let isOwn =
        try (own ?? matched) != nil && self.source(of: rowid, connection) == source.rowid
      let isChanged = try writer.update(
        rowid, to: record.row,
        merging: isOwn ? .overlaying(keepsPlace: record.device.keepsKnownPosition) : .filling,
        by: author, connection)
      if isOwn, matched != nil { try renew(record, of: rowid, connection) }
      try keep(record, rowid: rowid, isOwn: isOwn, connection)
      return Outcome(kind: isChanged ? .changed : .unchanged, matched: matched)
    }
    let rowid = try addition.add(record.row, source: (source.rowid, record.key), connection)
    waiting.append((record, rowid))
    waitingKeys.formUnion(record.names.map(\.unversioned))
    return Outcome(kind: .added)
  }

  /// Stores the devices that wait, with the names and the further columns of their records.
  mutating func settle(_ connection: borrowing Connection) throws {
    try addition.store(connection)
    for (record, rowid) in waiting {
      try keep(record, rowid: rowid, isOwn: true, connection)
    }
    waiting.removeAll(keepingCapacity: true)
    waitingKeys.removeAll(keepingCapacity: true)
  }

  /// Puts the keys of a record in place of those it had before, which lead nowhere any more.
  private func renew(
    _ record: ImportRecord, of rowid: Int64, _ connection: borrowing Connection
  ) throws {
    for namespace in Set(record.names.map(\.namespace)) {
      try connection.execute(
        "DELETE FROM device_key WHERE device_rowid = ? AND namespace = ?",
        [.integer(rowid), .text(namespace)])
    }
    try connection.execute(
      "UPDATE device SET source_key = ? WHERE rowid = ?", [.text(record.key), .integer(rowid)])
  }

  private func known(
    _ name: ImportedDevice.Key, _ connection: borrowing Connection
  ) throws -> Int64? {
    try connection.integer(
      "SELECT device_rowid FROM device_key WHERE namespace = ? AND key = ?",
      [.text(name.namespace), .text(name.key)])
  }

  private func firstKnown(
    _ keys: [ImportedDevice.Key], _ connection: borrowing Connection
  ) throws -> Int64? {
    for key in keys {
      if let rowid = try known(key, connection) { return rowid }
    }
    return nil
  }

  private func source(of rowid: Int64, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT source_rowid FROM device WHERE rowid = ?", [.integer(rowid)])
  }

  /// Remembers the names and the further columns of a record.
  private func keep(
    _ record: ImportRecord, rowid: Int64, isOwn: Bool, _ connection: borrowing Connection
  ) throws {
    for name in record.names {
      try connection.execute(
        """
        INSERT INTO device_key (namespace, key, device_rowid, version) VALUES (?, ?, ?, ?)
        ON CONFLICT (namespace, key) DO UPDATE SET version = excluded.version
        WHERE version IS NOT excluded.version
        """,
        [.text(name.namespace), .text(name.key), .integer(rowid), SQLValue(name.version)])
    }
    guard isOwn, let tags = record.tags else { return }
    try connection.execute(
      """
      INSERT INTO device_tag (device_rowid, tags) VALUES (?, ?)
      ON CONFLICT (device_rowid) DO UPDATE SET tags = excluded.tags WHERE tags <> excluded.tags
      """, [.integer(rowid), .text(tags)])
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
