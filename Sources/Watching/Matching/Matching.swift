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

  init(store: DeviceStore, changes: ChangeStore) {
    self.store = store
    self.changes = changes
    filters = FilterCache(today: store.environment.now().day)
  }

  /// The part of a watch that matching needs. `number` stands for its filter.
  struct Watch: Sendable {
    let area: WatchArea
    let events: Set<WatchEvent>
    let properties: Set<String>
    let number: Int
    let filter: LiveFilter
  }

  /// The event of a change for a watch; nil if the change does not match.
  mutating func event(
    _ watch: Watch, _ change: ChangeStore.Change, _ connection: borrowing Connection
  ) throws -> WatchEvent? {
    // Of the candidates, most have another area, so this comes first.
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
  /// told.
  private mutating func accepted(
    _ before: IndexedPoint, _ change: ChangeStore.Change, _ watch: Watch,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard watch.filter.rest != nil, let accepts = try accepts(before, watch, connection)
    else { return true }
    let former = FormerDevice(change: change, point: before)
    return former.isOther(to: watch.filter)
      ? try former.matches(watch.filter, changes, store, connection) : accepts
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
    return try known.first {
      try watch.contains($0, operators: [name]) && points.accepts($0)
        && accepts($0, watch, connection) ?? false
    }
  }
}

extension Matching.Watch {
  /// Whether the area contains a device, judged by its public point.
  fileprivate func contains(_ point: IndexedPoint, operators names: Set<String>) -> Bool {
    switch area {
    case .box, .circle, .polygon, .place: area.contains(point.coordinate)
    case .country(let code): point.country == IndexedPoint.packedCountry(code)
    case .device(let id): point.id == id
    case .operator(let wanted): names.contains(wanted)
    case .queue: false
    }
  }
}

/// Filters by number, each made once, and the devices that they accept.
private struct FilterCache {
  let today: Day
  private var made: [Int: PointFilter] = [:]
  private var accepted: [Int: [DeviceID: Bool?]] = [:]

  init(today: Day) { self.today = today }

  mutating func points(_ key: Int, _ filter: LiveFilter) -> PointFilter {
    if let known = made[key] { return known }
    let points = filter.points(today: today)
    made[key] = points
    return points
  }

  /// Whether a device matches the part of a filter that the index cannot answer; nil if it was deleted. Whether it is
  /// public, its image says.
  mutating func accepts(
    _ device: IndexedPoint, _ key: Int, _ filter: DeviceFilter, _ store: DeviceStore,
    _ connection: borrowing Connection
  ) throws -> Bool? {
    if let known = accepted[key]?[device.id] { return known }
    let isAccepted: Bool? =
      try Self.exists(device, connection)
      ? !LiveFilter.matching(
        filter, among: [device.rowid], includesHidden: true, in: store, connection
      ).isEmpty : nil
    accepted[key, default: [:]][device.id] = .some(isAccepted)
    return isAccepted
  }

  /// Whether the row number of a device still belongs to it. SQLite may reuse the number of a deleted device.
  private static func exists(
    _ device: IndexedPoint, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.text("SELECT id FROM device WHERE rowid = ?", [.integer(Int64(device.rowid))])
      == device.id.text
  }
}
