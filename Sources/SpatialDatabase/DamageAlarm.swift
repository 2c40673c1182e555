internal import Dispatch
internal import Foundation
internal import Locking

/// Stops all writes after a sign of damage, and checks whether the file is really damaged.
///
/// A read error of the disk or a bit flip in memory looks the same as a damaged file. The file is therefore checked
/// on a separate connection with an empty cache. During the check no writes are allowed. If the check passes, writing
/// resumes. If it finds damage or fails, it is repeated at increasing intervals.
final class DamageAlarm: Sendable {
  private struct State {
    /// The reason why writing is stopped. Nil in normal operation.
    var fault: DatabaseFault?
    var check: StartCheck?
    var isStopped = false
  }

  private let path: String
  private let busyTimeout: Duration
  /// Checks the full-text indexes, which only the writer connection can do.
  private let checkTexts: @Sendable () throws -> Void
  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()

  /// Maximum interval between two checks, in seconds.
  private static let maxPause = 600

  init(path: String, busyTimeout: Duration, checkTexts: @escaping @Sendable () throws -> Void) {
    self.path = path
    self.busyTimeout = busyTimeout
    self.checkTexts = checkTexts
  }

  /// The reason why writing is stopped now.
  var fault: DatabaseFault? { state.withLock { $0.fault } }

  /// The reason for rejecting a write. Nil after ``stop()``, when no writes are allowed anyway.
  var refusal: DatabaseFault? { state.withLock { $0.isStopped ? nil : $0.fault } }

  /// Stops all writes after a sign of damage, until a check passes.
  func raise(_ fault: DatabaseFault) {
    let isFirst = state.withLock { state in
      guard state.fault == nil, !state.isStopped else { return false }
      state.fault = Self.suspicion(fault)
      ended.enter()
      return true
    }
    guard isFirst else { return }
    // SQLite's quick check does not detect damage that a virtual table or an index reports.
    let isThorough = fault.code > 0xFF
    NamedThread.start("damage check") { [self] in
      defer { ended.leave() }
      var pause = 1
      while !check(isThorough: isThorough), !sleep(pause) {
        pause = min(pause * 4, Self.maxPause)
      }
    }
  }

  /// Stops a running check and waits for its end. No further check starts.
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
  /// - Returns: whether the alarm is over and no further check is needed.
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

  /// Sleeps for some seconds.
  ///
  /// - Returns: whether ``stop()`` interrupted the sleep.
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
