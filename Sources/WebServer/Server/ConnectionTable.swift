internal import Glibc
internal import Locking
internal import Synchronization

/// The open connections by socket, and the number of connections per address.
///
/// A connection is removed before its socket is closed (libmicrohttpd notifies us first). The
/// reaper shuts down sockets only while it holds the lock. It therefore never shuts down a
/// descriptor that the kernel has reused.
final class ConnectionTable: Sendable {
  private let state = Monitor(State())
  private let open = Atomic<Int>(0)
  /// The connections that were shut down to make room.
  private let leaving = Atomic<Int>(0)
  private let perAddress: Int

  private struct State {
    var bySocket: [Int32: Connection] = [:]
    var countByAddress: [ClientAddress: Int] = [:]
  }

  /// - Parameter perAddress: the maximum number of connections per address. 0 means no limit.
  init(perAddress: Int) { self.perAddress = perAddress }

  /// The number of connections, read without the lock.
  var count: Int { open.load(ordering: .relaxed) }

  /// The number of connections that were not shut down to make room, read without the lock.
  var staying: Int { count - leaving.load(ordering: .relaxed) }

  /// Adds a connection.
  ///
  /// - Returns: false if its address has reached its limit. The caller must then shut down the
  ///   connection.
  func add(_ connection: Connection) -> Bool {
    open.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.bySocket[connection.socket] = connection
      guard perAddress > 0, !connection.isProxied else { return true }
      let count = state.countByAddress[connection.peer.limitKey, default: 0] + 1
      state.countByAddress[connection.peer.limitKey] = count
      return count <= perAddress
    }
  }

  func remove(_ connection: Connection) {
    open.subtract(1, ordering: .relaxed)
    state.withLock { state in
      state.bySocket[connection.socket] = nil
      if connection.isCut { leaving.subtract(1, ordering: .relaxed) }
      guard perAddress > 0, !connection.isProxied else { return }
      let count = state.countByAddress[connection.peer.limitKey, default: 1] - 1
      state.countByAddress[connection.peer.limitKey] = count > 0 ? count : nil
    }
  }

  /// Shuts down every connection whose deadline has passed.
  func cutOverdue(at now: Int64) {
    state.withLock { state in
      for connection in state.bySocket.values {
        let deadline = connection.deadline.load(ordering: .relaxed)
        if deadline != 0, deadline < now { connection.cut() }
      }
    }
  }

  /// Makes libmicrohttpd detect the end of connections whose clients have finished sending (see ``HangupWatch``).
  ///
  /// `shutdown` with `SHUT_RD` wakes the thread that waits for the socket. It has no other effect, because no more
  /// data can arrive: a complete request is still processed and answered.
  ///
  /// - Parameter sockets: descriptors of current or former connections.
  /// - Returns: the sockets with unread bytes. The end cannot be read before these bytes.
  func wake(_ sockets: [Int32]) -> [Int32] {
    state.withLock { state in
      sockets.filter { socket in
        guard let connection = state.bySocket[socket] else { return false }
        let unread = connection.unread
        if unread == .end { shutdown(socket, Int32(SHUT_RD)) }
        return unread == .bytes
      }
    }
  }

  /// The connections that may be shut down to make room: the awaited data, and the minimum wait in nanoseconds.
  /// Connections that await a head, including idle ones, come first.
  private static let dispensable: [(owed: Connection.Awaited, timeout: Int64)] = [
    (.head, 50_000_000), (.body, 1_000_000_000),
  ]

  /// Shuts down connections that wait for their clients, longest wait first.
  ///
  /// It skips a connection with unread bytes, because then the server is late and not the client.
  ///
  /// - Parameters:
  ///   - wanted: the maximum number to shut down.
  ///   - now: the time, in nanoseconds of the continuous clock.
  /// - Returns: the number of connections that were shut down. libmicrohttpd closes them a moment
  ///   later.
  func makeRoom(_ wanted: Int, at now: Int64) -> Int {
    state.withLock { state in
      var cut = 0
      for (owed, timeout) in Self.dispensable where cut < wanted {
        for connection in Self.owing(owed, since: now &- timeout, in: state).prefix(wanted * 4)
        where cut < wanted && connection.unread != .bytes {
          connection.isCut = true
          connection.cut()
          cut += 1
        }
      }
      leaving.add(cut, ordering: .relaxed)
      return cut
    }
  }

  /// The connections that have awaited `owed` since `since` or longer, longest first.
  private static func owing(
    _ owed: Connection.Awaited, since: Int64, in state: State
  ) -> [Connection] {
    let found = state.bySocket.values.compactMap { connection in
      connection.isCut ? nil : connection.owes(owed).map { (connection, since: $0) }
    }
    return found.filter { $0.since <= since }.sorted { $0.since < $1.since }.map(\.0)
  }
}
