import Metrics
import Service
import WebServer

extension Monitoring {
  /// Metrics of the HTTP server.
  var ofServer: [MetricFamily] {
    [
      .gauge("farol_http_requests_in_flight", "Requests in progress.", server.requests),
      .counter(
        "farol_http_requests_shed_total", "Requests refused with too many connections open.",
        server.shedRequests),
      .gauge("farol_http_connections_open", "Open connections.", server.openConnections),
      .gauge(
        "farol_http_connections_shed_from",
        "Number of connections from which requests are refused.", server.shedsFrom),
      .gauge(
        "farol_http_connections_limit",
        "Number of connections above which a new one replaces another.",
        server.connectionLimit),
      .counter("farol_http_connections_total", "Connections accepted.", server.connections),
      .counter(
        "farol_http_connections_refused_total",
        "Connections closed because their address had too many.", server.refusedConnections),
      .counter(
        "farol_http_connections_evicted_total",
        "Connections closed to make room for others.", server.evictedConnections),
      .gauge("farol_http_streams_open", "Long downloads in progress.", server.streams),
      .counter(
        "farol_http_streams_refused_total", "Long downloads refused because there were too many.",
        server.refusedStreams),
      .counter("farol_http_response_bytes_total", "Response body bytes sent.", server.sentBytes),
      .gauge(
        "farol_tls_certificate_end_timestamp_seconds",
        "Expiry of the certificate for new connections, as Unix time."
      ) { [server] in
        let end = server.certificateEnd.value
        return end > 0 ? Double(end) : nil
      },
    ]
  }

  /// Metrics of the work queues, which keep slow work off the server's threads.
  static func ofQueues(_ queues: [(name: String, queue: any MeasuredQueue)]) -> [MetricFamily] {
    [
      MetricFamily(
        .gauge, "farol_work_queue_jobs", "Work waiting or in progress.", labels: ["queue"]
      ) { queues.map { MetricSample(Double($0.queue.length), labels: [$0.name]) } },
      MetricFamily(
        .histogram, "farol_work_queue_wait_seconds", "Time that work waited in the queue.",
        labels: ["queue"]
      ) { queues.map { MetricSample($0.queue.wait, labels: [$0.name]) } },
      MetricFamily(
        .counter, "farol_work_queue_refused_total", "Work refused because the queue was full.",
        labels: ["queue"]
      ) { queues.map { MetricSample(Double($0.queue.refused.value), labels: [$0.name]) } },
      MetricFamily(
        .counter, "farol_work_queue_limited_total",
        "Work refused because much of its network or account waits, or has used up its budget.",
        labels: ["queue"]
      ) { queues.map { MetricSample(Double($0.queue.limited.value), labels: [$0.name]) } },
    ]
  }
}
