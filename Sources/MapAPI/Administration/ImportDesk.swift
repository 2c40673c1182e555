import Foundation
import Import
internal import Locking
import Logging
import PrivacyMap
import SpatialDatabase

/// Runs imports that admins ask for in their browser, and their undoing, one at a time on a thread of
/// its own.
final class ImportDesk: Sendable {
  private struct State {
    /// The import that is under way.
    var current: Int64?
    /// Whether it is being undone.
    var isUndoing = false
    var isStopping = false
  }

  private let map: LiveMap
  private let logger: Logger
  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)

  init(map: LiveMap, logger: Logger) {
    self.map = map
    self.logger = logger
  }

  /// Says of imports that the program's end broke off that they failed.
  func endBroken() throws {
    try map.database.write { connection in
      try connection.execute(
        """
        UPDATE import_run SET state = 'failed', error = 'the program ended', finished_at = ?
        WHERE state = 'running'
        """, [.text(map.surroundings.now().text)])
    }
  }

  /// Dry runs are looked at and forgotten.
  /// Days for which an import that was only tried out is kept.
  static let dryRunDays: Int64 = 7

  static func forgetDryRuns(before day: Day, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM import_run WHERE dry_run = 1 AND state <> 'running' AND started_at < ?",
      [.text(Timestamp(startOf: day).text)])
  }

  /// The import that is being undone.
  var undoing: Int64? { state.withLock { $0.isUndoing ? $0.current : nil } }

  /// Begins an import whose row was made by `enter`, unless another is under way.
  ///
  /// - Returns: its number; nil where another is under way or the program stops.
  /// - Throws: what `enter` throws.
  func begin(
    _ file: ByteSource, _ mapping: ImportMapping, named name: String,
    _ options: ImportRun.Options, enter: () throws -> Int64
  ) throws -> Int64? {
    guard reserve() else { return nil }
    let id: Int64
    do { id = try enter() } catch {
      release()
      throw error
    }
    var options = options
    options.run = id
    let run = ImportRun(map: map, mapping: mapping, named: name, options: options)
    start(id, isUndoing: false) { [self] in
      // A file that breaks off is told of in the report; what else goes wrong is told to the log.
      do {
        _ = try run.run(file, progress: { _ in }, isWanted: { !isStopping })
      } catch is ImportFailure {} catch {
        logger.error("bringing in a list failed", metadata: ["error": "\(error)"])
      }
    }
    return id
  }

  /// Begins to take an import back.
  ///
  /// - Returns: false where another is under way or the program stops.
  /// - Throws: what `enter` throws.
  func undo(_ id: Int64, enter: () throws -> Void) throws -> Bool {
    guard reserve() else { return false }
    do { try enter() } catch {
      release()
      throw error
    }
    start(id, isUndoing: true) { [self] in
      do { _ = try ImportUndo(map: map).undo(id) } catch {
        logger.error("taking an import back failed", metadata: ["error": "\(error)"])
      }
    }
    return true
  }

  /// Ends what is under way: an import at its next rows, an undoing when it is done. Nothing is begun
  /// after it.
  func stop() {
    let isBusy = state.withLock { state in
      defer { state.isStopping = true }
      return state.current != nil
    }
    if isBusy { ended.wait() }
  }

  /// Waits until nothing is under way, for tests.
  func rest() {
    while state.withLock({ $0.current != nil }) { Thread.sleep(forTimeInterval: 0.01) }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func reserve() -> Bool {
    state.withLock { state in
      guard state.current == nil, !state.isStopping else { return false }
      // A number that no import has, until it has one.
      state.current = 0
      return true
    }
  }

  private func release() {
    let isStopping = state.withLock { state in
      state.current = nil
      state.isUndoing = false
      return state.isStopping
    }
    if isStopping { ended.signal() }
  }

  private func start(_ id: Int64, isUndoing: Bool, _ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.current = id
      state.isUndoing = isUndoing
    }
    let thread = Thread { [self] in
      work()
      release()
    }
    thread.name = "import"
    thread.start()
  }
}
