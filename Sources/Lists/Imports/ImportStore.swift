import Devices
import Import
import PrivacyMap
import Reference
import SpatialDatabase

/// Stores imported devices and matches them to existing ones, to avoid duplicates.
struct ImportStore {
  /// The result for one device of a list.
  struct Outcome {
    enum Kind {
      case added, changed, unchanged

      /// A device that returns to the map counts as added, as it does for the reader of the map.
      init(_ update: DeviceWriter.Update) {
        switch update {
        case .changed: self = .changed
        case .unchanged: self = .unchanged
        case .returned: self = .added
        }
      }
    }

    var kind: Kind
    /// The row of the device.
    var device: Int64
    /// Whether it was matched only by place.
    var isMatched = false
    /// The change of a changed device.
    var edit: DeviceEdit?
  }

  private let writer: DeviceWriter
  private let source: (rowid: Int64, code: String)
  private let author: DeviceWriter.Author
  private let addition: BulkAddition
  private let keys = DeviceKeyStore()
  /// Records whose devices are not stored yet, and hashes of the keys that could match them.
  private var waiting: [(record: ImportRecord, rowid: Int64)] = []
  private var waitingKeys: Set<Int> = []
  /// The rows of the sources that exported records name.
  private var origins: [ExportedRecord.Origin: Int64] = [:]
  /// The devices that the records' own keys had before, and whether this has changed.
  private let known: [String: Int64]
  private var hasChangedKeys = false

  /// - Parameters:
  ///   - map: the map to store into.
  ///   - source: the source of the devices.
  ///   - author: the import, as recorded in the history.
  ///   - known: the devices of the records' own keys.
  ///   - addition: adds new devices with the keys of the source.
  init(
    map: LiveMap, source: (rowid: Int64, code: String), author: DeviceWriter.Author,
    known: [String: Int64], addition: BulkAddition
  ) {
    self.known = known
    writer = map.writer
    self.source = source
    self.author = author
    self.addition = addition
  }

  /// Adds a device, or updates the existing device that it matches.
  ///
  /// The source's own key matches the source's own records. The import may overwrite their values but
  /// never set them to unknown. A key of another register matches the record of another list: only
  /// its unknown values are filled in, so that two lists of one device do not overwrite each other in
  /// turn. If no key matches, `near` searches a device by place; a record of this source at that
  /// place is then the same record under a new key. A record that a Farol has exported matches the device of its id.
  mutating func store(
    _ record: ImportRecord, _ connection: borrowing Connection, near: () throws -> Int64?
  ) throws -> Outcome {
    if record.nameHashes.contains(where: waitingKeys.contains) { try settle(connection) }
    let own = try ownDevice(of: record, connection)
    if let exported = record.exported, !exported.isWhole, let own {
      // The file has only a part of the values that this device has here, and a newer state of an element of
      // OpenStreetMap comes from there.
      return Outcome(kind: .unchanged, device: own)
    }
    let known = try own ?? firstKnown(Self.otherNames(of: record), connection)
    // Two exported records at one place are two devices: each has its own id.
    let mayMatch =
      known == nil && record.exported == nil && record.row.placement.precision == .exact
    let matched = mayMatch ? try near() : nil
    let origin = try originRow(of: record, connection)
    if let rowid = known ?? matched {
      let isOwn =
        try (own ?? matched) != nil && isSource(origin, of: rowid, record, connection)
      let update = try writer.update(
        rowid, to: record.row,
        merging: isOwn ? .overlaying(keepsPlace: record.keepsKnownPosition) : .filling,
        by: author, connection)
      if isOwn, matched != nil, record.ownName != nil { try renew(record, of: rowid, connection) }
      let isNamed = try keep(record, rowid: rowid, isOwn: isOwn, connection)
      var kind = Outcome.Kind(update)
      if isNamed, kind == .unchanged {
        // Its public references have changed.
        try writer.change(rowid, kind: .changed, writer.environment.now(), connection)
        kind = .changed
      }
      var outcome = Outcome(kind: kind, device: rowid, isMatched: matched != nil)
      if case .changed(let edit) = update { outcome.edit = edit }
      return outcome
    }
    let rowid = try addition.add(
      record.row, id: record.id, source: (origin, record.key), connection)
    waiting.append((record, rowid))
    for hash in record.nameHashes { waitingKeys.insert(hash) }
    return Outcome(kind: .added, device: rowid)
  }

  /// The device with the key of a record in its source, or with its id.
  private func ownDevice(
    of record: ImportRecord, _ connection: borrowing Connection
  ) throws -> Int64? {
    if let name = record.ownName,
      let rowid = hasChangedKeys ? try keys.device(name, connection) : known[name.key]
    {
      return rowid
    }
    return try record.exported.flatMap { exported in
      try connection.integer(
        "SELECT rowid FROM device WHERE id = ?", [.text(exported.id.text)])
    }
  }

  /// The names of a record in other registers. The first is the name of a device that has another id here because a
  /// list brought it earlier.
  private static func otherNames(of record: ImportRecord) -> [ImportedDevice.Key] {
    (record.exported.map { [name(of: $0.id)] } ?? []) + record.otherNames
  }

  private static func name(of id: DeviceID) -> ImportedDevice.Key {
    ImportedDevice.Key(namespace: "farol", key: id.text)
  }

  /// The row of the source that an exported record names; otherwise of the list's source.
  private mutating func originRow(
    of record: ImportRecord, _ connection: borrowing Connection
  ) throws -> Int64 {
    guard let origin = record.exported?.origin else { return source.rowid }
    if let known = origins[origin] { return known }
    let rowid = try SourceStore().rowid(
      credited: SourceStore.Source(
        code: "via-"
          + DeviceCursor.digest(
            of: [origin.name, origin.licence, origin.attribution, origin.url ?? ""]),
        name: origin.name, licence: origin.licence, attribution: origin.attribution,
        url: origin.url, isShareAlike: LicenceAddress.sharesAlike.contains(origin.licence)),
      connection)
    origins[origin] = rowid
    return rowid
  }

  /// Stores the pending devices with the keys and additional columns of their records.
  mutating func settle(_ connection: borrowing Connection) throws {
    try addition.store(connection)
    for (record, rowid) in waiting {
      _ = try keep(record.otherNames, of: record, rowid: rowid, connection)
      try keepTags(of: record, rowid: rowid, connection)
    }
    waiting.removeAll(keepingCapacity: true)
    waitingKeys.removeAll(keepingCapacity: true)
  }

  /// Replaces the previous keys of a record, which no longer exist in the source.
  private mutating func renew(
    _ record: ImportRecord, of rowid: Int64, _ connection: borrowing Connection
  ) throws {
    hasChangedKeys = true
    try keys.renew(
      record.key, of: rowid, without: Set(record.names.map(\.namespace)), connection)
  }

  private func firstKnown(
    _ named: [ImportedDevice.Key], _ connection: borrowing Connection
  ) throws -> Int64? {
    for key in named {
      if let rowid = try keys.device(key, connection) { return rowid }
    }
    return nil
  }

  /// Whether a device belongs to the source of a record. Two instances have the same source under different codes, so
  /// the source of an exported record is compared by its name.
  private func isSource(
    _ origin: Int64, of rowid: Int64, _ record: ImportRecord, _ connection: borrowing Connection
  ) throws -> Bool {
    guard record.exported?.origin != nil else {
      return try connection.integer(
        "SELECT 1 FROM device WHERE rowid = ? AND source_rowid = ?",
        [.integer(rowid), .integer(origin)]) != nil
    }
    return try SourceStore.isSource(named: origin, of: rowid, connection)
  }

  /// Stores the keys and additional columns of a record of a known device. Returns whether it has got another key.
  private mutating func keep(
    _ record: ImportRecord, rowid: Int64, isOwn: Bool, _ connection: borrowing Connection
  ) throws -> Bool {
    var names = record.names
    if let id = record.exported?.id, try self.id(of: rowid, connection) != id.text {
      names.append(Self.name(of: id))
    }
    // An export has only the public columns of its device.
    if isOwn, record.exported == nil { try keepTags(of: record, rowid: rowid, connection) }
    return try keep(names, of: record, rowid: rowid, connection)
  }

  private func id(of rowid: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.first("SELECT id FROM device WHERE rowid = ?", [.integer(rowid)]) { $0.text(0) }
  }

  /// Returns whether a key is new.
  private mutating func keep(
    _ names: [ImportedDevice.Key], of record: ImportRecord, rowid: Int64,
    _ connection: borrowing Connection
  ) throws -> Bool {
    var isNew = false
    for name in names {
      // The own key of another record may be one of the further keys of this one.
      if name.namespace == source.code, name.key != record.key { hasChangedKeys = true }
      if try keys.add(name, to: rowid, connection) { isNew = true }
    }
    return isNew
  }

  private func keepTags(
    of record: ImportRecord, rowid: Int64, _ connection: borrowing Connection
  ) throws {
    guard let tags = record.tags else { return }
    try DeviceTags.keep(tags, of: rowid, connection)
  }
}

/// Makes keys for records of lists without ids, and detects duplicate keys.
struct ImportKeys {
  /// Hashes of the keys so far, eight bytes each: the memory that an import of a million rows needs.
  private var seen: Set<Int> = []

  /// The key of a record: the source's own, or a hash of its content, which stays the same as long as
  /// the content does.
  ///
  /// - Returns: nil if another record of this file has the same key of the source.
  mutating func key(of device: ImportedDevice) -> String? {
    if let key = device.sourceKey ?? device.exported?.id.text {
      return seen.insert(key.hashValue).inserted ? key : nil
    }
    let place = device.coordinate
    let digest = DeviceCursor.digest(of: [
      "\(place.longitude)", "\(place.latitude)", device.fields.category, device.fields.name,
      device.fields.description ?? "", device.fields.model ?? "",
    ])
    // Records with equal content are numbered in order.
    var key = "#" + digest
    var next = 2
    while !seen.insert(key.hashValue).inserted {
      key = "#\(digest)-\(next)"
      next += 1
    }
    return key
  }
}
