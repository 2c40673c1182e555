internal import CSpatiaLite
internal import Dispatch
internal import Foundation
internal import GRDB
internal import Locking
internal import Synchronization

/// What the check of the file at a start had found out when the start went on.
package enum StartCheckOutcome: Sendable, Equatable {
  /// The whole file is sound.
  case complete
  /// The check goes on beside all else.
  case unfinished
}

/// SQLite's `quick_check` of the whole file, beside all else: on a thread and a connection of its own.
///
/// On a million devices it takes longer than a restart may. So a start waits for it where it can be
/// done in a moment, and else goes on; what is found later ends the writing. ``DamageAlarm`` uses it too.
final class StartCheck: Sendable {
  private enum State {
    case underWay
    case sound
    case failed(any Error)
  }

  private let state = Locked(State.underWay)
  private let ended = DispatchGroup()
  private let isStopped = Atomic(false)
  private let queue: DatabaseQueue
  private let session: Session
  private let isThorough: Bool

  /// Begins.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - busyTimeout: how long it waits for a lock.
  ///   - yields: whether all else on the machine goes before it.
  ///   - isThorough: whether it also looks into indexes and box trees, which takes longer.
  ///   - whenFailed: is told, on the thread of the check, of a damage or that it could not go on.
  /// - Throws: ``DatabaseFault`` where the file cannot be opened.
  init(
    path: String, busyTimeout: Duration, yields: Bool, isThorough: Bool = false,
    whenFailed: @escaping @Sendable (DatabaseFault) -> Void
  ) throws {
    self.isThorough = isThorough
    do {
      (queue, session) = try ConnectionSettings(part: .plainReader, busyTimeout: busyTimeout)
        .open(path)
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // The schema itself cannot be read.
      throw Self.damage(fault.message)
    }
    ended.enter()
    let thread = Thread { [self] in
      defer { ended.leave() }
      // On Linux this is for the thread alone (setpriority(2)).
      if yields { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
      let found = Result { try queue.inDatabase { _ in try run() } }
      try? ConnectionSettings.close(queue, session)
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
    thread.name = "start check"
    thread.start()
  }

  private func run() throws {
    let connection = Connection(session: session)
    var damages: [String] = []
    do {
      try connection.forEach("PRAGMA \(isThorough ? "integrity" : "quick")_check(5)") { row in
        if row.text(0) != "ok" { damages.append(row.text(0)) }
      }
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // A page so damaged that the check itself cannot go on.
      damages.append(fault.message)
    }
    if isThorough, damages.isEmpty { damages = try treeDamages(connection) }
    // Once interrupted, it takes pages it did not come to for lost ones.
    if damages.isEmpty || isStopped.load(ordering: .acquiring) { return }
    // It takes a page that could not be read for a damaged one.
    if let refusal = takeRefusal(session.handle) {
      throw DatabaseFault(.ioError, "the disk could not be read: \(systemError(refusal))")
    }
    throw Self.damage(damages.joined(separator: "; "))
  }

  private static func damage(_ words: String) -> DatabaseFault {
    DatabaseFault(.corrupt, "the database is damaged: " + words)
  }

  /// What is wrong inside the box trees, which SQLite's own check does not look into.
  private func treeDamages(_ connection: Connection) throws -> [String] {
    let trees = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING rtree%'"
    ) { $0.text(0) }
    return try trees.compactMap { tree in
      let words = try connection.text("SELECT rtreecheck('main', ?)", [.text(tree)])
      return words == "ok" ? nil : "the tree \(tree): \(words ?? "")"
    }
  }

  /// What it found; nil waits until it has ended.
  ///
  /// - Throws: ``DatabaseFault``, of kind `corrupt` with what was found.
  func outcome(within patience: Duration?) throws -> StartCheckOutcome {
    if let patience {
      _ = ended.wait(timeout: .now() + .milliseconds(patience.wholeMilliseconds))
    } else {
      ended.wait()
    }
    switch state.withLock({ $0 }) {
    case .underWay: return .unfinished
    case .sound: return .complete
    case .failed(let error): throw error
    }
  }

  /// Ends it and waits until it has.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    // SQLite forgets an interrupt that comes before the statement has begun, and walks a whole b-tree
    // without asking a progress handler. It allows an interrupt from any thread, but not of a
    // connection that is closed.
    while ended.wait(timeout: .now()) == .timedOut {
      session.interrupt()
      _ = ended.wait(timeout: .now() + .milliseconds(10))
    }
  }
}
