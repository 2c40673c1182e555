internal import CSpatiaLite
internal import Dispatch
internal import Foundation
internal import Synchronization

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
/// long as it can afford: see ``Database/Configuration/startCheckLimit``.
struct StartCheck {
  /// Nil checks all of the file.
  var limit: Duration?

  /// - Throws: ``DatabaseFault/Kind/corrupt`` with what was found.
  func run(on session: Session) throws -> StartCheckOutcome {
    // SQLite walks a whole b-tree in one step of its own, in which it asks no progress handler; an
    // interrupt from outside it does see.
    let alarm = limit.map { Alarm(interrupting: session.handle, after: $0) }
    defer { alarm?.cancel() }
    var damages: [String] = []
    do {
      try Connection(session: session).forEach("PRAGMA quick_check(5)") { row in
        let finding = row.text(0)
        // Once interrupted, it takes pages it did not come to for lost ones.
        if finding != "ok", alarm?.hasRung != true { damages.append(finding) }
      }
    } catch let fault as DatabaseFault where fault.kind == .interrupted {}
    guard damages.isEmpty else {
      throw DatabaseFault(.corrupt, "the database is damaged: " + damages.joined(separator: "; "))
    }
    return alarm?.hasRung == true ? .unfinished : .complete
  }
}

/// Interrupts a connection from another thread when its time is up.
private final class Alarm: Sendable {
  private let cancelled = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()
  private let rung = Atomic(false)

  init(interrupting handle: OpaquePointer, after limit: Duration) {
    // The address crosses as a number: SQLite allows an interrupt from any thread, and cancel()
    // waits for this one before the connection can close.
    let address = UInt(bitPattern: handle)
    let end = DispatchTime.now() + .milliseconds(limit.wholeMilliseconds)
    ended.enter()
    Thread.detachNewThread { [self] in
      defer { ended.leave() }
      guard cancelled.wait(timeout: end) == .timedOut else { return }
      rung.store(true, ordering: .releasing)
      // SQLite forgets an interrupt that comes before the statement has begun.
      repeat {
        sqlite3_interrupt(OpaquePointer(bitPattern: address))
      } while cancelled.wait(timeout: .now() + .milliseconds(10)) == .timedOut
    }
  }

  /// Whether the time was up.
  var hasRung: Bool { rung.load(ordering: .acquiring) }

  func cancel() {
    cancelled.signal()
    ended.wait()
  }
}
