import Devices
internal import Locking
import PrivacyMap
import Reference
import Service

/// The places with devices, for the site map. A list without a filter shows a device in their border or box.
final class SiteMapPlaces: Sendable {
  /// Places in one file; the protocol permits 50,000 addresses.
  static let size = 10_000

  private struct Found {
    let version: String
    let places: [Int64]
  }

  private let places: PlaceStore?
  private let store: DeviceStore
  private let versions: AnswerVersions
  /// The places of one version of the map, because each file of the site map needs all of them.
  private let found = Locked<Found?>(nil)

  init(places: PlaceStore?, store: DeviceStore, versions: AnswerVersions) {
    self.places = places
    self.store = store
    self.versions = versions
  }

  /// The number of files with places.
  func fileCount() throws -> Int { (try all().count + Self.size - 1) / Self.size }

  /// The numbers of the places of one file; none for a number without a file.
  func places(inFile number: Int) throws -> ArraySlice<Int64> {
    let all = try all()
    let start = number.multipliedReportingOverflow(by: Self.size)
    guard number >= 0, !start.overflow, start.partialValue < all.count else { return [] }
    return all[start.partialValue...].prefix(Self.size)
  }

  private func all() throws -> [Int64] {
    let version = versions.version
    if let found = found.withLock({ $0 }), found.version == version { return found.places }
    let places = try search()
    found.withLock { $0 = Found(version: version, places: places) }
    return places
  }

  private func search() throws -> [Int64] {
    guard let places else { return [] }
    let index = store.index.snapshot
    var filter = PointFilter()
    filter.statuses = CodeSet(DeviceStatus.standing.map { IndexNumber.of($0) })
    return try places.boxes().filter { place in
      filter.boxes = FixedBox.halves(of: place.box)
      let isNear = index.count(matching: filter) > 0
      guard isNear, place.hasBorder, let area = try places.area(of: place.id) else { return isNear }
      filter.boxes = nil
      return index.count(matching: filter.narrowed(to: area)) > 0
    }.map(\.id)
  }
}
