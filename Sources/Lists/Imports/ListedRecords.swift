import Devices
import Import
import PrivacyMap
import SpatialDatabase

/// The keys of a file's records and the area of its devices, collected by reading the file once before the import.
struct ListedRecords {
  /// Hashes of the source's keys, eight bytes each: the memory that a million rows need.
  private var keys: Set<Int> = []
  /// Hashes of the keys whose rows state that the device is no longer there.
  private var goneKeys: Set<Int> = []
  /// Hashes of the texts of rows without a readable key, one of which may be the key.
  private var texts: Set<Int> = []
  /// The places of devices whose key is missing, damaged or also the key of another row.
  private var unnamed: Set<Square> = []
  /// Makes the keys of records without one.
  private var made = ImportKeys()
  private var west = 180.0
  private var south = 90.0
  private var east = -180.0
  private var north = -90.0
  /// The meaning of the file for devices that it does not contain.
  private var coverage: ImportMapping.Coverage
  /// Whether the list has ids; otherwise the keys are made of the content.
  private let hasKeys: Bool
  private var isIncomplete = false
  private var hasRows = false

  /// A square of about 100 metres. A device may be in the square of its row or in a neighbouring square.
  private struct Square: Hashable {
    let x, y: Int32

    init(_ longitude: Double, _ latitude: Double) {
      (x, y) = (
        Int32((longitude * 1_000).rounded(.down)), Int32((latitude * 1_000).rounded(.down))
      )
    }

    private init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

    var around: [Square] {
      (-1...1).flatMap { east in (-1...1).map { Square(x: x + east, y: y + $0) } }
    }
  }

  /// A list in which more texts may be keys does not fit its mapping.
  private static let maxTexts = 1_000_000

  init(_ mapping: ImportMapping) {
    coverage = mapping.coverage
    hasKeys = mapping.hasKey
  }

  /// Adds a row. A refused or skipped row is still part of the file.
  mutating func add(_ outcome: ImportOutcome) {
    if outcome.incompleteness != nil { isIncomplete = true }
    switch outcome {
    case .device, .skipped: hasRows = true
    case .refused: break
    }
    switch outcome {
    case .device(let device):
      let place = device.coordinate
      let key = device.sourceKey ?? made.key(of: device)
      let isNew = key.map { keys.insert($0.hashValue).inserted } ?? false
      let isNamed = device.sourceKey != nil || device.exported != nil
      if hasKeys, !isNamed || !isNew, !device.mayRepeat {
        unnamed.insert(Square(place.longitude, place.latitude))
      }
      cover(place.longitude, place.latitude, place.longitude, place.latitude)
    case .skipped(let refusal), .refused(let refusal):
      guard let key = refusal.sourceKey else { return add(unnamed: refusal) }
      if refusal.isGone { goneKeys.insert(key.hashValue) } else { keys.insert(key.hashValue) }
    }
  }

  private mutating func add(unnamed refusal: ImportRefusal) {
    if let place = refusal.coordinate {
      unnamed.insert(Square(place.longitude, place.latitude))
    } else if !hasKeys {
      // Nothing connects the row with its device.
      isIncomplete = true
    }
    for text in refusal.texts where !text.isEmpty { texts.insert(text.hashValue) }
    if texts.count > Self.maxTexts { isIncomplete = true }
  }

  /// Whether a row whose key cannot be read may be the device with these keys.
  private func mayBeUnnamed(_ keys: [String], _ longitude: Double, _ latitude: Double) -> Bool {
    keys.contains { texts.contains($0.hashValue) }
      || !unnamed.isEmpty
        && Square(longitude, latitude).around.contains(where: unnamed.contains)
  }

  /// Adds a statement of the file about itself.
  mutating func add(_ statement: FileStatement) {
    switch statement {
    case .incomplete: isIncomplete = true
    case .changes: coverage = .nothing
    case .area(let west, let south, let east, let north): cover(west, south, east, north)
    }
  }

  private mutating func cover(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
    (self.west, self.east) = (min(self.west, west), max(self.east, east))
    (self.south, self.north) = (min(self.south, south), max(self.north, north))
  }

  /// Whether no row is of use, which is more often a fault of its server than the end of all devices.
  var isEmpty: Bool { !hasRows && coverage != .nothing }

  func contains(_ key: String) -> Bool { keys.contains(key.hashValue) }

  private func covers(_ longitude: Double, _ latitude: Double) -> Bool {
    switch coverage {
    case .list: true
    case .area: west <= longitude && longitude <= east && south <= latitude && latitude <= north
    case .nothing: false
    }
  }

  /// The number of devices checked in one step.
  private static let portion = 1_000

  /// The devices of a source that are gone: the file states it, or it covers them and does not contain them.
  ///
  /// An incomplete file says nothing about missing devices. `found` are devices that the import matched by place, with
  /// any keys. A source may have several lists: only devices that imports with the same mapping brought can be missing.
  func gone(
    from source: (rowid: Int64, code: String), mapping: String, except found: Set<Int64>,
    _ connection: borrowing Connection
  ) throws -> [Int64] {
    guard !isIncomplete, !isEmpty else { return [] }
    let store = KnownDeviceStore()
    var gone: [Int64] = []
    var last: Int64 = 0
    while true {
      let devices = try store.devices(
        of: source.rowid, after: last, limit: Self.portion, connection)
      for device in devices where !found.contains(device.rowid) {
        if let key = device.key, contains(key) { continue }
        let keys = try DeviceKeyStore().keys(of: device.rowid, in: source.code, connection)
        guard !keys.isEmpty, !keys.contains(where: contains) else { continue }
        let isStated = keys.contains { goneKeys.contains($0.hashValue) }
        let isMissing =
          covers(device.longitude, device.latitude)
          && !mayBeUnnamed(keys, device.longitude, device.latitude)
        if try isStated
          || isMissing && store.isBrought(device.rowid, by: mapping, connection)
        {
          gone.append(device.rowid)
        }
      }
      guard devices.count == Self.portion, let end = devices.last else { return gone }
      last = end.rowid
    }
  }
}
