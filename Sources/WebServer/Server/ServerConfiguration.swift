internal import Glibc

/// The addresses and limits of a ``Server``. The defaults follow the project's security checklist.
package struct ServerConfiguration: Sendable {
  /// A numeric address or a name. `::` also listens on IPv4.
  package var host: String
  /// 0 for any free port.
  package var port: UInt16
  /// A listening socket, inherited from the process that started the program. Host and port are then taken from it.
  package var socket: Int32?
  /// Number of worker threads, excluding the reserved one. Handlers run on them.
  package var threads = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Connection limit. Further connections replace the connections that have kept the server waiting longest. If there
  /// are none, they are answered with 503, using the ``reserve``, except for ``answeredWhileShedding``.
  package var connections = 4_096
  /// Additional connections above ``connections`` for the short time that an answer or a
  /// replacement takes.
  var reserve: Int { min(64, max(8, connections / 8)) }
  /// Number of accepted connections beyond the ``reserve`` that have sent nothing yet or wait for
  /// room.
  var waitingRoom = 256
  /// At this many connections, requests are answered with 503, except for
  /// ``answeredWhileShedding``.
  package var shedsFrom = 2_500
  /// Paths that are always answered: during load shedding, and on a separate thread if they are the first request of
  /// a connection.
  package var answeredWhileShedding: Set<String> = ["/healthz", "/readyz"]
  /// Connections per address, IPv6 by /64. 0 means no limit. Trusted proxies are exempt.
  package var connectionsPerAddress = 150
  /// Proxies whose X-Forwarded-For is trusted.
  package var trustedProxies: [AddressBlock] = []
  /// Maximum time for a request's head, counted from the connection or the previous answer.
  package var headTime = Duration.seconds(10)
  /// Maximum time for a request's body, counted from its head.
  package var bodyTime = Duration.seconds(30)
  /// Maximum time to read and discard data from a rejected client, so that it can read the response.
  package var lingerTime = Duration.seconds(30)
  /// Maximum number of such clients at a time.
  package var lingerConnections = 64
  /// Seconds of silence after which a connection is closed.
  package var idleSeconds = 10
  /// Memory of libmicrohttpd per connection, in bytes: head, read and write buffer.
  package var memoryLimit = 65_536
  /// Maximum number of bodies written by separate threads while they are sent.
  package var streams = 16
  /// The time that bytes of a body without an end may wait for a client that has no room for them. After that, its
  /// connection is closed.
  package var pushedTimeout = Duration.seconds(30)
  /// Total disk space for bodies of slow clients, in bytes.
  package var asideBytes = 4 << 30
  /// The site uses https, directly or through a proxy: HSTS is sent.
  package var secure = false
  /// Whether HSTS also covers subdomains.
  package var securesSubdomains = true
  /// The certificate for TLS. Nil for plain HTTP.
  package var certificate: CertificateFiles?
  /// Called after each request, on a server thread. Nil logs a line with `logger` at `info`.
  package var accessLog: (@Sendable (AccessRecord) -> Void)?
  /// False disables the request log.
  package var logsRequests = true
  /// Also called after each request, logged or not, on a server thread.
  package var observer: (@Sendable (AccessRecord) -> Void)?
  /// The server's counters. Must not be shared between servers.
  package var activity = ServerActivity()

  package init(host: String = "127.0.0.1", port: UInt16 = 8080) {
    self.host = host
    self.port = port
  }
}

/// The log record of a finished request. It contains no address, path or query.
package struct AccessRecord: Sendable {
  package var method: Method
  /// The template of the route. Nil if none matched.
  package var route: String?
  package var status: Status
  /// Body bytes sent.
  package var bytes: Int
  /// From the request line to the last byte handed to the kernel.
  package var duration: Duration
  /// False if the client disconnected before the end.
  package var isComplete: Bool
}
