import Devices
import Import
import PrivacyMap
import SpatialDatabase

/// Matches devices that no key identifies: a record that was drawn again under another id, or a
/// device that people added before it was in a list. The match is the nearest device of the same
/// category within a few metres that is not another record of the list.
struct PlaceMatch {
  let index: MapIndex
  let vocabulary: Vocabulary
  let source: (rowid: Int64, code: String)
  /// The maximum distance in metres.
  let radius: Double
  /// The records of the file; nil for a source's first file, where all devices of the source come
  /// from that file.
  let listed: ListedRecords?

  /// The number of nearest devices of the category to check first, and the maximum. A building may have
  /// dozens of access points at one position, and other records match the first ones.
  private static let limits = (first: 8, maximum: 512)
  private static let standing = CodeSet(
    [DeviceStatus.reported, .confirmed, .disputed].map { IndexNumber.of($0) })

  /// The device that a record matches; `taken` are devices that other records of the file already
  /// match.
  func device(
    for record: ImportRecord, besides taken: Set<Int64>, _ connection: borrowing Connection
  ) throws -> Int64? {
    guard let category = vocabulary.category(record.category) else { return nil }
    var filter = PointFilter()
    filter.categories = CodeSet([category.number])
    filter.statuses = Self.standing
    var (checked, limit) = (0, Self.limits.first)
    while true {
      let near = index.snapshot.nearest(
        to: record.coordinate, matching: filter, within: radius, limit: limit)
      for point in near.dropFirst(checked) where !taken.contains(Int64(point.rowid)) {
        if try mayBe(Int64(point.rowid), record, connection) { return Int64(point.rowid) }
      }
      guard near.count == limit, limit < Self.limits.maximum else { return nil }
      checked = limit
      limit *= 4
    }
  }

  /// Whether a nearby device can be the record. A device of this source must be missing from the
  /// file. A device of another source must have no key in the registers that know the record. A
  /// device with a coarse position never matches.
  private func mayBe(
    _ device: Int64, _ record: ImportRecord, _ connection: borrowing Connection
  ) throws -> Bool {
    let keys = DeviceKeyStore()
    guard let (_, owner) = try KnownDeviceStore().exact(device, connection) else { return false }
    let own = try keys.keys(of: device, in: source.code, connection)
    if owner == source.rowid {
      guard let listed else { return false }
      // A device without a key had a key that was valid only inside its file.
      return !own.contains(where: listed.contains)
    }
    guard own.isEmpty else { return false }
    for namespace in Set(record.otherNames.map(\.namespace)) {
      guard try keys.keys(of: device, in: namespace, connection).isEmpty else { return false }
    }
    return true
  }
}
