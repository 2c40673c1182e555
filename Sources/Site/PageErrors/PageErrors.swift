package import Metrics
import PrivacyMap
package import Service
import WebServer

/// Counts of unexpected script errors on pages, by kind. A report contains nothing more: no text, no address, no page.
package struct PageErrors: Feature {
  enum Kind: String, CaseIterable, Sendable {
    /// A script threw an error.
    case error
    /// A promise was rejected.
    case rejection
    /// A script or style sheet could not be loaded.
    case file
  }

  private let counts = Counters<Kind>()
  /// Reports counted per network; further ones are ignored.
  private let networks: Throttle<ClientAddress>

  package init(_ instance: Instance) throws {
    // Each server counts for itself: a shared limit would cost a write.
    networks = RateLimits(now: instance.environment.now)
      .limit("page_errors", 20, per: .seconds(600))
  }

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "countPageError", .post, "/api/page-errors", tag: "Interface",
        summary: "Counts an unexpected error of a page, without any detail.", access: .everyone,
        parameters: [
          .query(
            "kind", .oneOf(Kind.allCases.map(\.rawValue)),
            "`error` of a script, `rejection` of a promise, or a `file` that could not be loaded.",
            isRequired: true)
        ],
        answers: [.done("Counted.")], .personal(count))
    ]
  }

  package var metrics: [MetricFamily] {
    [
      .counter(
        "farol_page_errors_total", "Unexpected errors that pages reported.", by: "kind", counts)
    ]
  }

  @Sendable private func count(_ request: Request, _ caller: Caller) throws -> Response {
    let text = request.query["kind"] ?? ""
    guard let kind = Kind(rawValue: text) else { throw InvalidInput.unknownCode("kind", text) }
    try networks.spend(request.clientAddress.limitKey)
    counts.add(kind)
    return Response(.noContent)
  }
}
