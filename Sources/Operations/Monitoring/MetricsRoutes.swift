import Metrics
import Service
import WebServer

/// `GET /metrics`: metrics of the instance for Prometheus (docs/reference/metrics.md).
struct MetricsRoutes: Sendable {
  let monitoring: Monitoring

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getMetrics", .get, "/metrics", tag: "Operation",
        summary: "Metrics of the instance for Prometheus, if enabled in the settings.",
        access: .everyone,
        answers: [
          Endpoint.Answer(
            status: 200, description: "The metrics, in the text format of Prometheus.",
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
    // A client that accepts neither format gets the plain text format, which all tools can read.
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
