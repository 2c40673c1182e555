import SpatialDatabase
import WebServer

/// Lets public responses to visitors come from a replica while the primary database does not answer
/// (docs/decisions/0026).
///
/// Such a response states the maximum age of its data, and is not stored. Requests with credentials, valid or not, need
/// the primary.
package struct VisitorReading: Sendable {
  /// With the age of the data in whole seconds, rounded up.
  static let header = "Farol-Data-Age"

  private let hasReplica: Bool

  package init(hasReplica: Bool) { self.hasReplica = hasReplica }

  /// The response of `make`.
  func answer(_ request: Request, _ make: () throws -> Response) throws -> Response {
    guard isPossible(for: request) else { return try make() }
    let use = ReplicaUse()
    var response = try use.permitting(make)
    guard let age = use.age else { return response }
    let (seconds, rest) = age.components
    response.headers[Self.header] = String(seconds + (rest > 0 ? 1 : 0))
    response.headers["Cache-Control"] = "no-store"
    response.etag = nil
    return response
  }

  /// The result of a read that is not a response.
  func read<T>(_ request: Request, _ body: () throws -> T) throws -> T {
    isPossible(for: request) ? try ReplicaUse().permitting(body) : try body()
  }

  private func isPossible(for request: Request) -> Bool {
    hasReplica && request.method.isRead && !request.mayBeSignedIn
  }
}

extension Request {
  /// Whether there are credentials, valid or not. The session is the only cookie.
  var mayBeSignedIn: Bool {
    headers["Cookie"] != nil || headers["Authorization"] != nil
  }
}
