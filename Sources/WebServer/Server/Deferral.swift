internal import Locking

/// One request with a later answer. Its connection is suspended until the first reply.
final class Deferral: Suspended {
  private let connection: ConnectionHandle
  private let suspensions: Suspensions
  private let finish: @Sendable (Result<Response, any Error>) -> Answer
  private let state = Monitor(State())

  private struct State {
    var isReplied = false
    var answer: Answer?
  }

  /// `finish` converts the reply into an answer. It runs on the replying thread.
  init(
    connection: ConnectionHandle, suspensions: Suspensions,
    finish: @escaping @Sendable (Result<Response, any Error>) -> Answer
  ) {
    self.connection = connection
    self.suspensions = suspensions
    self.finish = finish
  }

  func reply(_ result: Result<Response, any Error>) {
    let isFirst = state.withLock { state in
      defer { state.isReplied = true }
      return !state.isReplied
    }
    guard isFirst else { return }
    let answer = finish(result)
    state.withLock { $0.answer = answer }
    suspensions.resume(connection, for: self)
  }

  func abandon() { reply(.failure(Self.stopping)) }

  /// The answer, if available.
  var answer: Answer? { state.withLock { $0.answer } }

  static let stopping = Problem(
    .serviceUnavailable, "The server is stopping.", headers: ["Retry-After": "5"])
}
