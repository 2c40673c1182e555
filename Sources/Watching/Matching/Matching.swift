import Devices
import PrivacyMap
import Reading
import SpatialDatabase

/// Compares changes with watches.
struct Matching {
  let store: DeviceStore
  let changes: ChangeStore
  private var filters: FilterCache
  /// The devices of operators with new figures.
  private var devices: [String: [IndexedPoint]] = [:]

  /// `trial` evaluates the filters of many watches separately. Without it, there is one watch: a filter that fails ends
  /// the comparison.
  init(store: DeviceStore, changes: ChangeStore, trial: FilterTrial? = nil) {
    self.store = store
    self.changes = changes
    filters = FilterCache(today: store.environment.now().day, trial: trial)
  }

  /// The part of a watch that matching needs. `number` identifies its filter.
  struct Watch: Sendable {
    let area: WatchArea
    /// The areas in each of which a device of the area must also be: the inside of the border of a place.
    let regions: [Region]
    let events: Set<WatchEvent>
    let properties: Set<String>
    let number: Int
    let filter: LiveFilter
  }

  /// Evaluates the filter of a watch for all devices of some changes at once. ``event(_:_:_:)`` needs no statement for
  /// them then.
  mutating func prepare(
    _ watch: Watch, _ changes: some Sequence<ChangeStore.Change>,
    _ connection: borrowing Connection
  ) throws {
    guard let filter = watch.filter.rest else { return }
    let points = filters.points(watch.number, watch.filter)
    var devices: [IndexedPoint] = []
    for change in changes {
      let images = [
        (change.before, change.operatorsBefore), (change.after, change.operatorsAfter),
      ]
      for case (let point?, let names) in images
      where watch.contains(point, operators: names) && points.accepts(point) {
        devices.append(point)
      }
    }
    try filters.evaluate(devices, watch.number, filter, store, connection)
  }

  /// The event of a change for a watch; nil if the change does not match. If a ``FilterTrial`` has no result, the
  /// change counts as matching.
  mutating func event(
    _ watch: Watch, _ change: ChangeStore.Change, _ connection: borrowing Connection
  ) throws -> WatchEvent? {
    // Most candidates have another area, so this comes first.
    let before = change.before.flatMap {
      watch.contains($0, operators: change.operatorsBefore) ? $0 : nil
    }
    let after = change.after.flatMap {
      watch.contains($0, operators: change.operatorsAfter) ? $0 : nil
    }
    guard before != nil || after != nil else { return nil }
    let points = filters.points(watch.number, watch.filter)
    let isIn =
      try after.map { try points.accepts($0) && accepts($0, watch, connection) ?? false } ?? false
    let wasIn =
      try before.map { try points.accepts($0) && accepted($0, change, watch, connection) } ?? false
    guard isIn else { return wasIn && watch.events.contains(.removed) ? .removed : nil }
    return events(change, watch, isNew: !wasIn).first { watch.events.contains($0) }
  }

  /// Whether a device matches the part of a filter that the index cannot answer; nil if it was deleted.
  private mutating func accepts(
    _ device: IndexedPoint, _ watch: Watch, _ connection: borrowing Connection
  ) throws -> Bool? {
    guard let filter = watch.filter.rest else { return true }
    return try filters.accepts(device, watch.number, filter, store, connection)
  }

  /// Whether a device matched that part before a change. Of a deleted device only the point is known, so its removal is
  /// reported.
  private mutating func accepted(
    _ before: IndexedPoint, _ change: ChangeStore.Change, _ watch: Watch,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard let filter = watch.filter.rest, let accepts = try accepts(before, watch, connection),
      !filters.isUndecided(watch.number)
    else { return true }
    let former = ChangedDevice(change: change, before: before, changes: changes)
    guard let unchanged = try filter.unchanged(since: former, connection) else { return false }
    if unchanged.conditions.count == filter.conditions.count { return accepts }
    return try !LiveFilter.matching(
      unchanged, among: [before.rowid], includesHidden: true, in: store, connection
    ).isEmpty
  }

  /// The events of a device that matches, most specific first.
  private func events(
    _ change: ChangeStore.Change, _ watch: Watch, isNew: Bool
  ) -> [WatchEvent] {
    var events: [WatchEvent] = isNew ? [.added] : []
    guard let before = change.before, let after = change.after else { return events }
    if change.hasStatement { events.append(.statement) }
    let status = DeviceStatus.allCases.first { IndexNumber.of($0) == after.profile.status }
    let isOther = before.profile.status != after.profile.status
    if isOther, status == .disputed { events.append(.disputed) }
    if isOther && status == .confirmed || change.isConfirmedAnew { events.append(.confirmed) }
    let isUnnamed = !change.isCompared && !change.hasStatement && watch.properties.isEmpty
    let isNamed =
      watch.properties.isEmpty
      ? !change.properties.isEmpty : !watch.properties.isDisjoint(with: change.properties)
    if isNamed || isUnnamed { events.append(.changed) }
    return events
  }

  /// The first device of an operator with new figures about requests that matches a watch; nil if none matches.
  mutating func device(
    _ watch: Watch, outcomeOf name: String, _ connection: borrowing Connection
  ) throws -> IndexedPoint? {
    guard watch.events.contains(.outcome) else { return nil }
    let known = try devices[name] ?? changes.devices(of: name, connection)
    devices[name] = known
    let points = filters.points(watch.number, watch.filter)
    let some = known.filter { watch.contains($0, operators: [name]) && points.accepts($0) }
    guard let filter = watch.filter.rest else { return some.first }
    for start in stride(from: 0, to: some.count, by: Self.portion) {
      let part = some[start..<min(start + Self.portion, some.count)]
      try filters.evaluate(Array(part), watch.number, filter, store, connection)
      if let found = try part.first(where: { try accepts($0, watch, connection) ?? false }) {
        return found
      }
    }
    return nil
  }

  /// Devices in a statement.
  private static let portion = 500
}

extension Matching.Watch {
  /// Whether the area contains a device, judged by its public point.
  fileprivate func contains(_ point: IndexedPoint, operators names: Set<String>) -> Bool {
    switch area {
    case .box, .circle, .polygon: area.contains(point.coordinate)
    case .place:
      regions.isEmpty ? area.contains(point.coordinate) : isInRegions(point)
    case .country(let code):
      point.country == IndexedPoint.packedCountry(code) && isInRegions(point)
    case .device(let id): point.id == id
    case .operator(let wanted): names.contains(wanted)
    case .queue: false
    }
  }

  private func isInRegions(_ point: IndexedPoint) -> Bool {
    regions.allSatisfy { $0.contains(point.position) }
  }
}

/// Filters by number, each made once, and the devices that they accept.
private struct FilterCache {
  let today: Day
  let trial: FilterTrial?
  private var made: [Int: PointFilter] = [:]
  private var accepted: [Int: [DeviceID: Bool?]] = [:]
  /// The filters that a trial could not evaluate.
  private var undecided: Set<Int> = []

  init(today: Day, trial: FilterTrial?) { (self.today, self.trial) = (today, trial) }

  func isUndecided(_ key: Int) -> Bool { undecided.contains(key) }

  mutating func points(_ key: Int, _ filter: LiveFilter) -> PointFilter {
    if let known = made[key] { return known }
    let points = filter.points(today: today)
    made[key] = points
    return points
  }

  /// Whether a device matches the part of a filter that the index cannot answer; nil if it was deleted. Its image shows
  /// whether it is public.
  mutating func accepts(
    _ device: IndexedPoint, _ key: Int, _ filter: DeviceFilter, _ store: DeviceStore,
    _ connection: borrowing Connection
  ) throws -> Bool? {
    if let known = accepted[key]?[device.id] { return known }
    try evaluate([device], key, filter, store, connection)
    // Devices of an undecided filter count as matching.
    return accepted[key]?[device.id] ?? true
  }

  /// Evaluates a filter for devices for which it is not known yet, in one statement.
  mutating func evaluate(
    _ devices: [IndexedPoint], _ key: Int, _ filter: DeviceFilter, _ store: DeviceStore,
    _ connection: borrowing Connection
  ) throws {
    guard !undecided.contains(key) else { return }
    var wanted: [Int64: IndexedPoint] = [:]
    for device in devices where accepted[key]?[device.id] == nil {
      // Two devices may have had the same row, one after the other.
      if let other = wanted[Int64(device.rowid)], other.id != device.id {
        try evaluate([other], key, filter, store, connection)
      }
      wanted[Int64(device.rowid)] = device
    }
    guard !wanted.isEmpty else { return }
    let rows = wanted.keys.sorted()
    var present: Set<Int64> = []
    // SQLite may reuse the number of a deleted device.
    try connection.forEach("SELECT id FROM device WHERE rowid = ?", keys: rows) { place, row in
      if wanted[rows[place]]?.id.text == row.text(0) { present.insert(rows[place]) }
    }
    let tried = present.sorted().map { UInt32(clamping: $0) }
    let found: Set<UInt32>
    if tried.isEmpty {
      found = []
    } else if let trial {
      guard let decided = trial.matching(filter, among: tried, in: store) else {
        undecided.insert(key)
        return
      }
      found = decided
    } else {
      found = try LiveFilter.matching(
        filter, among: tried, includesHidden: true, in: store, connection)
    }
    for (row, device) in wanted {
      let isAccepted = present.contains(row) ? found.contains(device.rowid) : nil
      accepted[key, default: [:]][device.id] = .some(isAccepted)
    }
  }
}
