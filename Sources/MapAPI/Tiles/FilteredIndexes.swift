internal import Locking
import PrivacyMap
import SpatialDatabase

/// Indexes of what filters found that the map's own index cannot answer, for the tiles of one screen.
///
/// Few are kept, and small ones only. Whoever asks for one that is being made waits for it, so that
/// a screen of tiles makes one.
final class FilteredIndexes: Sendable {
  /// A filter in canonical order, and the version of the map that was asked.
  struct Key: Equatable, Sendable {
    let filter: String
    let version: String

    init(_ filter: String, _ version: String) {
      self.filter = filter
      self.version = version
    }
  }

  /// An index that is there or being made.
  private final class Slot: Sendable {
    enum Content {
      case unknown, tooLarge
      case kept(PointIndex)
    }

    let key: Key
    let content = Locked(Content.unknown)

    init(_ key: Key) { self.key = key }
  }

  /// The latest one last.
  private let slots = Locked<[Slot]>([])
  private let capacity: Int
  private let largest: Int

  /// - Parameters:
  ///   - capacity: how many are kept.
  ///   - largest: how many devices one of them may hold; each takes 40 bytes.
  init(capacity: Int = 4, largest: Int = 100_000) {
    self.capacity = capacity
    self.largest = largest
  }

  /// The index of `key`, made now if there is none; nil where it was found too large to be kept, and
  /// a tile must ask for its own devices.
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
      // One filter needs no index of an older map.
      slots.removeAll { $0.key.filter == key.filter }
      if slots.count == capacity { slots.removeFirst() }
      let slot = Slot(key)
      slots.append(slot)
      return slot
    }
  }
}

extension DeviceStore {
  /// An index of only the devices that `filter` means and that stand in `box`.
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
  /// West, south, east, north in degrees, half a unit wider: a place kept to the last bit of a
  /// double is rounded into the box.
  fileprivate var degrees: [Double] {
    let half = 0.5
    return [
      (Double(west) - half), (Double(south) - half), (Double(east) + half), (Double(north) + half),
    ].map { $0 / FixedPosition.unitsPerDegree }
  }
}
