internal import Locking

/// Events in memory: a restart forgets them.
final class MemoryEvents: EventStore {
  /// The moments of the events of one key, in seconds since 1970, and how long each counts.
  private struct Events {
    var moments: [Int64]
    let window: Int64

    /// The events that count. Events far in the future predate a correction of the clock.
    func recent(_ now: Int64) -> [Int64] {
      moments.filter { $0 > now - window && $0 < now + window }
    }
  }

  /// Number of keys above which keys without recent events are removed.
  private static let capacity = 20_000

  private let events = Locked<[[UInt8]: Events]>([:])

  func take(_ key: [UInt8], limit: Int, window: Int64, now: Int64) -> Int64? {
    events.withLock { events in
      if events.count >= Self.capacity, events[key] == nil {
        events = events.filter { !$0.value.recent(now).isEmpty }
      }
      let recent = events[key]?.recent(now) ?? []
      if let wait = Self.wait(recent, limit: limit, window: window, now: now) { return wait }
      events[key] = Events(moments: recent + [now], window: window)
      return nil
    }
  }

  func wait(for key: [UInt8], limit: Int, window: Int64, now: Int64) -> Int64? {
    events.withLock { events in
      Self.wait(events[key]?.recent(now) ?? [], limit: limit, window: window, now: now)
    }
  }

  private static func wait(_ recent: [Int64], limit: Int, window: Int64, now: Int64) -> Int64? {
    guard recent.count >= limit, let first = recent.suffix(max(1, limit)).first else { return nil }
    return max(1, first + window - now)
  }

  func giveBack(_ key: [UInt8]) {
    events.withLock { events in
      guard var known = events[key], known.moments.popLast() != nil else { return }
      events[key] = known.moments.isEmpty ? nil : known
    }
  }

  func forget(_ key: [UInt8]) { events.withLock { _ = $0.removeValue(forKey: key) } }
}
