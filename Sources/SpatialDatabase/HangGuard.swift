internal import Locking
import PostgreSQL

/// Recognises a database that hangs. Then one read at a time tries it, and all others fail at once instead of
/// occupying every thread for the longest time.
final class HangGuard: Sendable {
  private struct State {
    /// While the database hangs: the moment of the next attempt.
    var nextAttempt: ContinuousClock.Instant?
    /// Quick reads in a row without a reaction.
    var silentReads = 0
  }

  private static let pause = Duration.seconds(2)
  /// The longest time of an attempt, mostly that of a new connection.
  private static let maxAttempt = Duration.seconds(15)
  /// A single quick read without a reaction may be due to a busy machine: it waits half a second only.
  private static let maxSilentReads = 2

  private let sentence: String
  private let state = Locked(State())

  init(_ address: ServerAddress) { sentence = "PostgreSQL at \(address) hangs" }

  /// - Throws: a ``DatabaseFault`` while the database hangs, unless it is time for the next attempt.
  func confirmAnswer() throws(DatabaseFault) {
    guard let next = state.withLock({ $0.nextAttempt }), next > .now else { return }
    throw DatabaseFault(.unreachable, sentence)
  }

  /// The same, and makes this read the only attempt. A quick one leaves that to others, because it establishes no
  /// connection.
  func begin(isQuick: Bool) throws(DatabaseFault) {
    try confirmAnswer()
    let isForOthers = state.withLock { state in
      guard state.nextAttempt != nil else { return false }
      if !isQuick { state.nextAttempt = .now + Self.maxAttempt }
      return isQuick
    }
    if isForOthers { throw DatabaseFault(.busy, sentence) }
  }

  /// Notes the end of a read. No fault, and any fault but these, shows that the database answers.
  func end(_ fault: DatabaseFault?, isQuick: Bool) {
    state.withLock { state in
      switch fault?.kind {
      case .unreachable where fault?.isHang == true:
        state.silentReads += 1
        if !isQuick || state.silentReads >= Self.maxSilentReads {
          state.nextAttempt = .now + Self.pause
        }
      case .unreachable, .readOnly, .busy:
        if state.nextAttempt != nil { state.nextAttempt = .now + Self.pause }
      default: state = State()
      }
    }
  }
}
