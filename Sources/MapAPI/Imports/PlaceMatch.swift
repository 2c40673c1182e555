import Import
import PrivacyMap
import SpatialDatabase

/// Knows devices again that no key tells: a record that was drawn anew under another id, or a device
/// that people added before a list had it. It is the nearest of the same category within a few metres
/// that is not another record of the list.
struct PlaceMatch {
  let index: MapIndex
  let vocabulary: Vocabulary
  let source: (rowid: Int64, code: String)
  /// Metres at most.
  let radius: Double
  /// What the file has; nil where it is its source's first, whose devices are all of this very file.
  let listed: ListedRecords?

  /// Devices of the category that are looked at, the nearest first.
  private static let limit = 8
  private static let standing = CodeSet(
    [DeviceStatus.reported, .confirmed, .disputed].map { IndexNumber.of($0) })

  /// The device that a record is; `taken` are those that other records of the file are already.
  func device(
    for record: ImportedDevice, besides taken: Set<Int64>, _ connection: borrowing Connection
  ) throws -> Int64? {
    guard let category = vocabulary.category(record.fields.category) else { return nil }
    var filter = PointFilter()
    filter.categories = CodeSet([category.number])
    filter.statuses = Self.standing
    let near = index.snapshot.nearest(
      to: record.coordinate, matching: filter, within: radius, limit: Self.limit)
    for point in near where !taken.contains(Int64(point.rowid)) {
      if try mayBe(Int64(point.rowid), record, connection) { return Int64(point.rowid) }
    }
    return nil
  }

  /// Whether a device near by is no other record: one of this source must be in the file no more, and
  /// one of elsewhere unknown to the registers that know the record. A place that is told coarsely is
  /// not near anything.
  private func mayBe(
    _ device: Int64, _ record: ImportedDevice, _ connection: borrowing Connection
  ) throws -> Bool {
    let found = try connection.first(
      "SELECT source_rowid FROM device WHERE rowid = ? AND precision = 'exact' AND hidden = 0",
      [.integer(device)]
    ) { $0.optionalInt(0) }
    guard let owner = found else { return false }
    let own = try ListedRecords.keys(of: device, source.code, connection)
    if owner == source.rowid {
      guard let listed else { return false }
      return !own.isEmpty && !own.contains(where: listed.contains)
    }
    guard own.isEmpty else { return false }
    for namespace in Set(record.otherKeys.map(\.namespace)) {
      guard try ListedRecords.keys(of: device, namespace, connection).isEmpty else { return false }
    }
    return true
  }
}
