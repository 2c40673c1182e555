internal import Locking
import PrivacyMap
import WebServer

/// Counts what somebody does and refuses what is too much, in memory: a restart forgets.
///
/// A window slides: an event counts for as long as the window is, from when it happened.
final class Throttle<Key: Hashable & Sendable>: Sendable {
  /// Events allowed in a window.
  let limit: Int
  /// Seconds.
  let window: Int64

  private let events = Locked<[Key: [Int64]]>([:])
  private let now: @Sendable () -> Timestamp
  /// Keys kept before those whose events have passed are forgotten.
  private static var capacity: Int { 20_000 }

  init(limit: Int, window: Duration, now: @escaping @Sendable () -> Timestamp) {
    self.limit = limit
    self.window = window.components.seconds
    self.now = now
  }

  /// Seconds until another event is allowed; nil when one is now.
  func wait(for key: Key, limit: Int? = nil) -> Int64? {
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

  /// Counts an event, allowed or not.
  func count(_ key: Key) { _ = take(key, limit: .max) }

  /// Counts an event, if it is allowed.
  ///
  /// - Returns: nil when it was counted, else the seconds until one would be.
  func take(_ key: Key, limit: Int? = nil) -> Int64? {
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

  /// Whether an event still counts. One far ahead is of a clock that has been set back since.
  private func counts(_ event: Int64, _ now: Int64) -> Bool {
    event > now - window && event < now + window
  }

  /// Takes back the event that was counted last: it was none.
  func giveBack(_ key: Key) {
    events.withLock { events in
      guard var recent = events[key], recent.popLast() != nil else { return }
      events[key] = recent.isEmpty ? nil : recent
    }
  }

  /// Forgets what was counted under a key.
  func forget(_ key: Key) { events.withLock { _ = $0.removeValue(forKey: key) } }

  /// Counts an event, or refuses it.
  ///
  /// - Throws: a 429 with `Retry-After` and `RateLimit`.
  func spend(_ key: Key, limit: Int? = nil) throws {
    if let seconds = take(key, limit: limit) {
      throw Refusal.tooMany(seconds: seconds, limit: limit ?? self.limit, window: window)
    }
  }
}

extension Refusal {
  /// 429; the fields are those of draft-ietf-httpapi-ratelimit-headers.
  static func tooMany(seconds: Int64, limit: Int, window: Int64) -> Refusal {
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
