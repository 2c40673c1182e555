internal import CPostgreSQL
internal import Glibc

/// One connection to PostgreSQL with its prepared statements.
///
/// Calls block the calling thread. All errors are ``ServerFault``, except errors thrown by a closure.
///
/// `@unchecked Sendable`, because its properties change without a lock: a lock would be held while a statement waits.
/// It is safe because ``ConnectionPool`` gives a connection to one caller at a time, until that caller returns it, and
/// ``Cancellation`` uses its own copy of what it needs.
package final class ServerConnection: @unchecked Sendable {
  /// The oldest major version that Farol supports.
  package static let oldestVersion = 15

  private(set) var handle: OpaquePointer
  let address: ServerAddress
  /// The one that it is connected to, of the hosts of the address.
  private(set) var host: ServerAddress
  let limits: ConnectionLimits
  /// Decides whether the server may be used. Nil for every server.
  let fence: ServerFence?
  /// Whether the fence has admitted the server.
  private(set) var isAdmitted = false
  /// The run of the server that this connection belongs to. Nil on a standby.
  private(set) var incarnation: String?
  var statements = PreparedStatements()
  /// The results that were read ahead.
  var ahead: [(item: Item, result: StatementResult)] = []
  /// The statements that begin a read, while the server has not got them: the first statement of the read takes them
  /// along in its round trip.
  var opening: [Item] = []
  /// The same for the whole read, which may begin again. Empty in writes and outside of transactions.
  var beginning: [Item] = []
  /// Whether the result of the COMMIT of a read is still to be read.
  var isEnding = false
  /// The role that the session has, where it is not the user's.
  var role: String?
  /// When a running statement is cancelled. Nil means never.
  var deadline: ContinuousClock.Instant?
  /// How long a cancelled statement may take to end in a read that must be quick; nil for the usual time.
  var cancelLimit: Duration?
  /// Whether ``abandon()`` was called. libpq may still regard the connection as sound.
  private var isAbandoned = false
  /// The number of cursors so far, for their names.
  var cursorCount = 0

  /// Connects, and checks the server and the database.
  ///
  /// - Throws: ``ServerFault`` with one sentence for the administrator, and errors of the fence.
  package init(
    _ address: ServerAddress, limits: ConnectionLimits = .init(), fence: ServerFence? = nil
  ) throws {
    self.address = address
    self.limits = limits
    self.fence = fence
    (handle, host) = try Self.open(address, limits)
    PQsetnonblocking(handle, 1)
    deadline = .now + limits.connect
    try check()
    try fence?.admit(self)
    isAdmitted = true
    deadline = nil
  }

  deinit { PQfinish(handle) }

  /// Whether the connection can be used no more.
  package var isBroken: Bool { isAbandoned || PQstatus(handle) == CONNECTION_BAD }

  /// Replaces the connection by a new one with the same role, for a read of which nothing has run.
  func replace() throws(ServerFault) {
    let new: ServerConnection
    do { new = try ServerConnection(address, limits: limits, fence: fence) } catch {
      throw error as? ServerFault ?? .lost()
    }
    if let role { try new.control("SET ROLE \(role)") }
    // The old one ends with `new`.
    swap(&handle, &new.handle)
    host = new.host
    swap(&statements, &new.statements)
    incarnation = new.incarnation
    (isAbandoned, isEnding) = (false, false)
  }

  /// Gives the connection up: the server rolls its transaction back, and later use throws a fault.
  package func abandon() {
    isAbandoned = true
    shutdown(PQsocket(handle), Int32(SHUT_RDWR))
  }

  /// Whether no transaction is open, and the server has not ended the connection meanwhile.
  var isReady: Bool {
    var readable = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    while !isBroken, poll(&readable, 1, 0) > 0 {
      guard PQconsumeInput(handle) == 1 else { return false }
      _ = PQisBusy(handle)
    }
    settle()
    return !isBroken && PQtransactionStatus(handle) == PQTRANS_IDLE
  }

  /// Refuses servers and databases that Farol cannot use.
  private func check() throws {
    let version = Int(PQserverVersion(handle)) / 10_000
    guard version >= Self.oldestVersion else {
      throw ServerFault(
        .tooOld,
        "PostgreSQL at \(address) has version \(version); Farol needs \(Self.oldestVersion) or later."
      )
    }
    let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw ServerFault(
        .database,
        "The database at \(address) has the encoding \(encoding ?? "?"); create it with ENCODING 'UTF8'."
      )
    }
    // Settings of the session save each read the statements for them.
    let settings = limits.read.map { limit in
      "SET default_transaction_read_only = on; SET statement_timeout = \(Self.serverLimit(limit)); "
    }
    let found = try control(
      """
      \(settings ?? "")SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'postgis'),
        CASE WHEN NOT pg_is_in_recovery() THEN concat_ws(' ',
          left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), pg_postmaster_start_time(),
          (SELECT stats_reset FROM pg_stat_bgwriter)) END,
        (SELECT CASE WHEN datcollate NOT IN ('C', 'POSIX') THEN datcollate
          WHEN datctype NOT IN ('C', 'POSIX') THEN datctype END
          FROM pg_database WHERE datname = current_database())
      """)
    if let locale = found.withRow(0, { $0.optionalText(2) }) {
      throw ServerFault(
        .database,
        "The database at \(address) has the locale \(locale); create it with LOCALE 'C'.")
    }
    guard found.withRow(0, { $0.bool(0) }) else {
      throw ServerFault(
        .noPostGIS,
        "The database at \(address) has no PostGIS: run CREATE EXTENSION postgis in it as a superuser."
      )
    }
    incarnation = found.withRow(0) { $0.optionalText(1) }
  }
}
