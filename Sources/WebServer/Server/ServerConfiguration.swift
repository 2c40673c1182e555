internal import Glibc

/// How a ``Server`` listens and what it puts up with. The defaults are those of the project's
/// security checklist.
package struct ServerConfiguration: Sendable {
  /// A numeric address or a name; `::` listens on IPv4 too.
  package var host: String
  /// 0 for any free port.
  package var port: UInt16
  /// A socket that listens already, opened by whoever started the program; host and port are its own.
  package var socket: Int32?
  /// Server threads, besides the one that is kept free; handlers run on them.
  package var threads = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Connections beyond this take the places of those that have kept the server waiting longest. Where
  /// there are none, they are answered 503 in one of the ``reserve``, but for ``answeredWhileShedding``.
  package var connections = 4_096
  /// Connections beyond ``connections`` for the moment that it takes to answer or to make room.
  var reserve: Int { min(64, max(8, connections / 8)) }
  /// Connections that were accepted and have said nothing yet, or find no room: so many beyond the
  /// ``reserve``.
  var waitingRoom = 256
  /// From this many connections on, requests are answered 503, but for ``answeredWhileShedding``.
  package var shedsFrom = 2_000
  /// Paths that are answered however busy the server is: while it sheds, and by a thread of their own
  /// where they are the first that a connection asks for.
  package var answeredWhileShedding: Set<String> = ["/healthz", "/readyz"]
  /// Connections of one address, IPv6 by /64; 0 for no limit. Trusted proxies are exempt.
  package var connectionsPerAddress = 150
  /// Proxies whose X-Forwarded-For is believed.
  package var trustedProxies: [AddressBlock] = []
  /// The longest a request's head may take, from the connection or the answer before it.
  package var headTime = Duration.seconds(10)
  /// The longest a request's body may take, from its head.
  package var bodyTime = Duration.seconds(30)
  /// The longest that what a refused client still sends is read and thrown away, so that it sees why.
  package var lingerTime = Duration.seconds(30)
  /// Of so many clients at a time.
  package var lingerConnections = 64
  /// Seconds without a byte after which a connection is closed.
  package var idleSeconds = 10
  /// What libmicrohttpd may hold for one connection, in bytes: head, read and write buffer.
  package var memoryLimit = 65_536
  /// Bodies that are written while they are sent, each by a thread of its own.
  package var streams = 16
  /// What bodies may take of the disk for which their clients are too slow, all together, in bytes.
  package var asideBytes = 4 << 30
  /// Behind https, or https itself: HSTS is sent.
  package var secure = false
  /// Whether HSTS covers the names below ours too.
  package var securesSubdomains = true
  /// What to encrypt connections with; nil for plain HTTP.
  package var certificate: CertificateFiles?
  /// Called after each request, on a server thread; nil logs a line with `logger` at `info`.
  package var accessLog: (@Sendable (AccessRecord) -> Void)?
  /// False for no request log at all.
  package var logsRequests = true
  /// Told of each finished request too, logged or not, on a server thread.
  package var observer: (@Sendable (AccessRecord) -> Void)?
  /// Where the server counts what it is busy with; of one server alone.
  package var activity = ServerActivity()

  package init(host: String = "127.0.0.1", port: UInt16 = 8080) {
    self.host = host
    self.port = port
  }
}

/// What is known of a finished request and says nothing of who sent it: no address, path or query.
package struct AccessRecord: Sendable {
  package var method: Method
  /// The template of the route, nil when none answered.
  package var route: String?
  package var status: Status
  /// Body bytes sent.
  package var bytes: Int
  /// From the request line to the last byte handed to the kernel.
  package var duration: Duration
  /// False when the client went away before the end.
  package var isComplete: Bool

  package init(
    method: Method, route: String?, status: Status, bytes: Int, duration: Duration, isComplete: Bool
  ) {
    self.method = method
    self.route = route
    self.status = status
    self.bytes = bytes
    self.duration = duration
    self.isComplete = isComplete
  }
}
