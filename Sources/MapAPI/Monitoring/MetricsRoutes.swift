import Metrics
import WebServer

/// `GET /metrics`: what an instance counts of itself, for Prometheus (docs/metrics.md).
struct MetricsRoutes: Sendable {
  let monitoring: Monitoring

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getMetrics", .get, "/metrics", tag: "Operation",
        summary: "Figures about the running instance, for Prometheus, where it is set to whom.",
        access: .everyone,
        answers: [
          Endpoint.Answer(
            status: 200, description: "The figures, in the text format of Prometheus.",
            content: [("text/plain", nil), ("application/openmetrics-text", nil)]),
          .refusal(401, "The token is missing or wrong."),
        ], .aside(monitoring.queue, metrics))
    ]
  }

  private static let formats = ContentNegotiation([
    ContentNegotiation.Offer("text", "text/plain"),
    ContentNegotiation.Offer("openmetrics", "application/openmetrics-text"),
  ])

  @Sendable private func metrics(_ request: Request) throws -> Endpoint.Work {
    try monitoring.access.check(request)
    // Who accepts neither gets the plain one, which everybody can read.
    let isOpen = (try? Self.formats.choose(for: request).format) == "openmetrics"
    let format = isOpen ? MetricText.openMetrics : .prometheus
    return {
      monitoring.refresh()
      var response = Response.bytes(
        format.written(monitoring.families), contentType: format.contentType)
      response.headers.merge("Vary", "Accept")
      return response
    }
  }
}
