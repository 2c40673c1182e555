import Metrics
import SpatialDatabase
import WebServer

extension Monitoring {
  /// What the server is busy with.
  var ofServer: [MetricFamily] {
    [
      .gauge("farol_http_requests_in_flight", "Requests under way.", server.requests),
      .counter(
        "farol_http_requests_shed_total", "Requests refused because of too many connections.",
        server.shedRequests),
      .gauge("farol_http_connections_open", "Connections open.", server.openConnections),
      .gauge(
        "farol_http_connections_shed_from",
        "From how many connections on requests are refused.", server.shedsFrom),
      .gauge(
        "farol_http_connections_limit",
        "Beyond how many connections a new one takes the place of another.",
        server.connectionLimit),
      .counter("farol_http_connections_total", "Connections let in.", server.connections),
      .counter(
        "farol_http_connections_refused_total",
        "Connections cut because their address had too many.", server.refusedConnections),
      .counter(
        "farol_http_connections_evicted_total",
        "Connections closed to make room for others.", server.evictedConnections),
      .gauge("farol_http_streams_open", "Long downloads under way.", server.streams),
      .counter(
        "farol_http_streams_refused_total", "Long downloads refused because there were too many.",
        server.refusedStreams),
      .counter("farol_http_response_bytes_total", "Bytes of bodies sent.", server.sentBytes),
      .gauge(
        "farol_tls_certificate_end_timestamp_seconds",
        "When the certificate that new connections get ends, as Unix time."
      ) { [server] in
        let end = server.certificateEnd.value
        return end > 0 ? Double(end) : nil
      },
    ]
  }

  /// The queues of work that is too slow for the server's own threads.
  static func ofQueues(_ queues: [(name: String, queue: WorkQueue)]) -> [MetricFamily] {
    [
      MetricFamily(
        .gauge, "farol_work_queue_jobs", "Work that waits or is under way.", labels: ["queue"]
      ) { queues.map { MetricSample(Double($0.queue.length), labels: [$0.name]) } },
      MetricFamily(
        .histogram, "farol_work_queue_wait_seconds", "How long work waited for its turn.",
        labels: ["queue"]
      ) { queues.map { MetricSample($0.queue.wait, labels: [$0.name]) } },
      MetricFamily(
        .counter, "farol_work_queue_refused_total", "Work refused because too much waited.",
        labels: ["queue"]
      ) { queues.map { MetricSample(Double($0.queue.refused.value), labels: [$0.name]) } },
    ]
  }
}
