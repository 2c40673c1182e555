import Devices
import PrivacyMap
import Reading
import Secrets
import SpatialDatabase

/// Finds the logged changes that match a watch.
struct WatchNews: Sendable {
  let log: ChangeLog
  let devices: DeviceStore
  let changes: ChangeStore
  let filter: WatchFilter

  init(devices: DeviceStore, filter: WatchFilter) {
    self.devices = devices
    self.filter = filter
    log = ChangeLog(environment: devices.environment, vocabulary: devices.vocabulary)
    changes = ChangeStore(vocabulary: devices.vocabulary)
  }

  /// A change that matches a watch.
  struct Reported: Sendable {
    let number: Int64
    let device: String
    /// The number of the device's category.
    let category: UInt8
    let event: WatchEvent
    let properties: [String]
    let happenedAt: String

    /// The UUID of this change in the feed and the calls of a watch. It is the same at each reading, and another for
    /// each watch. It includes the time, because numbers recur after a backup was restored.
    func id(of watch: StoredWatch) -> String {
      let digest = Digest.sha256(Array("\(watch.id) \(number) \(happenedAt)".utf8))
      func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
      // Version 8 of RFC 9562, §5.8.
      return DeviceID(
        high: half(digest[0..<8]) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
        low: half(digest[8..<16]) & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63
      ).text
    }
  }

  struct Found: Sendable {
    var reported: [Reported] = []
    /// The number of matching changes, including changes that are not in ``reported``.
    var count = 0
    /// Whether there are more than ``count``.
    var isMore = false
    /// All changes up to this number were compared.
    var through: Int64
    /// Whether there is nothing more to compare.
    var isWhole = false
  }

  /// The maximum number of changes that are compared for one answer.
  static let maxCompared = 20_000
  /// The number of changes that are read at a time; most answers need few of those under their keys.
  private static let portion = 50
  /// The time for one answer of a watch whose filter needs the database: its owner must not delay the others. The rest
  /// of the changes is compared in a later turn.
  static let slice = Duration.milliseconds(250)

  /// Returns at most `listed` matching changes after the change `number`, oldest first. If `counted` is nil, further
  /// ones are left for the next call. Otherwise they are counted until there are so many; the others are skipped. A
  /// filter that needs the database has the time ``slice``.
  func later(
    _ watch: StoredWatch, than number: Int64, listed: Int, counted: Int?,
    _ connection: borrowing Connection
  ) throws -> Found {
    var found = Found(through: number)
    guard let wanted = wanted(watch) else {
      found.isWhole = true
      return found
    }
    let end = try connection.integer(ChangeLog.last) ?? 0
    let deadline = wanted.filter.rest == nil ? nil : ContinuousClock.now + Self.slice
    var matching = Matching(store: devices, changes: changes)
    var compared = 0
    let keys = keys(of: watch)
    while compared < Self.maxCompared {
      let part = try log.numbers(keys, beyond: found.through, .oldestFirst, connection)
      for numbers in part.numbers.parts(of: Self.portion) {
        let entries = try log.entries(numbers, connection)
        try matching.prepare(wanted, entries.compactMap(\.change), connection)
        for entry in entries {
          if let reported = try reported(entry, watch, wanted, &matching, connection) {
            guard counted != nil || found.reported.count < listed else { return found }
            if let counted, found.count >= counted {
              found.isMore = true
              found.isWhole = true
              found.through = max(found.through, end)
              return found
            }
            found.count += 1
            if found.reported.count < listed { found.reported.append(reported) }
          }
          found.through = entry.number
        }
        if let deadline, deadline < .now { return found }
      }
      compared += part.numbers.count
      if part.isLast {
        found.through = max(found.through, end)
        found.isWhole = true
        break
      }
      found.through = max(found.through, part.numbers.last ?? found.through)
    }
    return found
  }

  /// Returns the latest matching changes, latest first.
  func latest(
    _ watch: StoredWatch, listed: Int, _ connection: borrowing Connection
  ) throws -> [Reported] {
    guard let wanted = wanted(watch) else { return [] }
    var matching = Matching(store: devices, changes: changes)
    let keys = keys(of: watch)
    var found: [Reported] = []
    var (number, compared) = (Int64.max, 0)
    while compared < Self.maxCompared {
      let part = try log.numbers(keys, beyond: number, .latestFirst, connection)
      let entries = try log.entries(part.numbers, connection)
      try matching.prepare(wanted, entries.compactMap(\.change), connection)
      for entry in entries {
        guard entry.sequence >= watch.since else { return found }
        guard let reported = try reported(entry, watch, wanted, &matching, connection) else {
          continue
        }
        found.append(reported)
        if found.count == listed { return found }
      }
      guard !part.isLast, let last = part.numbers.last else { return found }
      number = last
      compared += part.numbers.count
    }
    return found
  }

  private func wanted(_ watch: StoredWatch) -> Matching.Watch? {
    let settings = watch.settings
    // A filter that is unknown to this Farol version matches nothing.
    guard !settings.isPaused, watch.failedAt == nil,
      let filter = try? filter.filter(settings.filter)
    else { return nil }
    let (area, regions) = self.filter.bordered(settings.area)
    return Matching.Watch(
      area: area, regions: regions, events: Set(settings.events),
      properties: Set(settings.properties),
      number: 0, filter: LiveFilter(filter, vocabulary: devices.vocabulary))
  }

  /// The keys under which changes can match a watch.
  func keys(of watch: StoredWatch) -> [Int64] {
    ChangeKey.keys(of: filter.bordered(watch.settings.area).area, watch.settings.events)
  }

  private func reported(
    _ entry: ChangeLog.Entry, _ watch: StoredWatch, _ wanted: Matching.Watch,
    _ matching: inout Matching, _ connection: borrowing Connection
  ) throws -> Reported? {
    func reported(_ point: IndexedPoint, _ event: WatchEvent, _ properties: [String]) -> Reported {
      Reported(
        number: entry.number, device: point.id.text, category: point.profile.category,
        event: event, properties: properties, happenedAt: entry.happenedAt)
    }
    switch entry.content {
    case .device(let change):
      guard entry.sequence > watch.since,
        let event = try matching.event(wanted, change, connection),
        let point = change.after ?? change.before
      else { return nil }
      return reported(point, event, change.properties.sorted())
    case .outcome(let name):
      // Figures have no sequence number. They use the number of the change before them.
      guard entry.sequence >= watch.since else { return nil }
      return try matching.device(wanted, outcomeOf: name, connection).map {
        reported($0, .outcome, [])
      }
    }
  }
}

extension ChangeLog.Entry {
  /// Nil for figures.
  fileprivate var change: ChangeStore.Change? {
    if case .device(let change) = content { change } else { nil }
  }
}

extension [Int64] {
  /// The elements in their order, in parts of this size.
  fileprivate func parts(of size: Int) -> [ArraySlice<Int64>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
