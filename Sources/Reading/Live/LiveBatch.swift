import Devices
import PrivacyMap

/// Changed devices, and the messages about them for a filter.
struct LiveBatch {
  /// The state of a device before its change.
  private enum Before {
    case absent
    case known(IndexedPoint)
    /// It may have matched any filter.
    case unknown(DeviceID)
  }

  private struct Change {
    let rowid: UInt32
    let isAdded: Bool
    let before: Before
    let after: IndexedPoint?
  }

  private let changes: [Change]

  /// The changes of a moment: each device once, as it was before the first and is after the last of them.
  init(_ transitions: [MapTransition]) {
    var byRow: [UInt32: MapTransition] = [:]
    for transition in transitions {
      byRow[transition.rowid, default: transition].after = transition.after
    }
    changes = byRow.values.sorted { $0.rowid < $1.rowid }.map { transition in
      Change(
        rowid: transition.rowid, isAdded: transition.before == nil,
        before: transition.before.map(Before.known) ?? .absent, after: transition.after)
    }
  }

  /// Changes that a listener missed; nil if one of the devices is not public. As its state before is unknown,
  /// the response would reveal it.
  init?(missed: [LiveStore.Change], now snapshot: PointIndex) {
    var changes: [Change] = []
    for change in missed {
      guard let point = snapshot.point(rowid: change.rowid) else { return nil }
      changes.append(
        Change(
          rowid: change.rowid, isAdded: change.isAdded, before: .unknown(point.id), after: point))
    }
    self.changes = changes
  }

  /// The devices that the part of a filter lets pass which the index answers.
  func passing(_ points: PointFilter) -> [UInt32] {
    changes.filter { $0.after.map(points.accepts) ?? false }.map(\.rowid)
  }

  /// The messages for a filter. `matching` are the devices that match it, some of `features`.
  func messages(
    _ points: PointFilter, _ matching: Set<UInt32>, _ features: [UInt32: [UInt8]]
  ) -> [[UInt8]] {
    changes.compactMap { change in
      if matching.contains(change.rowid), let feature = features[change.rowid] {
        return LiveMessage.device(feature, isAdded: change.isAdded)
      }
      return switch change.before {
      case .absent: nil
      case .known(let point): points.accepts(point) ? LiveMessage.removed(point.id) : nil
      case .unknown(let id): LiveMessage.removed(id)
      }
    }
  }
}
