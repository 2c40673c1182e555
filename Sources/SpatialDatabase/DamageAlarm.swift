internal import Dispatch
internal import Foundation
internal import Locking

/// Stops the writing when something met what looks like damage, and checks whether it is damage.
///
/// A read that the disk garbled once, or a bit that flipped in memory, looks the same as a damaged file.
/// So the file is checked on a connection of its own, with nothing in its cache. While it is checked
/// nothing is written. When a check passes, writing goes on; when it finds damage, or cannot be done,
/// it is repeated after longer and longer pauses.
final class DamageAlarm: Sendable {
  private struct State {
    /// Why nothing is written; nil while all is well.
    var fault: DatabaseFault?
    var check: StartCheck?
    var isStopped = false
  }

  private let path: String
  private let busyTimeout: Duration
  /// Looks into the full text, which only the connection that writes can do.
  private let checkTexts: @Sendable () throws -> Void
  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()

  /// Seconds between two checks, at most.
  private static let longestPause = 600

  init(path: String, busyTimeout: Duration, checkTexts: @escaping @Sendable () throws -> Void) {
    self.path = path
    self.busyTimeout = busyTimeout
    self.checkTexts = checkTexts
  }

  /// Why nothing is written now.
  var fault: DatabaseFault? { state.withLock { $0.fault } }

  /// Why a write is refused; nil once it has stopped, when nothing may be written anyway.
  var refusal: DatabaseFault? { state.withLock { $0.isStopped ? nil : $0.fault } }

  /// Stops the writing because of something that looks like damage, until a check has passed.
  func raise(_ fault: DatabaseFault) {
    let isFirst = state.withLock { state in
      guard state.fault == nil, !state.isStopped else { return false }
      state.fault = Self.suspicion(fault)
      ended.enter()
      return true
    }
    guard isFirst else { return }
    // What a virtual table or an index reports, SQLite's quick check does not see.
    let isThorough = fault.code > 0xFF
    let thread = Thread { [self] in
      defer { ended.leave() }
      var pause = 1
      while !check(isThorough: isThorough), !sleep(pause) {
        pause = min(pause * 4, Self.longestPause)
      }
    }
    thread.name = "damage check"
    thread.start()
  }

  /// Ends a check under way and waits until it has; no other begins.
  func stop() {
    let check = state.withLock { state in
      state.isStopped = true
      return state.check
    }
    check?.stop()
    wakeUp.signal()
    ended.wait()
  }

  /// Checks the file once.
  ///
  /// - Returns: whether no further check is needed.
  private func check(isThorough: Bool) -> Bool {
    do {
      let check = try StartCheck(
        path: path, busyTimeout: busyTimeout, yields: false, isThorough: isThorough
      ) { _ in }
      let isStopped = state.withLock { state in
        state.check = check
        return state.isStopped
      }
      if isStopped { check.stop() }
      defer { state.withLock { $0.check = nil } }
      _ = try check.outcome(within: nil)
      if isThorough { try checkTexts() }
      return state.withLock { state in
        if !state.isStopped { state.fault = nil }
        return true
      }
    } catch {
      guard let fault = error as? DatabaseFault, fault.kind == .corrupt else { return false }
      state.withLock { state in
        if !state.isStopped { state.fault = Self.certainty(fault) }
      }
      return false
    }
  }

  /// Waits.
  ///
  /// - Returns: whether ``stop()`` ended the wait.
  private func sleep(_ seconds: Int) -> Bool {
    if state.withLock({ $0.isStopped }) { return true }
    return wakeUp.wait(timeout: .now() + .seconds(seconds)) == .success
  }

  private static func suspicion(_ fault: DatabaseFault) -> DatabaseFault {
    DatabaseFault(
      .corrupt,
      """
      nothing is written for now, since the database looks damaged and is being checked: \
      \(fault.message)
      """, code: fault.code, sql: fault.sql)
  }

  private static func certainty(_ fault: DatabaseFault) -> DatabaseFault {
    DatabaseFault(
      .corrupt,
      """
      nothing is written any more: \(fault.message). Run `farol check`, and restore a backup
      """, code: fault.code, sql: fault.sql)
  }
}
