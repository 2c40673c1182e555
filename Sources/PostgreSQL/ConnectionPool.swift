internal import Dispatch
internal import Locking

/// At most a number of connections to one database, which callers use one after the other in order of arrival.
///
/// A connection is established when it is needed first, and again after the server has ended it.
package final class ConnectionPool: Sendable {
  private struct State {
    /// Free connections; the last one was used last.
    var idle: [ServerConnection] = []
    /// The number of connections that exist or are being established.
    var count = 0
    /// Callers without a connection, the first one arrived first.
    var waiting: [Waiter] = []
    var isClosed = false
  }

  /// A caller that waits for its turn.
  private final class Waiter: Sendable {
    let arrival = DispatchSemaphore(value: 0)
    let turn = Locked<Turn?>(nil)
  }

  /// The answer to a caller.
  private enum Turn: Sendable {
    case connection(ServerConnection)
    /// It may establish a connection.
    case place
    case closed
  }

  private let address: ServerAddress
  private let limits: ConnectionLimits
  private let size: Int
  private let timeout: Duration
  private let fence: ServerFence?
  private let state = Locked(State())

  /// Establishes no connection yet.
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - size: the most connections, at least 1.
  ///   - timeout: how long a caller waits for a connection.
  ///   - limits: time limits of the connections.
  ///   - fence: decides which servers may be used. Nil for all.
  package init(
    _ address: ServerAddress, size: Int, timeout: Duration = .seconds(5),
    limits: ConnectionLimits = .init(), fence: ServerFence? = nil
  ) {
    self.address = address
    self.limits = limits
    self.fence = fence
    self.size = max(1, size)
    self.timeout = timeout
  }

  /// The number of connections in use, and the most.
  package var use: (busy: Int, all: Int) {
    state.withLock { ($0.count - $0.idle.count, size) }
  }

  /// The number of callers that wait for a connection.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` in a transaction of one connection, see ``ServerConnection/transaction(_:limit:_:)``.
  ///
  /// If the server has ended an idle connection, or is a standby now, the transaction begins on a new one.
  ///
  /// - Parameters:
  ///   - mode: the purpose.
  ///   - limit: the longest time, see there.
  ///   - quickly: a shorter time, which is also that of the wait for a connection, and for the end of a cancelled statement.
  ///     No connection is established then. Nil for a caller that may wait.
  ///   - isOpen: whether a read begins before `body`, in a separate round trip, which shows that the server answers.
  ///   - body: the work to do.
  /// - Returns: the result of `body`.
  /// - Throws: ``ServerFault``, of kind `busy` if no connection was free in time and `closed` after ``close()``, and
  ///   errors from `body`.
  package func transaction<T>(
    _ mode: TransactionMode, limit: Duration? = nil, quickly: Duration? = nil,
    isOpen: Bool = false, _ body: (ServerConnection) throws -> T
  ) throws -> T {
    var connection = try take(quickly: quickly)
    // The closure holds the connection that is current at the end.
    defer { giveBack(connection) }
    let number: String?
    do throws(ServerFault) {
      number = try connection.begin(mode, limit: limit, quickly: quickly, isOpen: isOpen)
    } catch {
      // The address may lead to another server meanwhile, if this one became a standby.
      guard error.kind == .connectionLost || error.kind == .readOnly, quickly == nil else {
        throw error
      }
      connection = try ServerConnection(address, limits: limits, fence: fence)
      number = try connection.begin(mode, limit: limit, isOpen: isOpen)
    }
    return try connection.complete(number, mode, body)
  }

  /// Runs statements as one transaction in one round trip, see ``ServerConnection/batch(_:limit:_:)``.
  ///
  /// If the connection ends meanwhile, they run once more on a new one. They may then have run twice.
  ///
  /// - Throws: ``ServerFault``, and errors from `body`.
  package func batch(
    _ items: [ServerConnection.Item], limit: Duration,
    _ body: (_ place: Int, _ row: ResultRow) throws -> Void = { _, _ in }
  ) throws {
    var connection = try take()
    defer { giveBack(connection) }
    do { try connection.batch(items, limit: limit, body) } catch let fault as ServerFault {
      guard fault.kind == .connectionLost else { throw fault }
      connection = try ServerConnection(address, limits: limits, fence: fence)
      try connection.batch(items, limit: limit, body)
    }
    try connection.confirmAnswer(.write())
  }

  /// Closes idle connections now and the others after their use. Waiting and later callers get a fault.
  package func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      state.count -= state.idle.count
      state.idle = []
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { hand(.closed, to: waiter) }
  }

  private func take(quickly: Duration? = nil) throws -> ServerConnection {
    let waiter = Waiter()
    let turn = state.withLock { state -> Turn? in
      if state.isClosed { return .closed }
      if let connection = state.idle.popLast() { return .connection(connection) }
      if state.count < size {
        state.count += 1
        return .place
      }
      state.waiting.append(waiter)
      return nil
    }
    switch try turn ?? awaitTurn(waiter, min(quickly ?? timeout, timeout)) {
    case .connection(let connection)
    where connection.isReady && fence?.isCurrent(connection) != false:
      return connection
    case .connection, .place:
      guard quickly == nil else {
        passOn(nil)
        throw busy
      }
      return try connect()
    case .closed: throw ServerFault(.closed, "the connections to PostgreSQL are closed")
    }
  }

  private var busy: ServerFault {
    ServerFault(.busy, "all \(size) connections to PostgreSQL are in use")
  }

  private func awaitTurn(_ waiter: Waiter, _ timeout: Duration) throws(ServerFault) -> Turn {
    let end = DispatchTime.now() + .milliseconds(timeout.wholeMilliseconds)
    if waiter.arrival.wait(timeout: end) == .timedOut {
      let hasLeft = state.withLock { state in
        let place = state.waiting.firstIndex { $0 === waiter }
        if let place { state.waiting.remove(at: place) }
        return place != nil
      }
      if hasLeft { throw busy }
      // Its turn came at the last moment.
      waiter.arrival.wait()
    }
    return waiter.turn.withLock { $0 } ?? .closed
  }

  /// Establishes a connection in the place that the caller has.
  private func connect() throws -> ServerConnection {
    do { return try ServerConnection(address, limits: limits, fence: fence) } catch {
      passOn(nil)
      throw error
    }
  }

  private func giveBack(_ connection: ServerConnection) {
    // The end of a read is awaited by the next caller.
    passOn(connection.isEnding || connection.isReady ? connection : nil)
  }

  /// Gives a connection, or its place, to the caller that waits longest.
  private func passOn(_ connection: ServerConnection?) {
    let waiter = state.withLock { state -> Waiter? in
      if !state.isClosed, !state.waiting.isEmpty { return state.waiting.removeFirst() }
      if let connection, !state.isClosed {
        state.idle.append(connection)
      } else {
        state.count -= 1
      }
      return nil
    }
    if let waiter { hand(connection.map { .connection($0) } ?? .place, to: waiter) }
  }

  private func hand(_ turn: Turn, to waiter: Waiter) {
    waiter.turn.withLock { $0 = turn }
    waiter.arrival.signal()
  }
}
