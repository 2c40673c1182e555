internal import Locking
package import PrivacyMap
import WebServer

/// A sliding-window rate limit, in memory: a restart resets the counts.
///
/// Each event counts for the length of the window, from the moment it happened.
package final class Throttle<Key: Hashable & Sendable>: Sendable {
  /// Events allowed per window.
  package let limit: Int
  /// The length of the window in seconds.
  let window: Int64

  private let events = Locked<[Key: [Int64]]>([:])
  private let now: @Sendable () -> Timestamp
  /// Number of keys above which keys without recent events are removed.
  private static var capacity: Int { 20_000 }

  package init(limit: Int, window: Duration, now: @escaping @Sendable () -> Timestamp) {
    self.limit = limit
    self.window = window.components.seconds
    self.now = now
  }

  /// Seconds until the next event is allowed; nil when it is allowed now.
  package func wait(for key: Key, limit: Int? = nil) -> Int64? {
    let now = now().secondsSinceEpoch
    return events.withLock { events in
      let recent = (events[key] ?? []).filter { counts($0, now) }
      let limit = limit ?? self.limit
      guard recent.count >= limit, let first = recent.suffix(max(1, limit)).first else {
        return nil
      }
      return max(1, first + window - now)
    }
  }

  /// Counts an event, whether or not the limit allows it.
  package func count(_ key: Key) { _ = take(key, limit: .max) }

  /// Counts an event if the limit allows it.
  ///
  /// - Returns: nil if it was counted, otherwise the seconds until an event is allowed.
  package func take(_ key: Key, limit: Int? = nil) -> Int64? {
    let now = now().secondsSinceEpoch
    let limit = limit ?? self.limit
    return events.withLock { events in
      if events.count >= Self.capacity, events[key] == nil {
        events = events.filter { $0.value.contains { counts($0, now) } }
      }
      let recent = (events[key] ?? []).filter { counts($0, now) }
      if recent.count >= limit, let first = recent.suffix(max(1, limit)).first {
        return max(1, first + window - now)
      }
      events[key] = recent + [now]
      return nil
    }
  }

  /// Whether an event counts. Events far in the future predate a correction of the clock.
  private func counts(_ event: Int64, _ now: Int64) -> Bool {
    event > now - window && event < now + window
  }

  /// Removes the most recent event, which turned out not to count.
  package func giveBack(_ key: Key) {
    events.withLock { events in
      guard var recent = events[key], recent.popLast() != nil else { return }
      events[key] = recent.isEmpty ? nil : recent
    }
  }

  /// Removes all events of a key.
  package func forget(_ key: Key) { events.withLock { _ = $0.removeValue(forKey: key) } }

  /// Counts an event, or throws if the limit is reached.
  ///
  /// - Throws: a 429 with `Retry-After` and `RateLimit`.
  package func spend(_ key: Key, limit: Int? = nil) throws {
    if let seconds = take(key, limit: limit) {
      throw Refusal.tooMany(seconds: seconds, limit: limit ?? self.limit, window: window)
    }
  }
}

extension Refusal {
  /// 429. The header fields are those of draft-ietf-httpapi-ratelimit-headers.
  package static func tooMany(seconds: Int64, limit: Int, window: Int64) -> Refusal {
    Refusal(
      .tooManyRequests, "error.too_many",
      ["seconds": "\(seconds)", "minutes": "\((seconds + 59) / 60)"],
      type: "too-many",
      headers: [
        "Retry-After": "\(seconds)", "RateLimit-Policy": "\"default\";q=\(limit);w=\(window)",
        "RateLimit": "\"default\";r=0;t=\(seconds)",
      ])
  }
}
