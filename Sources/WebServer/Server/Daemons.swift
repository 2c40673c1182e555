internal import CMicroHTTPD
internal import Glibc

/// The worker threads. Each is a libmicrohttpd daemon with a separate epoll and no listening socket: ``Acceptor``
/// passes connections to them.
///
/// `@unchecked Sendable`: the pointers are set once, and libmicrohttpd accepts a connection from any thread.
/// ``stop()`` is called after the last one.
struct Daemons: @unchecked Sendable {
  private let handles: [OpaquePointer]

  /// The number of threads that take connections in turn. Their indices are below it.
  var count: Int { urgent }

  /// The index of the thread reserved for urgent requests.
  var urgent: Int { handles.count - 1 }

  /// Nil when libmicrohttpd cannot start a daemon because descriptors or threads are exhausted.
  init?(_ context: ServerContext) {
    var started: [OpaquePointer] = []
    while started.count < max(1, context.configuration.threads) + 1 {
      guard let daemon = Self.start(context) else {
        for daemon in started { MHD_stop_daemon(daemon) }
        return nil
      }
      started.append(daemon)
    }
    handles = started
  }

  /// Passes a connection to a thread, together with the ownership of its socket: on failure the
  /// socket is closed.
  ///
  /// - Parameters:
  ///   - socket: a non-blocking socket.
  ///   - peer: the address of the client.
  ///   - length: the length of `peer` in bytes.
  ///   - number: the index of the thread, from 0.
  /// - Returns: whether the thread accepted the connection.
  func hand(
    _ socket: Int32, of peer: sockaddr_storage, length: socklen_t, to number: Int
  ) -> Bool {
    withUnsafeBytes(of: peer) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let address = base.assumingMemoryBound(to: sockaddr.self)
      return MHD_add_connection(handles[number], socket, address, length) == .YES
    }
  }

  /// Closes all connections and waits for the threads, so that no callback uses the context afterwards.
  func stop() {
    for daemon in handles { MHD_stop_daemon(daemon) }
  }

  private static func start(_ context: ServerContext) -> OpaquePointer? {
    let configuration = context.configuration
    var settings = microhttpd_settings()
    // Far more than the acceptor passes on. In version 0.9.75 a thread that reaches this limit deadlocks:
    // `new_connection_process_` rejects the connection without unlocking `cleanup_connection_mutex`, and the thread
    // blocks itself at the next byte that it reads.
    settings.connections = UInt32(
      clamping: 2 * (configuration.connections + configuration.reserve) + 1_000)
    settings.idle_seconds = UInt32(clamping: configuration.idleSeconds)
    settings.connection_memory = configuration.memoryLimit
    settings.on_connection = onConnection
    settings.on_target = onTarget
    settings.on_request = onRequest
    settings.on_end = onEnd
    // Unretained, because the server owns the context and outlives the daemons.
    settings.context = Unmanaged.passUnretained(context).toOpaque()
    guard let certificate = context.certificates?.current else {
      return microhttpd_start(&settings)
    }
    return start(&settings, with: certificate)
  }

  /// Passes the certificate, which libmicrohttpd reads only at its start.
  private static func start(
    _ settings: inout microhttpd_settings, with certificate: Certificate
  ) -> OpaquePointer? {
    certificate.certificateText.withUnsafeBufferPointer { chain in
      certificate.keyText.withUnsafeBufferPointer { key in
        Certificate.priorities.withCString { priorities in
          chain.withMemoryRebound(to: CChar.self) { settings.certificate = $0.baseAddress }
          key.withMemoryRebound(to: CChar.self) { settings.key = $0.baseAddress }
          settings.priorities = priorities
          return microhttpd_start(&settings)
        }
      }
    }
  }
}
