import Locking
import WebServer

/// A cache of responses that many people request at once. One request makes a response, and the others wait for it.
final class ProgressAnswers: Sendable {
  private struct Known {
    let response: Response
    let until: ContinuousClock.Instant
  }

  private let known = Locked<[String: Known]>([:])
  /// Held while a response is generated.
  private let making = Locked(())

  /// The lifetime of a response is a multiple of the time that it took, within these limits.
  private static let share = 20.0
  private static let minAge = Duration.seconds(1)
  private static let maxAge = Duration.seconds(10)
  /// The maximum number of responses before old ones are deleted.
  private static let maximum = 40

  /// The response with this key, from the cache or made now. The key contains everything that the response depends on.
  ///
  /// - Throws: ``TooCostly`` on a thread that serves sockets unless it is in the cache: figures are counted from all
  ///   contributions of a day, and waiting for another request would stop all connections of the thread.
  func answer(_ name: String, _ make: () throws -> Response) throws -> Response {
    if let response = fresh(name) { return response }
    try SocketThread.leave()
    return try making.withLock { _ in
      if let response = fresh(name) { return response }
      let begun = ContinuousClock.now
      var response = try make()
      response.headers["Cache-Control"] = "public, max-age=1"
      keep(response, name, for: (.now - begun) * Self.share)
      return response
    }
  }

  /// Deletes all responses.
  func forget() { known.withLock { $0 = [:] } }

  private func fresh(_ name: String) -> Response? {
    known.withLock { known in
      guard let found = known[name], found.until > .now else { return nil }
      return found.response
    }
  }

  private func keep(_ response: Response, _ name: String, for time: Duration) {
    let now = ContinuousClock.now
    known.withLock { known in
      if known.count >= Self.maximum { known = known.filter { $0.value.until > now } }
      guard known.count < Self.maximum else { return }
      known[name] = Known(
        response: response, until: now + min(max(time, Self.minAge), Self.maxAge))
    }
  }
}
