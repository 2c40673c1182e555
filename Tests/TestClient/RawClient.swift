import Glibc

/// A client that sends exactly the given bytes.
package final class RawClient {
  package let socket: Int32

  package init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw ConnectFailure(code: errno) }
    setTimeout(seconds: 20)
  }

  deinit { close(socket) }

  package struct ConnectFailure: Error { var code: Int32 }

  package func setTimeout(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// - Returns: false when the server has closed the connection.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// At most `limit` bytes; none at the end or after the timeout.
  package func read(_ limit: Int = 65_536) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(socket, &buffer, limit, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Everything until the server closes the connection.
  package func readToEnd() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = read()
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
  }

  private var held: [UInt8] = []

  /// One response: its header and, by Content-Length or chunks, its body. nil when none arrives.
  package func receive(isHead: Bool = false) -> RawAnswer? {
    guard let headEnd = fill(until: { $0.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound })
    else { return nil }
    var answer = RawAnswer(head: String(decoding: held[..<headEnd], as: UTF8.self))
    held.removeFirst(headEnd)
    if isHead || answer.status == 204 || answer.status == 304 { return answer }
    if let length = answer["Content-Length"].flatMap({ Int($0) }) {
      guard fill(until: { $0.count >= length ? length : nil }) != nil else { return nil }
      answer.body = Array(held[..<length])
      held.removeFirst(length)
    } else if answer["Transfer-Encoding"] == "chunked" {
      guard let body = receiveChunks() else { return nil }
      answer.body = body
    } else {
      answer.body = held + readToEnd()
      held = []
    }
    return answer
  }

  private func receiveChunks() -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      guard let lineEnd = fill(until: { $0.firstRange(of: Array("\r\n".utf8))?.upperBound }),
        let size = Int(String(decoding: held[..<(lineEnd - 2)], as: UTF8.self), radix: 16),
        fill(until: { $0.count >= lineEnd + size + 2 ? 0 : nil }) != nil
      else { return nil }
      body += held[lineEnd..<lineEnd + size]
      held.removeFirst(lineEnd + size + 2)
      if size == 0 { return body }
    }
  }

  private func fill(until found: ([UInt8]) -> Int?) -> Int? {
    while true {
      if let position = found(held) { return position }
      let piece = read()
      guard !piece.isEmpty else { return nil }
      held += piece
    }
  }

  /// Sends and waits for one response.
  package func exchange(_ text: String) -> RawAnswer? {
    send(text)
    return receive(isHead: text.hasPrefix("HEAD "))
  }

  /// Whether the server has closed the connection; waits for that at most as long as the timeout.
  package var isClosedByServer: Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }
}

/// The received bytes, unchanged.
package struct RawAnswer {
  package var head: String
  package var body: [UInt8] = []

  package init(head: String) { self.head = head }

  private var lines: [Substring] { head.split(separator: "\r\n") }

  package var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  package var text: String { String(decoding: body, as: UTF8.self) }

  package subscript(name: String) -> String? { values(name).first }

  package func values(_ name: String) -> [String] {
    lines.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
      return String(parts[1].drop { $0 == " " })
    }
  }
}

extension RawClient {
  /// Whether the server has already closed the connection, without waiting.
  package var hasEnded: Bool {
    var byte: UInt8 = 0
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    let count = recv(socket, &byte, 1, flags)
    return count == 0 || count < 0 && errno != EAGAIN
  }
}
