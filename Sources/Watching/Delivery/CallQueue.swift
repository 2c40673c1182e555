/// A queue, in memory, of the webhooks that may have pending calls. Each host gets one call at a time, and hosts take
/// turns.
struct CallQueue {
  /// The waiting watches of each host, oldest first.
  private var watches: [String: [Int64]] = [:]
  private var waiting: Set<Int64> = []
  /// The hosts with waiting watches that are not being called, in the order in which they are called.
  private var ready: [String] = []
  private var busy: Set<String> = []

  /// Whether a watch waits whose host is not being called.
  var isReady: Bool { !ready.isEmpty }

  /// Adds a watch, unless it waits already.
  mutating func add(_ watch: Int64, at host: String) {
    guard waiting.insert(watch).inserted else { return }
    if watches[host] == nil, !busy.contains(host) { ready.append(host) }
    watches[host, default: []].append(watch)
  }

  /// Takes the next watch. Its host is being called until ``free(_:)``.
  mutating func take() -> (watch: Int64, host: String)? {
    guard !ready.isEmpty else { return nil }
    let host = ready.removeFirst()
    guard let watch = watches[host]?.removeFirst() else { return nil }
    if watches[host]?.isEmpty == true { watches[host] = nil }
    waiting.remove(watch)
    busy.insert(host)
    return (watch, host)
  }

  mutating func free(_ host: String) {
    busy.remove(host)
    if watches[host] != nil { ready.append(host) }
  }
}
