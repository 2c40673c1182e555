internal import Locking
internal import PostgreSQL

extension Database {
  /// Recognises that the PostgreSQL database of a server is behind the state that the server has seen
  /// (docs/decisions/0033).
  package struct Continuity: Sendable {
    /// The file that keeps the state for the next start.
    let file: String
    /// Whether a database contains a change, in the form of ``Database/note(seen:)``.
    let contains: @Sendable (_ change: String, _ connection: borrowing Connection) throws -> Bool

    package init(
      file: String,
      contains: @escaping @Sendable (String, borrowing Connection) throws -> Bool
    ) {
      (self.file, self.contains) = (file, contains)
    }
  }

  /// Records a change that is certainly stored: acknowledged, or seen for more than a moment.
  package func note(seen change: String) { server?.continuity.note(change) }

  /// Why the database is not used, in one sentence. Nil if it is not behind, and on SQLite.
  package var behind: String? { server?.continuity.behind }

  /// Accepts the state of a database that was restored to an earlier time: servers that have seen a later state use it
  /// again. Nothing on SQLite, which has one server.
  package func acceptState() throws {
    guard isOnServer else { return }
    try write { connection in
      // Later than the one before, regardless of the database's clock.
      try connection.execute(
        """
        INSERT INTO setting (name, value, changed_at)
        SELECT '\(ServerContinuity.setting)', '"' || moment || '"', moment
        FROM (
          SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment
        ) AS now
        ON CONFLICT (name) DO UPDATE SET value = greatest(excluded.value, left(setting.value, -1) || '+"'),
          changed_at = excluded.changed_at
        """)
    }
  }
}

/// Decides whether a primary is behind the state that this process has seen, for its ``ServerFence``.
final class ServerContinuity: Sendable {
  static let setting = "accepted_state"
  /// The longest time until a change is in the file.
  private static let saving = Duration.seconds(5)

  private struct State {
    var seen: SeenState?
    var behind: String?
    var savedAt = ContinuousClock.now
    var isSaved = true
  }

  private let address: ServerAddress
  private let contains: @Sendable (String, borrowing Connection) throws -> Bool
  private let file: SeenStateFile?
  private let state: Locked<State>

  init(_ address: ServerAddress, _ continuity: Database.Continuity?) {
    self.address = address
    file = continuity.map { SeenStateFile(path: $0.file) }
    contains = continuity?.contains ?? { @Sendable _, _ in true }
    state = Locked(State(seen: file?.read()))
  }

  var behind: String? { state.withLock { $0.behind } }

  func note(_ change: String) {
    let saved = state.withLock { state -> SeenState? in
      if state.seen?.change != change {
        state.seen?.change = change
        state.isSaved = false
      }
      guard !state.isSaved, .now - state.savedAt > Self.saving else { return nil }
      state.savedAt = .now
      state.isSaved = true
      return state.seen
    }
    if let saved { file?.write(saved) }
  }

  /// Writes the file if it lacks the last change.
  func close() {
    if let seen = state.withLock({ $0.isSaved ? nil : $0.seen }) { file?.write(seen) }
  }

  /// Checks the server of a new connection.
  ///
  /// - Throws: ``ServerFault`` of kind `behind`.
  func check(_ connection: ServerConnection) throws {
    let isStandby = connection.timeline == nil
    if let timeline = connection.timeline, let highest = connection.highestTimeline(),
      highest > timeline
    {
      throw ServerFault(
        .connectionLost, "another host of \(address) has become the primary: timeline \(highest)")
    }
    let found = try state(of: connection)
    guard let seen = state.withLock({ $0.seen }) else { return adopt(found, isStandby) }
    let objection = try seen.objection(to: found, isStandby: isStandby) { change in
      guard try hasTables(connection) else { return false }
      return try connection.transaction(.read, limit: .seconds(5)) { connection in
        try contains(
          change,
          Connection(session: ServerSession(connection, identities: [:], readsInPieces: false)))
      }
    }
    guard let objection else { return adopt(found, isStandby) }
    let sentence =
      """
      the database at \(address) is behind what this server has seen: \(objection). Nothing is read from it or \
      written to it. docs/how-to/high-availability.md, "A database that is behind", says what to do.
      """
    state.withLock { $0.behind = sentence }
    throw ServerFault(.behind, sentence)
  }

  private func adopt(_ found: SeenState, _ isStandby: Bool) {
    let saved = state.withLock { state -> SeenState? in
      state.behind = nil
      // A standby has a separate timeline only once it is the primary.
      if isStandby { return nil }
      var found = found
      if let seen = state.seen, seen.accepted == found.accepted, seen.database == found.database {
        found.change = seen.change
      }
      guard found != state.seen else { return nil }
      state.seen = found
      return found
    }
    if let saved { file?.write(saved) }
  }

  private func hasTables(_ connection: ServerConnection) throws -> Bool {
    try connection.first("SELECT to_regclass('main.change') IS NOT NULL") { $0.bool(0) } ?? false
  }

  private func state(of connection: ServerConnection) throws -> SeenState {
    var found = try connection.first(
      """
      SELECT CAST(system_identifier AS TEXT),
        (SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database())
      FROM pg_control_system()
      """
    ) {
      SeenState(
        system: $0.text(0), database: $0.text(1), timeline: connection.timeline ?? 0, accepted: "")
    }
    if try hasTables(connection) {
      found?.accepted =
        try connection.first(
          "SELECT value FROM main.setting WHERE name = '\(Self.setting)'", decode: { $0.text(0) })
        ?? ""
    }
    guard let found else { throw ServerFault(.connectionLost, "PostgreSQL gave no answer") }
    return found
  }
}
