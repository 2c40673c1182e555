package import WebServer

/// Stores the events that rate limits count: in memory (``MemoryEvents``), or in the database for several servers
/// (``SharedEvents``).
///
/// Keys come from ``CountedKey`` and contain the name of their limit.
protocol EventStore: Sendable {
  /// Counts an event if fewer than `limit` count already. Concurrent callers cannot exceed the limit together.
  ///
  /// - Returns: nil if it was counted, otherwise the seconds until an event is allowed.
  func take(_ key: [UInt8], limit: Int, window: Int64, now: Int64) throws -> Int64?

  /// Seconds until the next event is allowed; nil when it is allowed now.
  func wait(for key: [UInt8], limit: Int, window: Int64, now: Int64) throws -> Int64?

  /// Removes the most recent event of a key.
  func giveBack(_ key: [UInt8]) throws

  /// Removes all events of a key.
  func forget(_ key: [UInt8]) throws
}

/// The account, network or address whose events a rate limit counts.
package protocol CountedKey: Sendable {
  /// Different keys of one limit have different bytes.
  var countedBytes: [UInt8] { get }
}

extension Int64: CountedKey {
  package var countedBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension ClientAddress: CountedKey {
  package var countedBytes: [UInt8] { bytes }
}

extension String: CountedKey {
  package var countedBytes: [UInt8] { Array(utf8) }
}
