import Devices
import PrivacyMap
import SpatialDatabase

/// Changed devices, and the decision for each filter which of them a listener hears of.
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
  private let today: Day

  /// The changes of a moment: each device once, as it was before the first and is after the last of them.
  init(_ transitions: [MapTransition], today: Day) {
    var byRow: [UInt32: MapTransition] = [:]
    for transition in transitions {
      byRow[transition.rowid, default: transition].after = transition.after
    }
    changes = byRow.values.sorted { $0.rowid < $1.rowid }.map { transition in
      Change(
        rowid: transition.rowid, isAdded: transition.before == nil,
        before: transition.before.map(Before.known) ?? .absent, after: transition.after)
    }
    self.today = today
  }

  /// The changes that a listener missed; nil if one of the devices is not public. As its state before is unknown,
  /// the response would reveal it.
  init?(missed: [LiveStore.Change], now snapshot: PointIndex, today: Day) {
    var changes: [Change] = []
    for change in missed {
      guard let point = snapshot.point(rowid: change.rowid) else { return nil }
      changes.append(
        Change(
          rowid: change.rowid, isAdded: change.isAdded, before: .unknown(point.id), after: point))
    }
    self.changes = changes
    self.today = today
  }

  /// The messages for each filter, in the order of the filters.
  func messages(
    for filters: [LiveFilter], _ store: LiveStore, _ connection: borrowing Connection
  ) throws -> [[UInt8]] {
    let points = filters.map { $0.points(today: today) }
    let matching = try zip(filters, points).map { filter, points in
      let passing = changes.filter { $0.after.map(points.accepts) ?? false }.map(\.rowid)
      guard let rest = filter.rest, !passing.isEmpty else { return Set(passing) }
      return try store.matching(rest, among: passing, connection)
    }
    let told = matching.reduce(into: Set()) { $0.formUnion($1) }
    let features = try store.features(of: told.sorted(), connection)
    return zip(points, matching).map { points, matching in
      changes.reduce(into: []) { $0 += message($1, matching, points, features) }
    }
  }

  /// The message about a change; empty if it does not match the filter.
  private func message(
    _ change: Change, _ matching: Set<UInt32>, _ points: PointFilter,
    _ features: [UInt32: [UInt8]]
  ) -> [UInt8] {
    if matching.contains(change.rowid), let feature = features[change.rowid] {
      return LiveMessage.device(feature, isAdded: change.isAdded)
    }
    return switch change.before {
    case .absent: []
    case .known(let point): points.accepts(point) ? LiveMessage.removed(point.id) : []
    case .unknown(let id): LiveMessage.removed(id)
    }
  }
}
