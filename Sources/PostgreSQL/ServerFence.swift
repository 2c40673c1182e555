internal import Locking

/// Keeps a process from using a PostgreSQL server that is behind another server that it has used.
///
/// A primary that was paused, or cut off, still believes that it is the primary when it wakes, and has connections from
/// before. The fence admits one run of a server at a time. A connection to another run is replaced when a pool takes
/// it, without a round trip, and `check` decides once for each run:
///
///     let fence = ServerFence { connection in
///       guard connection.timeline ?? 0 >= lastTimeline else { throw behind }
///     }
///     let pool = ConnectionPool(address, size: 4, fence: fence)
package final class ServerFence: Sendable {
  /// After so long without any answer, connections are replaced and the server is checked again: another server may
  /// have become the primary meanwhile. Shorter than any lease of a primary.
  package static let usualSilence = Duration.seconds(5)

  private struct State {
    /// The run that may be used, see ``ServerConnection/run``.
    var admitted: String?
    /// When the admitted run answered last.
    var heard = ContinuousClock.now
  }

  private let state = Locked(State())
  private let silence: Duration
  /// Held during a check.
  private let turn = Locked(())
  private let check: @Sendable (ServerConnection) throws -> Void

  /// `check` throws if the server of a connection must not be used.
  package init(
    silence: Duration = usualSilence, _ check: @escaping @Sendable (ServerConnection) throws -> Void
  ) {
    (self.silence, self.check) = (silence, check)
  }

  /// Whether a connection may be used without a check.
  func isCurrent(_ connection: ServerConnection) -> Bool {
    state.withLock { $0.admitted == connection.run && .now - $0.heard <= silence }
  }

  /// Checks the server of a new connection, unless it is the admitted one.
  func admit(_ connection: ServerConnection) throws {
    if isCurrent(connection) { return }
    try turn.withLock { _ in
      if isCurrent(connection) { return }
      try check(connection)
      state.withLock { $0 = State(admitted: connection.run) }
    }
  }

  /// Records an answer. False if another run has been admitted since the pool took the connection: the answer may then
  /// come from a server that is behind. A late answer does not end a silence, because it may come from before.
  func heard(from connection: ServerConnection) -> Bool {
    state.withLock { state in
      guard state.admitted == connection.run else { return false }
      if .now - state.heard <= silence { state.heard = .now }
      return true
    }
  }
}

extension ServerConnection {
  /// The run of the server, also for a standby.
  var run: String { incarnation ?? "standby" }

  /// The timeline of the primary. Nil on a standby.
  package var timeline: UInt32? { incarnation.flatMap { UInt32($0.prefix(8), radix: 16) } }

  /// The highest timeline of a primary among the hosts of the address, if there are several. A host that does not
  /// answer is left out.
  package func highestTimeline() -> UInt32? {
    var limits = ConnectionLimits()
    limits.connect = .seconds(2)
    return address.singleHosts.compactMap { host in
      (try? ServerConnection(host, limits: limits))?.timeline
    }.max()
  }

  /// Records the end of a transaction, in which the server answered.
  func confirmAnswer(_ mode: TransactionMode) throws(ServerFault) {
    guard isAdmitted, let fence, !fence.heard(from: self) else { return }
    abandon()
    if case .write = mode {
      throw ServerFault(
        .unknownOutcome,
        "PostgreSQL at \(address) was replaced during a write: the outcome is unknown")
    }
    throw ServerFault(.connectionLost, "PostgreSQL at \(address) was replaced during a read")
  }
}
