// Its header imports <sys/socket.h>. Otherwise Swift may attribute the constants to this module.
internal import CMicroHTTPD
internal import Glibc

/// A bound, listening TCP socket. Farol opens it instead of libmicrohttpd to get the reason of a
/// failure.
struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  /// The actual port, also if port 0 was requested.
  let port: UInt16

  /// Connections that the kernel completes ahead of `accept`.
  private static let backlog: Int32 = 512
  /// Send buffer of a connection, in bytes. By default the kernel uses up to four million. Three hundred clients that
  /// requested much and read nothing then blocked all other clients for half a second while the kernel copied.
  private static let sendBuffer: Int32 = 256 << 10

  init(_ configuration: ServerConfiguration) throws(ServerError) {
    if let given = configuration.socket {
      try Self.adopt(given)
      descriptor = given
    } else {
      descriptor = try Self.open(configuration.host, configuration.port)
    }
    port = Self.boundPort(descriptor)
    // Connections inherit it.
    var size = Self.sendBuffer
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, 4)
  }

  /// Prepares a socket opened by another process.
  private static func adopt(_ descriptor: Int32) throws(ServerError) {
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0,
      isListening == 1
    else { throw .noListeningSocket(descriptor) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private static func open(_ host: String, _ port: UInt16) throws(ServerError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw .unknownHost(host)
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(
      address.pointee.ai_family,
      Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.fault(host, port) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
      listen(descriptor, Self.backlog) == 0
    else {
      let fault = Self.fault(host, port)
      close(descriptor)
      throw fault
    }
    return descriptor
  }

  private static func fault(_ host: String, _ port: UInt16) -> ServerError {
    switch errno {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EACCES: .notPermitted(host: host, port: port)
    case EADDRNOTAVAIL: .unknownHost(host)
    default: .cannotListen(host: host, port: port, reason: String(cString: strerror(errno)))
    }
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress,
        getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return 0 }
      // sin_port and sin6_port have the same offset, two bytes.
      return UInt16(bigEndian: raw.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
