import Devices
import Logging
import PrivacyMap
import SpatialDatabase
import WebServer

/// Sends the changes of a moment to all listeners.
///
/// Listeners whose filters the index answers are served first. The other filters are evaluated one by one, each for all
/// of its listeners and within a slice of time; filters of networks that used little time come first. A listener whose
/// filter exceeds the slice gets `reload`; the second time in succession its stream ends. The stream of a filter that
/// fails ends, too. The other listeners get the change.
struct LiveBroadcast {
  let store: LiveStore
  let logger: Logger
  /// The time that each network spent here.
  private let costs = LiveCosts()
  /// The last time of each filter.
  private var times: [[UInt8]: Duration] = [:]
  /// The filters that exceeded their slice the last time.
  private var late: Set<[UInt8]> = []

  /// The time for one filter. A filter of a listener takes a few milliseconds for the changes of a moment.
  static let slice = Duration.milliseconds(200)
  /// The time after which no further filter is evaluated for a batch: the next changes must not wait.
  static let budget = Duration.milliseconds(200)

  init(store: LiveStore, logger: Logger) { (self.store, self.logger) = (store, logger) }

  /// Listeners with equal filters.
  private struct Group {
    let listeners: [LiveListener]
    let points: PointFilter
    /// The changed devices that the index lets pass.
    let passing: [UInt32]

    var filter: LiveFilter? { listeners.first?.filter }
    var networks: Set<ClientAddress> { Set(listeners.map(\.network)) }
  }

  mutating func send(
    _ transitions: [MapTransition], reaching sequence: Int64, to listeners: [LiveListener]
  ) {
    let today = store.store.environment.now().day
    let batch = LiveBatch(transitions)
    var groups = Dictionary(grouping: listeners, by: \.key).mapValues { some in
      let points = some[0].filter.points(today: today)
      return Group(listeners: some, points: points, passing: batch.passing(points))
    }
    times = times.filter { groups[$0.key] != nil }
    late = late.filter { groups[$0] != nil }
    do {
      let reported = groups.values.reduce(into: Set<UInt32>()) { $0.formUnion($1.passing) }
      let features = try store.store.database.read(limit: .usual) { connection in
        try store.features(of: reported.sorted(), connection)
      }
      func tell(_ group: Group, _ matching: Set<UInt32>) {
        let messages = batch.messages(group.points, matching, features)
        guard !messages.isEmpty else { return }
        for listener in group.listeners { listener.send(messages, reaching: sequence) }
      }
      for (key, group) in groups where group.filter?.rest == nil || group.passing.isEmpty {
        tell(group, Set(group.passing))
        groups[key] = nil
      }
      let deadline = ContinuousClock.now + Self.budget
      for key in order(groups) {
        guard let group = groups[key], let rest = group.filter?.rest else { continue }
        guard ContinuousClock.now < deadline else { break }
        switch try evaluate(rest, among: group.passing, key, group.networks) {
        case .success(let matching):
          tell(group, matching)
          late.remove(key)
        // A busy machine may be the cause once.
        case .failure(.slow) where late.insert(key).inserted: continue
        case .failure(let reason): for listener in group.listeners { listener.close(reason) }
        }
        groups[key] = nil
      }
    } catch {
      logger.error("live changes could not be sent", metadata: ["error": "\(error)"])
    }
    // Listeners that were not reached, in time or at all, read their lists again.
    for listener in groups.values.flatMap(\.listeners) {
      listener.send(only: LiveMessage.reload(sequence), reaching: sequence)
    }
  }

  /// The keys of groups in the order in which their filters are evaluated.
  private func order(_ groups: [[UInt8]: Group]) -> [[UInt8]] {
    groups.map { key, group in
      (
        key: key, spent: group.networks.map(costs.of).min() ?? 0,
        time: times[key] ?? .zero
      )
    }
    .sorted { ($0.spent, $0.time) < ($1.spent, $1.time) }.map(\.key)
  }

  private mutating func evaluate(
    _ filter: DeviceFilter, among rows: [UInt32], _ key: [UInt8], _ networks: Set<ClientAddress>
  ) throws -> Result<Set<UInt32>, LiveMessage.Reason> {
    let begun = ContinuousClock.now
    defer {
      times[key] = .now - begun
      costs.add(.now - begun, to: networks)
    }
    return try store.trying(filter, among: rows, slice: Self.slice)
  }
}

extension LiveStore {
  /// The subset of `rows` that matches a filter. Each filter has a separate transaction, because a fault ends it.
  ///
  /// - Returns: the reason if the filter fails or exceeds its slice.
  /// - Throws: faults of the database itself.
  func trying(
    _ filter: DeviceFilter, among rows: [UInt32], slice: Duration
  ) throws -> Result<Set<UInt32>, LiveMessage.Reason> {
    do {
      return .success(
        try store.database.read(limit: .after(slice)) { connection in
          try matching(filter, among: rows, connection)
        })
    } catch let fault as DatabaseFault where fault.isOfStatement {
      return .failure(fault.kind == .interrupted ? .slow : .failed)
    }
  }
}
