internal import CPostgreSQL
internal import Glibc

/// Waits for notifications of one channel (`NOTIFY`) on a separate connection.
///
/// A notification is a hint to look, never the only sign of a change: notifications sent while no connection exists are
/// lost. For one thread.
package final class NotificationListener {
  /// The way in which a wait ended.
  package enum Wake: Equatable, Sendable {
    /// The payloads, in the order of the commits that sent them.
    case notified([String])
    /// The server listens on a new connection. Earlier notifications are lost.
    case connected
    case timedOut
  }

  private let address: ServerAddress
  private let limits: ConnectionLimits
  private let channel: String
  private var connection: ServerConnection?

  /// Establishes no connection yet.
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - channel: the name of the channel, of small letters, digits and underscores.
  ///   - limits: time limits of the connection.
  /// - Throws: ``ServerFault`` of kind `statement` for another name.
  package init(
    _ address: ServerAddress, channel: String, limits: ConnectionLimits = .init()
  ) throws(ServerFault) {
    let isName = channel.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "_")
    }
    // Longer names are cut off by the server.
    guard isName, 1...63 ~= channel.utf8.count else {
      throw ServerFault(.statement, "not the name of a channel")
    }
    self.address = address
    self.channel = channel
    self.limits = limits
  }

  /// Waits for notifications.
  ///
  /// - Parameters:
  ///   - limit: the longest wait. The caller checks for changes itself after each wait, however it ended.
  ///   - own: the payload of notifications that do not end the wait, because the caller caused them.
  /// - Returns: the way in which the wait ended.
  /// - Throws: ``ServerFault`` if no connection could be established. The next wait tries again.
  package func wait(upTo limit: Duration, ignoring own: String? = nil) throws -> Wake {
    guard let connection, !connection.isBroken else { return try connect() }
    let end = ContinuousClock.now + limit
    while true {
      let payloads = connection.takeNotifications().filter { $0 != own }
      if !payloads.isEmpty { return .notified(payloads) }
      guard ServerConnection.awaitEvent(PQsocket(connection.handle), POLLIN, until: end) else {
        return .timedOut
      }
      guard PQconsumeInput(connection.handle) == 1 else { return try connect() }
    }
  }

  private func connect() throws -> Wake {
    connection = nil
    let new = try ServerConnection(address, limits: limits)
    new.deadline = .now + limits.connect
    try new.control("LISTEN \"\(channel)\"")
    new.deadline = nil
    connection = new
    return .connected
  }
}

extension ServerConnection {
  /// The payloads that have arrived.
  fileprivate func takeNotifications() -> [String] {
    // Reads the messages in libpq's buffer.
    _ = PQisBusy(handle)
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }
}
