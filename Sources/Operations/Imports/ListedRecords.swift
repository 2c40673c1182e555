import Import
import PrivacyMap
import SpatialDatabase

/// The keys of a file's records and the bounding box of its devices, collected by reading the file
/// once before the import.
struct ListedRecords {
  /// Hashes of the source's keys, eight bytes each: the memory that a million rows need.
  private var keys: Set<Int> = []
  /// Makes the keys of records without one.
  private var made = ImportKeys()
  private var west = 180.0
  private var south = 90.0
  private var east = -180.0
  private var north = -90.0

  /// Adds a row. A refused or skipped row is still part of the file.
  mutating func add(_ outcome: ImportOutcome) {
    switch outcome {
    case .device(let device):
      if let key = device.sourceKey ?? made.key(of: device) { keys.insert(key.hashValue) }
      let place = device.coordinate
      (west, east) = (min(west, place.longitude), max(east, place.longitude))
      (south, north) = (min(south, place.latitude), max(north, place.latitude))
    case .skipped(let refusal), .refused(let refusal):
      if let key = refusal.sourceKey { keys.insert(key.hashValue) }
    }
  }

  func contains(_ key: String) -> Bool { keys.contains(key.hashValue) }

  /// The number of devices checked in one step.
  private static let portion = 1_000

  /// The devices of a source that lie in the bounding box of the file but are missing from the file.
  ///
  /// Devices outside the box are ignored: an extract of one town contains no information about the
  /// next. `found` are devices that the import matched by place, whatever their keys.
  func gone(
    from source: (rowid: Int64, code: String), except found: Set<Int64>,
    _ connection: borrowing Connection
  ) throws -> [Int64] {
    let store = KnownDeviceStore()
    var gone: [Int64] = []
    var last: Int64 = 0
    while true {
      let devices = try store.devices(
        of: source.rowid, after: last, west: west, east: east, south: south, north: north,
        limit: Self.portion, connection)
      for device in devices where !found.contains(device.rowid) {
        if let key = device.key, contains(key) { continue }
        let keys = try store.keys(of: device.rowid, source.code, connection)
        if !keys.isEmpty, !keys.contains(where: contains) { gone.append(device.rowid) }
      }
      guard devices.count == Self.portion, let end = devices.last else { return gone }
      last = end.rowid
    }
  }
}
