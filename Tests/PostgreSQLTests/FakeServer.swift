import Foundation
import Glibc

/// Listens on a free port of 127.0.0.1 until ``stop()``, and handles each connection on a separate thread.
///
/// It does not stop with its last reference, because a test may only use its port.
final class FakeServer: Sendable {
  let port: UInt16
  private let listener: Int32

  init(_ handle: @escaping @Sendable (_ client: Int32) -> Void) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    guard isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    listener = socket
    port = UInt16(bigEndian: address.sin_port)
    Thread {
      while true {
        let client = accept(socket, nil, nil)
        if client < 0 {
          close(socket)
          return
        }
        Thread {
          handle(client)
          close(client)
        }.start()
      }
    }.start()
  }

  /// Refuses further connections. Those that exist stay.
  func stop() {
    // Wakes the thread that accepts.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Sends all bytes.
  static func send(_ bytes: [UInt8], to socket: Int32) {
    _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// The next bytes; empty at the end.
  static func receive(_ socket: Int32) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    return Array(piece.prefix(max(0, count)))
  }

  /// A connection to PostgreSQL's Unix socket in a folder.
  static func connect(toSocketIn folder: String) -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8)
    }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    return isConnected ? socket : -1
  }
}

/// A message of the PostgreSQL protocol, version 3 (§55.7 of its documentation).
func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
  let length = UInt32(body.count + 4)
  return [kind.asciiValue ?? 0] + withUnsafeBytes(of: length.bigEndian) { Array($0) } + body
}
