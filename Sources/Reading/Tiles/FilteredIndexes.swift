import Devices
internal import Locking
import PrivacyMap
import SpatialDatabase

/// Indexes for filters that the main in-memory index cannot evaluate, shared by the tiles of one screen.
///
/// Only a few small indexes are cached. A request for an index that is being built waits for it, so that
/// a screen of tiles builds only one.
final class FilteredIndexes: Sendable {
  /// A filter in canonical order, and the version of the map data.
  struct Key: Equatable, Sendable {
    let filter: String
    let version: String

    init(_ filter: String, _ version: String) {
      self.filter = filter
      self.version = version
    }
  }

  /// An index that is ready or being built.
  private final class Slot: Sendable {
    enum Content {
      case unknown, tooLarge
      case kept(PointIndex)
    }

    let key: Key
    let content = Locked(Content.unknown)

    init(_ key: Key) { self.key = key }
  }

  /// Oldest first.
  private let slots = Locked<[Slot]>([])
  private let capacity: Int
  private let largest: Int

  /// - Parameters:
  ///   - capacity: the maximum number of indexes.
  ///   - largest: the maximum number of devices in an index; each takes 40 bytes.
  init(capacity: Int = 4, largest: Int = 100_000) {
    self.capacity = capacity
    self.largest = largest
  }

  /// The index for `key`, built now if it is missing. Nil if it is too large to cache; a tile must then
  /// query its own devices.
  func index(_ key: Key, make: () throws -> PointIndex) throws -> PointIndex? {
    try slot(key).content.withLock { content in
      switch content {
      case .kept(let index): return index
      case .tooLarge: return nil
      case .unknown:
        let made = try make()
        content = made.count <= largest ? .kept(made) : .tooLarge
        return made
      }
    }
  }

  private func slot(_ key: Key) -> Slot {
    slots.withLock { slots in
      if let place = slots.firstIndex(where: { $0.key == key }) {
        let slot = slots.remove(at: place)
        slots.append(slot)
        return slot
      }
      // Indexes of the same filter for older versions are no longer needed.
      slots.removeAll { $0.key.filter == key.filter }
      if slots.count == capacity { slots.removeFirst() }
      let slot = Slot(key)
      slots.append(slot)
      return slot
    }
  }
}

extension DeviceStore {
  /// An index of the devices that match `filter` and are within `box`.
  func filteredIndex(
    _ filter: DeviceFilter, within box: FixedBox? = nil, today: Day
  ) throws -> PointIndex {
    try database.read { connection in
      var condition = try filter.condition(
        vocabulary: vocabulary, today: today, connection: connection)
      if let box {
        condition.sql += " AND " + connection.within("device")
        condition.arguments += box.degrees.map { .real($0) }
      }
      var builder = PointIndex.Builder()
      try IndexedPointReader(vocabulary: vocabulary).forEach(connection, where: condition) {
        builder.append($0)
      }
      return builder.finish(sequence: 0)
    }
  }
}

extension FixedBox {
  /// West, south, east, north in degrees, half a unit wider, because a position with all bits of a double
  /// is rounded into the box.
  fileprivate var degrees: [Double] {
    let half = 0.5
    return [
      (Double(west) - half), (Double(south) - half), (Double(east) + half), (Double(north) + half),
    ].map { $0 / FixedPosition.unitsPerDegree }
  }
}
