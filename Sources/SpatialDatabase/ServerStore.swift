internal import Locking
internal import Metrics
internal import PostgreSQL

/// A PostgreSQL database. See ``Database``.
final class ServerStore: Sendable {
  private let address: ServerAddress
  private let configuration: Database.Configuration
  private let activity: DatabaseActivity
  private let readers: ConnectionPool
  /// For ``readPrivate(limit:_:)`` and writes.
  private let owners: ConnectionPool
  /// For ``apart(inTurnFor:_:_:)``, which is also called inside of a write.
  private let apart: ConnectionPool
  /// For public reads while the primary does not answer.
  let replica: Replica?
  /// The state of the primary that this server has seen.
  let continuity: ServerContinuity
  private let fence: ServerFence
  private let snapshotPlaces: SnapshotPlaces
  private let identities = Locked<ServerSession.Identities?>(nil)
  /// The query for the sentence with which writes are refused, see ``ServerMigrations/objection(to:)``. Nil until the
  /// migrations are applied.
  private let objection = Locked<String?>(nil)
  /// Distinguishes this server's notifications from others.
  private let mark = String(UInt64.random(in: .min ... .max), radix: 36)
  /// Nil with a replica, which answers meanwhile.
  private let hangs: HangGuard?
  /// The role of reads, once tables are forbidden.
  private let role = Locked<String?>(nil)

  /// The key of the advisory lock that writes take one after the other, on all servers: "farol" in ASCII.
  static let turn: Int64 = 0x66_6172_6F6C

  init(url: String, configuration: Database.Configuration, activity: DatabaseActivity) throws {
    (self.configuration, self.activity) = (configuration, activity)
    snapshotPlaces = SnapshotPlaces(limit: configuration.snapshots)
    let address = try translatingFaults { try ServerAddress(url: url) }
    self.address = address
    let continuity = ServerContinuity(address, configuration.continuity)
    let fence = ServerFence(continuity.check)
    (self.continuity, self.fence) = (continuity, fence)
    var limits = ConnectionLimits()
    limits.read = configuration.queryTimeLimit
    // Visitors wait for these connections.
    limits.connect = .seconds(7)
    readers = ConnectionPool(
      address, size: configuration.readers, timeout: configuration.busyTimeout, limits: limits,
      fence: fence)
    owners = ConnectionPool(
      address, size: 2, timeout: configuration.busyTimeout, fence: fence)
    apart = ConnectionPool(address, size: 2, timeout: configuration.busyTimeout, fence: fence)
    replica = try translatingFaults {
      try configuration.replica.map { try Replica(url: $0, configuration) }
    }
    hangs = replica == nil ? HangGuard(address) : nil
    // Fails now and not at the first request.
    try translatingFaults { try owners.transaction(.read) { _ in } }
  }

  var readersInUse: (busy: Int, all: Int) { readers.use }

  /// `quickly` as in ``ConnectionPool/transaction(_:limit:quickly:isOpen:_:)``.
  func read<T>(
    limit: Duration?, quickly: Duration? = nil, plan: ReadPlan = ReadPlan(),
    _ body: (Connection) throws -> T
  ) throws -> T {
    let isQuick = quickly != nil
    try hangs?.begin(isQuick: isQuick)
    return try translatingFaults {
      var end: DatabaseFault?
      defer { hangs?.end(end, isQuick: isQuick) }
      do {
        return try readAnywhere(limit: limit, quickly: quickly) { connection in
          try body(self.connection(connection, plan, readsInPieces: limit == nil))
        }
      } catch {
        // Sessions translate the faults of their statements.
        end = (error as? ServerFault).map { DatabaseFault($0) } ?? error as? DatabaseFault
        if end?.kind == .interrupted, !isQuick { activity.interruptedReads.add() }
        if end?.kind == .busy { activity.refusedReads.add() }
        throw error
      }
    }
  }

  /// - Throws: a ``DatabaseFault`` while the database hangs and there is no replica.
  func confirmAnswer() throws(DatabaseFault) { try hangs?.confirmAnswer() }

  /// Reads from the primary, or from the replica if the caller may use it and the primary does not answer.
  private func readAnywhere<T>(
    limit: Duration?, quickly: Duration?, _ body: (ServerConnection) throws -> T
  ) throws -> T {
    let mode = role.withLock { $0 }.map { TransactionMode.readAs($0) } ?? .read
    guard let replica else {
      return try readers.transaction(mode, limit: limit, quickly: quickly, body)
    }
    let use = ReplicaUse.current
    if use == nil || !replica.isPrimaryAway {
      var hasBegun = false
      do {
        return try readers.transaction(
          mode, limit: limit, quickly: quickly, isOpen: true
        ) { connection in
          hasBegun = true
          replica.primary(isAway: false)
          return try body(connection)
        }
      } catch let fault as ServerFault where !hasBegun && fault.isOfAbsence {
        replica.primary(isAway: true)
        if use == nil { throw fault }
      }
    }
    guard let use else { throw DatabaseFault(.unreachable, "no server of PostgreSQL answers") }
    return try replica.read(mode, limit: limit, for: use) { connection in
      activity.replicaReads.add()
      return try body(connection)
    } as: {
      try self.connection($0)
    }
  }

  func readPrivate<T>(limit: Duration?, _ body: (Connection) throws -> T) throws -> T {
    try translatingFaults {
      try owners.transaction(.read, limit: limit) { connection in
        try body(self.connection(connection, readsInPieces: limit == nil))
      }
    }
  }

  func write<T>(_ body: (Connection) throws -> T) throws -> T {
    if configuration.readOnly { throw DatabaseFault(.readOnly, "\(address) is open to read only") }
    do {
      return try translatingFaults {
        let started = ContinuousClock.now
        defer { activity.commits.observe(ContinuousClock.now - started) }
        let mode = TransactionMode.write(
          turn: Self.turn, notifying: WriteListener.channel, payload: mark,
          unless: objection.withLock { $0 })
        return try owners.transaction(mode) { connection in
          try body(self.connection(connection))
        }
      }
    } catch {
      if let failure = WriteFailure(error) { activity.failedWrites.add(failure) }
      throw error
    }
  }

  /// See ``Database/apart(inTurnFor:_:_:)``.
  func apart(
    inTurnFor key: Int64?, _ items: [Database.Item],
    _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws {
    if configuration.readOnly { throw DatabaseFault(.readOnly, "\(address) is open to read only") }
    var batch = items.map { (sql: $0.sql, values: $0.arguments.map(BoundValue.init)) }
    // Locks with two keys are separate from locks with one key, such as the turn of writes.
    if let key {
      let halves = [key >> 32, Int64(Int32(truncatingIfNeeded: key))].map { BoundValue.integer($0) }
      batch.insert(
        ("SELECT pg_advisory_xact_lock(CAST(? AS INTEGER), CAST(? AS INTEGER))", halves), at: 0)
    }
    let first = batch.count - items.count
    try translatingFaults {
      try apart.batch(batch, limit: configuration.busyTimeout) { place, row in
        if place >= first { try body(place - first, Row(row)) }
      }
    }
  }

  private func connection(
    _ connection: ServerConnection, _ plan: ReadPlan = ReadPlan(), readsInPieces: Bool = false
  ) throws -> Connection {
    Connection(
      session: ServerSession(
        connection, identities: try identities(of: connection), readsInPieces: readsInPieces),
      plan)
  }

  /// Read once, after the migrations.
  private func identities(of connection: ServerConnection) throws -> ServerSession.Identities {
    if let known = identities.withLock({ $0 }) { return known }
    var found: ServerSession.Identities = [:]
    try connection.forEach(
      """
      SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE attidentity <> '' AND NOT attisdropped
      """
    ) { found[Substring($0.text(0))] = $0.text(1) }
    if !found.isEmpty { identities.withLock { $0 = found } }
    return found
  }

  /// Lets reads run as a role that may read all tables but these. A superuser makes the role
  /// (operations/postgresql/create-reader.sql): a user that may create roles could run programs on the machine of
  /// PostgreSQL 15. The name of the role contains the number of the database, because roles are common to all databases
  /// of a cluster.
  func forbidReading(_ tables: Set<String>) throws {
    try translatingFaults {
      try owners.transaction(.write(turn: Self.turn)) { connection in
        let role =
          try connection.first(
            "SELECT 'farol_reader_' || oid FROM pg_database WHERE datname = current_database()"
          ) {
            $0.text(0)
          } ?? ""
        let isKnown = try connection.first(
          "SELECT 1 FROM pg_roles WHERE rolname = ?", [.text(role)]
        ) { _ in true }
        // Names of tables and roles cannot be bound; these are constants in the code.
        if isKnown == nil { try makeReader(role, connection) }
        let isMember = try connection.first(
          "SELECT pg_has_role(CAST(? AS name), 'MEMBER')", [.text(role)]
        ) { $0.bool(0) }
        if isMember != true { try grantReader(role, connection) }
        try connection.execute("GRANT USAGE ON SCHEMA main TO \(role)")
        try connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA main TO \(role)")
        for table in tables.sorted() {
          try connection.execute("REVOKE SELECT ON main.\(table) FROM \(role)")
        }
        self.role.withLock { $0 = role }
      }
    }
  }

  private static func missing(_ role: String, _ what: String) -> ServerFault {
    ServerFault(
      .readerRole,
      "\(what) \(role): run operations/postgresql/create-reader.sql in the database as a superuser."
    )
  }

  /// Makes the role, if the user may.
  private func makeReader(_ role: String, _ connection: ServerConnection) throws {
    do { try connection.execute("CREATE ROLE \(role) NOLOGIN") } catch let fault as ServerFault
      where fault.isOfRights
    {
      throw Self.missing(role, "the database at \(address) has no role")
    }
  }

  private func grantReader(_ role: String, _ connection: ServerConnection) throws {
    do { try connection.execute("GRANT \(role) TO CURRENT_USER") } catch let fault as ServerFault
      where fault.isOfRights
    {
      throw Self.missing(role, "the user of the database at \(address) may not use the role")
    }
  }

  func snapshot(limit: Duration) throws -> Snapshot {
    try snapshotPlaces.enter(Snapshot.self) {
      try translatingFaults {
        let connection = try snapshotConnection(limit: limit)
        let snapshot = ServerSnapshot(connection, identities: try identities(of: connection))
        return Snapshot(snapshot, places: snapshotPlaces)
      }
    }
  }

  /// A connection with a snapshot: of the primary, or of the replica as in ``read(limit:_:)``.
  private func snapshotConnection(limit: Duration) throws -> ServerConnection {
    func begin(
      at address: ServerAddress, fence: ServerFence? = nil
    ) throws -> ServerConnection {
      let connection = try ServerConnection(address, fence: fence)
      try connection.beginSnapshot(limit: limit)
      if let role = role.withLock({ $0 }) { try connection.execute("SET LOCAL ROLE \(role)") }
      return connection
    }
    guard let replica, let use = ReplicaUse.current, replica.isPrimaryAway else {
      return try begin(at: address, fence: fence)
    }
    let connection = try begin(at: replica.address)
    try replica.confirm(self.connection(connection), for: use)
    activity.replicaReads.add()
    return connection
  }

  func listen(_ look: @escaping @Sendable () -> Void) throws -> WriteListener {
    try WriteListener(address, ignoring: mark, look)
  }

  /// See ``Database/confirmSchema()``.
  func confirmSchema() throws {
    guard let query = objection.withLock({ $0 }) else { return }
    if let sentence = try read(limit: configuration.queryTimeLimit, { try $0.text(query) }) {
      throw DatabaseFault(.newerSchema, sentence)
    }
  }

  /// See ``Database/migrate(directory:preparing:)``.
  func migrate(directory: String, preparing prepare: () throws -> Void) throws -> [String] {
    let migrations = try Migration.all(in: directory, first: nil)
    return try translatingFaults {
      let applied = try ServerMigrations(address: address).apply(migrations, preparing: prepare)
      identities.withLock { $0 = nil }
      let known = migrations.last?.number ?? 0
      objection.withLock { $0 = ServerMigrations.objection(to: known) }
      return applied
    }
  }

  /// See ``Database/fill(migrations:_:)``.
  func fill<T>(directory: String, _ body: (Connection) throws -> T) throws -> T {
    let migrations = try Migration.all(in: directory, first: nil)
    return try translatingFaults {
      try ServerMigrations(address: address).fill(migrations) { connection in
        // Without identities, because rows have their numbers.
        try body(
          Connection(session: ServerSession(connection, identities: [:], readsInPieces: true)))
      }
    }
  }

  func close() {
    readers.close()
    owners.close()
    apart.close()
    replica?.close()
    continuity.close()
  }
}

extension ServerFault {
  /// Whether the user lacks a right (insufficient_privilege).
  fileprivate var isOfRights: Bool { sqlState == "42501" }

  /// Whether no primary answers: a transaction has not begun.
  fileprivate var isOfAbsence: Bool {
    switch kind {
    case .unreachable, .unresponsive, .connectionLost, .readOnly, .behind: true
    default: false
    }
  }
}
