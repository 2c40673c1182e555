import Locking
import WebServer

/// Responses that many people request at once: each is made by one of them, and the others get the same for a while.
final class ProgressAnswers: Sendable {
  private struct Known {
    let response: Response
    let until: ContinuousClock.Instant
  }

  private let known = Locked<[String: Known]>([:])
  /// Held while a response is made, so that it is made once.
  private let making = Locked(())

  /// How long a response is kept: so many times as long as it took to make, and within these limits.
  private static let share = 20.0
  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(10)
  /// The number of responses above which old ones are forgotten.
  private static let most = 40

  /// The response with a name, which says everything that the response depends on.
  func answer(_ name: String, _ make: () throws -> Response) throws -> Response {
    if let response = fresh(name) { return response }
    return try making.withLock { _ in
      if let response = fresh(name) { return response }
      let begun = ContinuousClock.now
      var response = try make()
      response.headers["Cache-Control"] = "public, max-age=1"
      keep(response, name, for: (.now - begun) * Self.share)
      return response
    }
  }

  /// Forgets all responses.
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
      if known.count >= Self.most { known = known.filter { $0.value.until > now } }
      guard known.count < Self.most else { return }
      known[name] = Known(
        response: response, until: now + min(max(time, Self.shortest), Self.longest))
    }
  }
}
