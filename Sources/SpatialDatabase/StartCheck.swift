internal import CSpatiaLite
internal import Dispatch
internal import Foundation
internal import Locking
internal import Synchronization

/// The state of the file check when the start continued.
package enum StartCheckOutcome: Sendable, Equatable {
  /// The check is complete, and the file is intact.
  case complete
  /// The check continues in the background.
  case unfinished
}

/// SQLite's `quick_check` of the whole file, in the background on a separate thread and connection.
///
/// With a million devices it takes longer than a restart may. A start therefore waits only if the check is quick, and
/// otherwise continues. Damage found later stops all writes. ``DamageAlarm`` uses this class too.
final class StartCheck: Sendable {
  private enum State {
    case underWay
    case sound
    case failed(any Error)
  }

  private let state = Locked(State.underWay)
  private let ended = DispatchGroup()
  private let isStopped = Atomic(false)
  private let session: Session
  private let isThorough: Bool

  /// Starts the check.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - busyTimeout: how long it waits for a lock.
  ///   - yields: whether the check runs with the lowest priority on the machine.
  ///   - isThorough: whether it also checks indexes and R*Trees, which takes longer.
  ///   - whenFailed: called on the thread of the check when it finds damage or fails.
  /// - Throws: ``DatabaseFault`` if the file cannot be opened.
  init(
    path: String, busyTimeout: Duration, yields: Bool, isThorough: Bool = false,
    whenFailed: @escaping @Sendable (DatabaseFault) -> Void
  ) throws {
    self.isThorough = isThorough
    do {
      session = try ConnectionSettings(part: .plainReader, busyTimeout: busyTimeout).open(path)
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // The schema itself is unreadable.
      throw Self.damage(fault.message)
    }
    ended.enter()
    NamedThread.start("start check") { [self] in
      defer { ended.leave() }
      if yields { ThreadPriority.lower() }
      let found = Result { try session.use(run) }
      try? session.close()
      if case .failure(let error) = found, let fault = error as? DatabaseFault,
        !isStopped.load(ordering: .acquiring)
      {
        whenFailed(fault)
      }
      state.withLock { state in
        switch found {
        case .success: state = .sound
        case .failure(let error): state = .failed(error)
        }
      }
    }
  }

  private func run() throws {
    let connection = Connection(session: session)
    var damages: [String] = []
    do {
      try connection.forEach("PRAGMA \(isThorough ? "integrity" : "quick")_check(5)") { row in
        if row.text(0) != "ok" { damages.append(row.text(0)) }
      }
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // A page is so damaged that the check cannot continue.
      damages.append(fault.message)
    }
    if isThorough, damages.isEmpty { damages = try treeDamages(connection) }
    // After an interrupt, the check reports unvisited pages as lost.
    if damages.isEmpty || isStopped.load(ordering: .acquiring) { return }
    // The check reports a page that could not be read as damaged.
    if let refusal = takeRefusal(session.handle) {
      throw DatabaseFault(.ioError, "the disk could not be read: \(systemError(refusal))")
    }
    throw Self.damage(damages.joined(separator: "; "))
  }

  private static func damage(_ words: String) -> DatabaseFault {
    DatabaseFault(.corrupt, "the database is damaged: " + words)
  }

  /// Errors inside R*Trees, which SQLite's own check does not examine.
  private func treeDamages(_ connection: Connection) throws -> [String] {
    let trees = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING rtree%'"
    ) { $0.text(0) }
    return try trees.compactMap { tree in
      try connection.damage(ofTree: tree).map { "the tree \(tree): \($0)" }
    }
  }

  /// The result of the check. A nil `timeout` waits for its end.
  ///
  /// - Throws: ``DatabaseFault``, of kind `corrupt` with the findings.
  func outcome(within timeout: Duration?) throws -> StartCheckOutcome {
    if let timeout {
      _ = ended.wait(timeout: .now() + .milliseconds(timeout.wholeMilliseconds))
    } else {
      ended.wait()
    }
    switch state.withLock({ $0 }) {
    case .underWay: return .unfinished
    case .sound: return .complete
    case .failed(let error): throw error
    }
  }

  /// Stops the check and waits for its end.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    // SQLite ignores an interrupt that comes before the statement has started, and walks a whole b-tree without
    // calling the progress handler. An interrupt may come from any thread, but not on a closed connection.
    while ended.wait(timeout: .now()) == .timedOut {
      session.interrupt()
      _ = ended.wait(timeout: .now() + .milliseconds(10))
    }
  }
}
