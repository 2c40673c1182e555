package import Metrics

/// What a server is and was busy with; it says nothing of who asked.
package final class ServerActivity: Sendable {
  /// Connections open now.
  package let openConnections = Gauge()
  /// From how many connections on requests are shed, and how many there may be.
  package let shedsFrom = Gauge()
  package let connectionLimit = Gauge()
  /// Connections that were let in.
  package let connections = Counter()
  /// Connections cut at once, as their address had as many as it may.
  package let refusedConnections = Counter()
  /// Connections closed to make room for others, as there were as many as there may be.
  package let evictedConnections = Counter()
  /// Requests whose head has come and whose answer has not all been sent.
  package let requests = Gauge()
  /// Requests answered 503 because of how many connections there were.
  package let shedRequests = Counter()
  /// Bodies that threads of their own write now.
  package let streams = Gauge()
  /// Bodies that found no such thread and were answered 503.
  package let refusedStreams = Counter()
  /// Bytes of bodies that were sent.
  package let sentBytes = Counter()
  /// When the certificate that new connections get ends, in seconds since 1970; 0 without TLS.
  package let certificateEnd = Gauge()

  package init() {}
}
