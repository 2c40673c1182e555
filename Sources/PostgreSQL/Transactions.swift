internal import CPostgreSQL
internal import Glibc

/// The purpose of a transaction.
package enum TransactionMode: Sendable, Equatable {
  /// Reads one snapshot, which begins with the first statement.
  case read
  /// Like ``read``, with the rights of a role, whose name is a constant.
  case readAs(String)
  /// Writes. Each statement sees all earlier commits. With `turn`, the key of an advisory lock, transactions of all
  /// servers with the same key run one after the other, so that their sequence numbers increase in the order of their
  /// commits. With `notifying`, a constant name, listeners of that channel learn of the commit and get `payload`, a
  /// constant of letters and digits. `unless` is a constant query for a sentence: if it gives one, the transaction does
  /// not begin. It sees all commits before the turn.
  case write(
    turn: Int64? = nil, notifying: String? = nil, payload: String = "", unless: String? = nil)
}

extension ServerConnection {
  /// Runs `body` between BEGIN and COMMIT, or ROLLBACK if it throws.
  ///
  /// - Parameters:
  ///   - mode: the purpose.
  ///   - limit: the longest time for its statements and the work between them, without the COMMIT. Nil for no limit.
  ///   - body: the work to do. After a failed statement it can only throw, unless a ``savepoint(_:)`` contains the
  ///     statement.
  /// - Returns: the result of `body`. The changes are then stored.
  /// - Throws: ``ServerFault`` of kind `connectionLost` or `transactionLost` if nothing is stored, of kind
  ///   `unknownOutcome` if that cannot be known, and errors from `body`.
  package func transaction<T>(
    _ mode: TransactionMode, limit: Duration? = nil, _ body: (ServerConnection) throws -> T
  ) throws -> T {
    try complete(begin(mode, limit: limit), mode, body)
  }

  /// Runs `body` in a savepoint: if it throws, only its changes are rolled back. Savepoints may be nested.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try control("SAVEPOINT item")
    do {
      let result = try body()
      try control("RELEASE SAVEPOINT item")
      return result
    } catch {
      if !isBroken {
        try withoutDeadline { () throws(ServerFault) in
          try control("ROLLBACK TO SAVEPOINT item; RELEASE SAVEPOINT item")
        }
      }
      throw error
    }
  }

  /// Starts a snapshot that lasts until the connection is released. Its statements are cancelled after `limit`, but it
  /// may be idle in between for any time.
  ///
  /// - Throws: ``ServerFault``.
  package func beginSnapshot(limit: Duration) throws {
    _ = try begin(.read, limit: limit)
    // The snapshot begins with the first statement.
    try control(
      "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0; SELECT 1"
    )
    // No statement is the last one of a snapshot.
    beginning = []
  }

  /// Sets the remaining time of the transaction, from now.
  package func limit(to duration: Duration) { deadline = .now + duration }

  /// Whether a transaction is open, and no statement in it has failed.
  package var isInSoundTransaction: Bool {
    !isBroken && (!opening.isEmpty || PQtransactionStatus(handle) == PQTRANS_INTRANS)
  }

  /// Whether a read is in progress.
  var isReading: Bool { !beginning.isEmpty }

  /// Starts a transaction: a write in one round trip, and a read in the round trip of its first statement unless it
  /// `isOpen`.
  ///
  /// - Returns: the transaction's number, which identifies its outcome if the connection ends during COMMIT. Nil for
  ///   reads.
  func begin(
    _ mode: TransactionMode, limit: Duration?, quickly: Duration? = nil, isOpen: Bool = false
  ) throws(ServerFault) -> String? {
    settle()
    guard isBroken || !isReading && PQtransactionStatus(handle) == PQTRANS_IDLE else {
      throw ServerFault(.statement, "transactions cannot be nested: use a savepoint")
    }
    try forgetSurplus()
    patience = quickly
    deadline = [limit, quickly].compactMap(\.self).min().map { .now + $0 }
    do throws(ServerFault) {
      switch mode {
      case .read, .readAs:
        try confirmUse("BEGIN")
        try assume(mode)
        beginning = [("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])]
        if limit != limits.read {
          let milliseconds = limit.map { Self.serverLimit($0) } ?? 0
          beginning.append(
            ("SELECT set_config('statement_timeout', ?, TRUE)", [.text("\(milliseconds)")]))
        }
        opening = beginning
        if isOpen { try open() }
        return nil
      case .write(let turn, _, _, let condition):
        try assume(mode)
        var items: [Item] = [
          ("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", []),
          (
            "SELECT set_config('lock_timeout', ?, TRUE)",
            [.text("\(limits.lock.wholeMilliseconds)")]
          ),
        ]
        if let turn { items.append(("SELECT pg_advisory_xact_lock(?)", [.integer(turn)])) }
        // Sees all commits before the turn, because it is a separate statement.
        let question = "SELECT CAST(pg_current_xact_id() AS TEXT), (\(condition ?? "SELECT NULL"))"
        items.append((question, []))
        guard let answer = try results(of: items).last else { throw ServerFault.lost() }
        let (number, objection) = answer.withRow(0) { ($0.text(0), $0.optionalText(1)) }
        if let objection { throw ServerFault(.barred, objection) }
        return number
      }
    } catch {
      rollBack()
      // BEGIN READ WRITE on a standby (feature_not_supported).
      guard error.sqlState == "0A000", mode != .read else { throw error }
      throw .standby(address)
    }
  }

  /// Runs `body` in a transaction that has begun, and ends it.
  func complete<T>(
    _ number: String?, _ mode: TransactionMode, _ body: (ServerConnection) throws -> T
  ) throws -> T {
    let result: T
    defer { (beginning, deadline) = ([], nil) }
    do {
      result = try body(self)
      try confirmUse("COMMIT")
    } catch {
      rollBack()
      throw error
    }
    try commit(number, mode)
    try confirmAnswer(mode)
    return result
  }

  /// Rolls back, or gives the connection up, which has the same effect.
  private func rollBack() {
    deadline = .now + limits.cancel
    defer { deadline = nil }
    (opening, beginning) = ([], [])
    guard !isBroken, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    do throws(ServerFault) { try control("ROLLBACK") } catch { abandon() }
  }

  /// Cleaning up takes place also after the deadline.
  private func withoutDeadline(_ body: () throws(ServerFault) -> Void) throws(ServerFault) {
    let before = deadline
    deadline = nil
    defer { deadline = before }
    try body()
  }

  /// Takes the role of a mode. The session keeps it, because almost all of its transactions have the same.
  private func assume(_ mode: TransactionMode) throws(ServerFault) {
    var wanted: String?
    if case .readAs(let role) = mode { wanted = role }
    guard wanted != role else { return }
    try control(wanted.map { "SET ROLE \($0)" } ?? "RESET ROLE")
    role = wanted
  }

  /// The limit of the server for a statement, in milliseconds. It stops a statement whose client is gone.
  static func serverLimit(_ limit: Duration) -> Int { limit.wholeMilliseconds + 1_000 }

  /// Sends the statements that begin the read, if no statement has yet.
  func open() throws(ServerFault) {
    if !opening.isEmpty { _ = try results(of: []) }
  }

  /// Sends the COMMIT of a read without waiting for its result, on which nothing depends.
  private func sendCommit() throws(ServerFault) {
    let statement = try prepared(Self.commit.sql)
    try send(statement, try statement.encode([]))
    isEnding = true
    // Usually all of it is sent.
    if PQflush(handle) != 0 { settle() }
  }

  /// Reads the result of the COMMIT of a read, if it is still to be read.
  func settle() {
    guard isEnding else { return }
    isEnding = false
    let before = deadline
    deadline = .now + limits.cancel
    defer { deadline = before }
    do throws(ServerFault) { _ = try result(of: Self.commit.sql) } catch { abandon() }
  }

  static let commit: Item = ("COMMIT", [])

  private func commit(_ number: String?, _ mode: TransactionMode) throws(ServerFault) {
    if isReading, isInSoundTransaction {
      ahead.removeAll()
      guard opening.isEmpty else { return opening = [] }
      return try sendCommit()
    }
    var statement = "COMMIT"
    // A failed transaction refuses the notification, and ends as rolled back without it.
    if case .write(_, let channel?, let payload, _) = mode, isInSoundTransaction {
      statement = "NOTIFY \(channel), '\(payload)'; COMMIT"
    }
    // Without a deadline: a server that is cancelled while it waits for its standbys reports the changes as stored.
    deadline = nil
    let tag: String
    do throws(ServerFault) { tag = try control(statement).command } catch {
      guard error.kind == .connectionLost, let number else { throw error }
      return try confirmCommit(of: number, after: error)
    }
    // The server answers ROLLBACK if an earlier statement has failed.
    guard tag == "COMMIT" else {
      throw ServerFault(
        .transactionLost, "the transaction was rolled back, because a statement in it failed")
    }
  }
}
