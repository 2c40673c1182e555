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
  private let perAddress: Int

  private struct State {
    var bySocket: [Int32: Connection] = [:]
    var countByAddress: [ClientAddress: Int] = [:]
  }

  /// - Parameter perAddress: the most connections of one address; 0 for any number.
  init(perAddress: Int) { self.perAddress = perAddress }

  /// How many connections there are, without the lock.
  var count: Int { open.load(ordering: .relaxed) }

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
}
