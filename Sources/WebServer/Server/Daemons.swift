internal import CMicroHTTPD
internal import Glibc

/// The threads that answer, each a daemon of libmicrohttpd with an epoll of its own and no socket to
/// listen on: ``Acceptor`` hands them their connections.
///
/// `@unchecked Sendable`: the pointers are set once, and libmicrohttpd takes a connection from any thread;
/// ``stop()`` comes after the last.
struct Daemons: @unchecked Sendable {
  private let handles: [OpaquePointer]

  /// How many answer in turn; they have the numbers below it.
  var count: Int { urgent }

  /// The number of the one that is kept free for who must not wait.
  var urgent: Int { handles.count - 1 }

  /// Nil when libmicrohttpd starts none, for lack of descriptors or threads.
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

  /// Gives a connection to a thread, for good: also where it is not taken its socket is closed.
  ///
  /// - Parameters:
  ///   - socket: it does not block.
  ///   - peer: whose it is.
  ///   - length: how many bytes of `peer` say so.
  ///   - number: which thread, from 0.
  /// - Returns: whether it was taken.
  func hand(
    _ socket: Int32, of peer: sockaddr_storage, length: socklen_t, to number: Int
  ) -> Bool {
    withUnsafeBytes(of: peer) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let address = base.assumingMemoryBound(to: sockaddr.self)
      return MHD_add_connection(handles[number], socket, address, length) == .YES
    }
  }

  /// Closes all connections and waits for the threads, so that no callback is left to use the context.
  func stop() {
    for daemon in handles { MHD_stop_daemon(daemon) }
  }

  private static func start(_ context: ServerContext) -> OpaquePointer? {
    let configuration = context.configuration
    var settings = microhttpd_settings()
    // Far more than the acceptor hands over. A thread of 0.9.75 that meets this limit is lost:
    // `new_connection_process_` refuses the connection without unlocking `cleanup_connection_mutex`, and the
    // thread waits for itself at the next byte that it reads.
    settings.connections = UInt32(
      clamping: 2 * (configuration.connections + configuration.reserve) + 1_000)
    settings.idle_seconds = UInt32(clamping: configuration.idleSeconds)
    settings.connection_memory = configuration.memoryLimit
    settings.on_connection = onConnection
    settings.on_target = onTarget
    settings.on_request = onRequest
    settings.on_end = onEnd
    // Unretained: the server owns the context and outlives the daemons.
    settings.context = Unmanaged.passUnretained(context).toOpaque()
    guard let certificate = context.certificates?.current else {
      return microhttpd_start(&settings)
    }
    return start(&settings, with: certificate)
  }

  /// Gives what libmicrohttpd reads at its start only.
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
