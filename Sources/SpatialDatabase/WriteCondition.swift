/// A condition that must still be true when a write runs: writes wait for a lock or in a queue, and meanwhile the right
/// to write may end.
///
/// It applies to all writes that the calling thread begins, and is checked in their transactions. So no handler and no
/// piece of work can forget it:
///
///     try WriteCondition.requiring(.caller, { try confirmSession($0) }) {
///       try database.write(change)  // Rolled back if confirmSession throws.
///     }
///
/// Other threads do not inherit it, except `Future` threads, for whose result the calling thread waits.
package struct WriteCondition: Sendable {
  /// Two kinds of conditions hold independently of each other.
  package enum Kind: Sendable {
    /// The right of the person on whose behalf the thread works.
    case caller
    /// The right of this server to do work that only one server may do.
    case lease
  }

  /// Throws if the write must not happen.
  package typealias Check = @Sendable (Connection) throws -> Void

  @TaskLocal package static var current = WriteCondition()
  /// Whether the calling thread is in a transaction that writes, so that other writes wait for it.
  @TaskLocal package static var isWriting = false

  private var caller: Check?
  private var lease: Check?

  /// Runs `body`, whose writes pass `check` in their transactions. It replaces an earlier check of the same kind.
  package static func requiring<T, Failure>(
    _ kind: Kind, _ check: @escaping Check, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    var condition = current
    switch kind {
    case .caller: condition.caller = check
    case .lease: condition.lease = check
    }
    return try condition.applied(body)
  }

  /// Runs `body`, whose writes no longer depend on the caller: they complete or clean up after a change that is
  /// committed, or report an end.
  package static func regardlessOfCaller<T, Failure>(
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    var condition = current
    condition.caller = nil
    return try condition.applied(body)
  }

  /// Runs `body`, whose writes pass the checks of this condition. For threads for which another one waits.
  package func applied<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let result: Result<T, Failure> = Self.$current.withValue(self) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func check(_ connection: Connection, _ activity: DatabaseActivity) throws {
    guard lease != nil || caller != nil else { return }
    try activity.meanwhile?(connection)
    try lease?(connection)
    try caller?(connection)
  }
}
