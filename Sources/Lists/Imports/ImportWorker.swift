import Devices
import Foundation
import Import
internal import Locking
import Logging
import PrivacyMap
import Service
import SpatialDatabase

/// Runs imports that admins start in the browser, and undoes them: one at a time, on a separate
/// thread. If several servers share the database, only one of them imports at a time. Imports of the command line
/// count, too.
package final class ImportWorker: Sendable {
  private struct State {
    /// The running import.
    var current: Int64?
    /// The activity other than importing; nil while it is imported.
    var activity: Activity?
    var isStopping = false
  }

  /// An activity on an earlier import.
  enum Activity: Sendable {
    case undoing
    /// Devices that its file no longer had leave the map or return.
    case settling
  }

  private let map: LiveMap
  private let logger: Logger
  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)
  private let lease: Lease

  init(map: LiveMap, logger: Logger) {
    self.map = map
    self.logger = logger
    lease = Lease("imports", on: map.database)
  }

  /// Marks imports as failed that a stop of a program interrupted, unless some server imports now.
  func endBroken() throws {
    guard try reserve() else { return }
    defer { release() }
    try holding {
      try map.database.write { try ImportRunStore().endBroken(at: map.environment.now(), $0) }
    }
  }

  /// The kind of the job that deletes the reports of old dry runs.
  package static let job = "forget_dry_runs"
  /// Retention of the reports of dry runs in days.
  package static let dryRunDays: Int64 = 7

  /// The activity on an earlier import; nil without one.
  func activity(on id: Int64) -> Activity? {
    state.withLock { $0.current == id ? $0.activity : nil }
  }

  /// Starts an import for an admin, whose row `enter` creates, unless another import is running. It fails if the
  /// account loses the role.
  ///
  /// - Returns: its number; nil if another import is running or the program is stopping.
  /// - Throws: the errors of `enter`.
  func begin(
    _ file: ByteSource, _ mapping: ImportMapping, named name: String,
    _ options: ImportRun.Options, by account: Int64, enter: () throws -> Int64
  ) throws -> Int64? {
    guard try reserve() else { return nil }
    let id: Int64
    do { id = try holding(enter) } catch {
      release()
      throw error
    }
    var options = options
    options.run = id
    let run = ImportRun(map: map, mapping: mapping, named: name, options: options)
    start(id, by: account, nil) { [self] in
      // The report describes errors in the file. All other errors are logged.
      do {
        _ = try run.run(file, progress: { _ in }, isWanted: { !isStopping })
      } catch is ImportFailure {} catch {
        logger.error("import failed", metadata: ["error": "\(error)"])
      }
    }
    return id
  }

  /// Starts undoing an import for an admin. If the account loses the role, another admin can continue.
  ///
  /// - Returns: false if another import is running or the program is stopping.
  /// - Throws: the errors of `enter`.
  func undo(_ id: Int64, by account: Int64, enter: () throws -> Void) throws -> Bool {
    try begin(.undoing, id, by: account, enter: enter) { [map] in
      _ = try ImportUndo(map: map).undo(id)
    }
  }

  /// Starts work on the devices that an import's file no longer had.
  ///
  /// - Returns: false if another import is running or the program is stopping.
  /// - Throws: the errors of `enter`.
  func settle(
    _ action: MissingDevices.Action, _ id: Int64, by account: Int64, enter: () throws -> Void
  ) throws -> Bool {
    try begin(.settling, id, by: account, enter: enter) { [map] in
      try MissingDevices(map: map).carryOut(action, of: id)
    }
  }

  private func begin(
    _ activity: Activity, _ id: Int64, by account: Int64, enter: () throws -> Void,
    _ work: @escaping @Sendable () throws -> Void
  ) throws -> Bool {
    guard try reserve() else { return false }
    do { try holding(enter) } catch {
      release()
      throw error
    }
    start(id, by: account, activity) { [logger] in
      do { try work() } catch {
        logger.error("work on an import failed", metadata: ["error": "\(error)"])
      }
    }
    return true
  }

  /// Runs `work` on the calling thread as the only import, as soon as no other import runs.
  ///
  /// - Parameters:
  ///   - timeout: the longest wait.
  ///   - work: its argument returns false when the program is stopping.
  /// - Returns: nil if another import took longer or the program is stopping.
  /// - Throws: the errors of `work`.
  package func perform<T>(
    waiting timeout: Duration, _ work: (_ isWanted: () -> Bool) throws -> T
  ) throws -> T? {
    let end = ContinuousClock.now + timeout
    while try !reserve() {
      guard !isStopping, .now < end else { return nil }
      Thread.sleep(forTimeInterval: 0.1)
    }
    defer { release() }
    return try holding { try work { !isStopping } }
  }

  /// Stops a running import at its next rows and waits for a running undo to finish. New imports are
  /// refused afterwards.
  package func stop() {
    let isBusy = state.withLock { state in
      defer { state.isStopping = true }
      return state.current != nil
    }
    if isBusy { ended.wait() }
  }

  /// Waits until no import is running, for tests.
  package func rest() {
    while state.withLock({ $0.current != nil }) { Thread.sleep(forTimeInterval: 0.01) }
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  private func reserve() throws -> Bool {
    let isFree = state.withLock { state in
      guard state.current == nil, !state.isStopping else { return false }
      // A placeholder that is not a valid import number.
      state.current = 0
      return true
    }
    guard isFree else { return false }
    var isKept = false
    defer { if !isKept { release() } }
    isKept = try lease.keep()
    return isKept
  }

  private func release() {
    lease.release()
    let isStopping = state.withLock { state in
      state.current = nil
      state.activity = nil
      return state.isStopping
    }
    if isStopping { ended.signal() }
  }

  /// Runs a part of an import. Its writes confirm that no other server has taken over.
  private func holding<T, Failure>(
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    try WriteCondition.requiring(.lease, { [lease] in try lease.confirm($0) }, body)
  }

  private func start(
    _ id: Int64, by account: Int64, _ activity: Activity?,
    _ work: @escaping @Sendable () -> Void
  ) {
    let standing = AccountStanding(of: account, as: .admin, now: map.environment.now)
    state.withLock { state in
      state.current = id
      state.activity = activity
    }
    NamedThread.start("import") { [self] in
      holding { WriteCondition.requiring(.caller, { try standing.confirm($0) }, work) }
      release()
    }
  }
}
