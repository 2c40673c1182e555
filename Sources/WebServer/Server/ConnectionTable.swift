internal import Glibc
internal import Locking
internal import Synchronization

/// The open connections, by socket, and how many each address has.
///
/// A connection is taken out before its socket is closed (libmicrohttpd gives notice first), and
/// the reaper cuts sockets only while it holds the lock, so it never cuts a number that the kernel
/// has given to somebody else meanwhile.
final class ConnectionTable: Sendable {
  private let state = Monitor(State())
  private let open = Atomic<Int>(0)
  /// Those among them that were cut to make room.
  private let leaving = Atomic<Int>(0)
  private let perAddress: Int

  private struct State {
    var bySocket: [Int32: Connection] = [:]
    var countByAddress: [ClientAddress: Int] = [:]
  }

  /// - Parameter perAddress: the most connections of one address; 0 for any number.
  init(perAddress: Int) { self.perAddress = perAddress }

  /// How many connections there are, without the lock.
  var count: Int { open.load(ordering: .relaxed) }

  /// How many of them were not cut to make room, without the lock.
  var staying: Int { count - leaving.load(ordering: .relaxed) }

  /// Takes a connection in.
  ///
  /// - Returns: false when its address has as many as it may; the connection is then to be cut.
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

  /// Cuts every connection whose deadline has passed.
  func cutOverdue(at now: Int64) {
    state.withLock { state in
      for connection in state.bySocket.values {
        let deadline = connection.deadline.load(ordering: .relaxed)
        if deadline != 0, deadline < now { connection.cut() }
      }
    }
  }

  /// Makes libmicrohttpd read the end of connections whose clients have finished sending (see
  /// ``HangupWatch``).
  ///
  /// `shutdown` with `SHUT_RD` wakes whoever waits for the socket. Nothing else changes, as there is nothing
  /// left to come: a request that is complete is still answered, and its answer sent.
  ///
  /// - Parameter sockets: numbers that are connections' or were.
  /// - Returns: those with bytes that are still to be read, before which the end cannot be.
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

  /// Which connections may be cut to make room, and after how long without what they owe, in nanoseconds.
  /// Those that owe a head, idle ones among them, go first.
  private static let dispensable: [(owed: Connection.Awaited, patience: Int64)] = [
    (.head, 50_000_000), (.body, 1_000_000_000),
  ]

  /// Cuts connections that wait for their clients, those first that have waited longest.
  ///
  /// One is spared whose bytes are there but not read: then it is the server that is late.
  ///
  /// - Parameters:
  ///   - wanted: the most to cut.
  ///   - now: the time, in nanoseconds of the continuous clock.
  /// - Returns: how many were cut. libmicrohttpd closes them a moment later.
  func makeRoom(_ wanted: Int, at now: Int64) -> Int {
    state.withLock { state in
      var cut = 0
      for (owed, patience) in Self.dispensable where cut < wanted {
        for connection in Self.owing(owed, since: now &- patience, in: state).prefix(wanted * 4)
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

  /// Those that have owed it since then or longer, the longest first.
  private static func owing(
    _ owed: Connection.Awaited, since: Int64, in state: State
  ) -> [Connection] {
    let found = state.bySocket.values.compactMap { connection in
      connection.isCut ? nil : connection.owes(owed).map { (connection, since: $0) }
    }
    return found.filter { $0.since <= since }.sorted { $0.since < $1.since }.map(\.0)
  }
}
