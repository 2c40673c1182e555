internal import Locking
internal import PostgreSQL

/// A PostgreSQL standby that answers public reads while the primary does not (``ReplicaUse``).
///
/// Public reads do not look for the primary themselves, which may take seconds: once one read could not begin, they use
/// the replica until another read succeeds. ``WriteListener`` tries twice a second.
final class Replica: Sendable {
  private struct State {
    var isPrimaryAway = false
    /// When this server knew all public data of the primary last.
    var confirmed = ContinuousClock.now
    /// Whether a database contains that data. Nil until the index is loaded.
    var contains: (@Sendable (Connection) throws -> Bool)?
  }

  let address: ServerAddress
  private let pool: ConnectionPool
  private let state = Locked(State())

  /// Establishes no connection yet.
  init(url: String, _ configuration: Database.Configuration) throws {
    address = try ServerAddress(url: url, target: "prefer-standby")
    var limits = ConnectionLimits()
    limits.connect = .seconds(3)
    limits.read = configuration.queryTimeLimit
    pool = ConnectionPool(
      address, size: configuration.readers, timeout: configuration.busyTimeout, limits: limits)
  }

  var isPrimaryAway: Bool { state.withLock { $0.isPrimaryAway } }

  func primary(isAway: Bool) { state.withLock { $0.isPrimaryAway = isAway } }

  func confirm() { state.withLock { $0.confirmed = .now } }

  func use(where contains: @escaping @Sendable (Connection) throws -> Bool) {
    state.withLock { $0.contains = contains }
  }

  /// Runs `body` on the replica.
  ///
  /// - Throws: ``DatabaseFault`` of kind `unreachable` if it lacks data that this server knows.
  func read<T>(
    _ mode: TransactionMode, limit: Duration?, for use: ReplicaUse,
    _ body: (ServerConnection) throws -> T, as connection: (ServerConnection) throws -> Connection
  ) throws -> T {
    try pool.transaction(mode, limit: limit) { server in
      try confirm(connection(server), for: use)
      return try body(server)
    }
  }

  /// Checks that the snapshot of a connection contains the data that this server knows, and records its age.
  func confirm(_ connection: Connection, for use: ReplicaUse) throws {
    let (confirmed, contains) = state.withLock { ($0.confirmed, $0.contains) }
    guard try contains?(connection) == true else {
      throw DatabaseFault(.unreachable, "the replica lacks changes that this server knows")
    }
    use.note(.now - confirmed)
  }

  func close() { pool.close() }
}
