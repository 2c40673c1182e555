package import Metrics

/// Current and past activity of a server, without information about clients.
package final class ServerActivity: Sendable {
  /// Currently open connections.
  package let openConnections = Gauge()
  /// The number of connections at which load shedding starts, and the connection limit.
  package let shedsFrom = Gauge()
  package let connectionLimit = Gauge()
  /// Accepted connections.
  package let connections = Counter()
  /// Connections closed at once because their address had reached its limit.
  package let refusedConnections = Counter()
  /// Connections closed at the connection limit to make room for others.
  package let evictedConnections = Counter()
  /// Requests whose head has arrived and whose answer has not been sent completely.
  package let requests = Gauge()
  /// Requests answered with 503 because of the number of connections.
  package let shedRequests = Counter()
  /// Bodies currently written by separate threads.
  package let streams = Gauge()
  /// Bodies that got no such thread and were answered with 503.
  package let refusedStreams = Counter()
  /// Body bytes sent.
  package let sentBytes = Counter()
  /// When the certificate for new connections expires, in seconds since 1970. 0 without TLS.
  package let certificateEnd = Gauge()

  package init() {}
}
