internal import CSpatiaLite
internal import Dispatch

/// What the check of the file at a start found out.
package enum StartCheckOutcome: Sendable, Equatable {
  /// The whole file is sound.
  case complete
  /// Sound as far as it was looked at before the time was up.
  case unfinished
}

/// SQLite's `quick_check`, ended after a time.
///
/// On a million devices the whole check takes longer than a restart may, so a start checks for as
/// long as it can afford: see ``Database/Configuration/checkTimeLimit``.
struct StartCheck {
  /// Nil checks all of the file.
  var limit: Duration?

  /// - Throws: ``DatabaseFault/Kind/corrupt`` with what was found.
  func run(on session: Session) throws -> StartCheckOutcome {
    // SQLite walks a whole b-tree in one step of its own, in which it asks no progress handler; an
    // interrupt from outside it does see.
    let alarm = limit.map { Alarm(interrupting: session.handle, after: $0) }
    defer { alarm?.cancel() }
    do {
      let found = try Connection(session: session).rows("PRAGMA quick_check(5)") { $0.text(0) }
      if found == ["ok"] { return .complete }
      if alarm?.hasRung == true { return .unfinished }
      throw DatabaseFault(.corrupt, "the database is damaged: " + found.joined(separator: "; "))
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      return .unfinished
    }
  }
}

/// Interrupts a connection from another thread when its time is up.
private final class Alarm: Sendable {
  private let cancelled = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()
  private let rung = DispatchSemaphore(value: 0)

  init(interrupting handle: OpaquePointer, after limit: Duration) {
    // The address crosses as a number: SQLite allows an interrupt from any thread, and cancel()
    // waits for this one before the connection can close.
    let address = UInt(bitPattern: handle)
    let end = DispatchTime.now() + .milliseconds(limit.wholeMilliseconds)
    DispatchQueue.global().async(group: ended) { [cancelled, rung] in
      guard cancelled.wait(timeout: end) == .timedOut else { return }
      rung.signal()
      sqlite3_interrupt(OpaquePointer(bitPattern: address))
    }
  }

  /// Whether the time was up; true is answered once.
  var hasRung: Bool { rung.wait(timeout: .now()) == .success }

  func cancel() {
    cancelled.signal()
    ended.wait()
  }
}
