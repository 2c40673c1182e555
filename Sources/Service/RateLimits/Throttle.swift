import PrivacyMap
import WebServer

/// A sliding-window rate limit. ``RateLimits`` makes it, and decides where its events are stored.
///
/// Each event counts for the length of the window, from the moment it happened. All errors come from the database.
package struct Throttle<Key: CountedKey>: Sendable {
  /// Events allowed per window.
  package let limit: Int
  /// The length of the window in seconds.
  let window: Int64

  private let name: [UInt8]
  private let events: any EventStore
  private let now: @Sendable () -> Timestamp

  init(
    _ name: String, limit: Int, window: Duration, in events: any EventStore,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.limit = limit
    self.window = window.components.seconds
    self.name = Array(name.utf8) + [0]
    (self.events, self.now) = (events, now)
  }

  /// Seconds until the next event is allowed; nil when it is allowed now.
  package func wait(for key: Key, limit: Int? = nil) throws -> Int64? {
    try events.wait(
      for: name + key.countedBytes, limit: limit ?? self.limit, window: window,
      now: now().secondsSinceEpoch)
  }

  /// Counts an event, whether or not the limit allows it.
  package func count(_ key: Key) throws { _ = try take(key, limit: .max) }

  /// Counts an event if the limit allows it.
  ///
  /// - Returns: nil if it was counted, otherwise the seconds until an event is allowed.
  package func take(_ key: Key, limit: Int? = nil) throws -> Int64? {
    try events.take(
      name + key.countedBytes, limit: limit ?? self.limit, window: window,
      now: now().secondsSinceEpoch)
  }

  /// Removes the most recent event, which turned out not to count.
  package func giveBack(_ key: Key) throws { try events.giveBack(name + key.countedBytes) }

  /// Removes all events of a key.
  package func forget(_ key: Key) throws { try events.forget(name + key.countedBytes) }

  /// Counts an event, or throws if the limit is reached.
  ///
  /// - Throws: a 429 with `Retry-After` and `RateLimit`.
  package func spend(_ key: Key, limit: Int? = nil) throws {
    if let seconds = try take(key, limit: limit) {
      throw Refusal.tooMany(seconds: seconds, limit: limit ?? self.limit, window: window)
    }
  }
}

extension Refusal {
  /// 429, with the header fields of draft-ietf-httpapi-ratelimit-headers.
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
