import App
import Foundation
import JSON
internal import Locking
import Logging

/// The socket next to the database, accessible only to its owner. A running server receives commands that write on it.
///
/// Each connection carries one command: the client sends a line of JSON with its arguments, the server returns lines of
/// text, and the last line is `{"exit": n}`.
final class ControlSocket: Sendable {
  private let descriptor: Int32
  private let path: String
  private let isClosed = Locked(false)

  /// The path of the socket of a database.
  static func path(beside database: String) -> String { database + ".sock" }

  /// - Throws: ``CommandFailure`` when the socket cannot be created.
  init(beside database: String) throws {
    path = Self.path(beside: database)
    unlink(path)
    descriptor = UnixSocket.make()
    guard descriptor >= 0,
      UnixSocket.withAddress(path, { bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 8) == 0
    else { throw CommandFailure("the socket \(path) cannot be made") }
    chmod(path, 0o600)
  }

  /// Processes commands one at a time on a separate thread.
  func serve(_ app: App, home: Home, logger: Logger) {
    NamedThread.start("control") { [self] in
      while !isClosed.withLock({ $0 }) {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { continue }
        let channel = ControlChannel(descriptor: client)
        Self.run(channel, app, home, logger)
        channel.close()
      }
    }
  }

  private static func run(_ channel: ControlChannel, _ app: App, _ home: Home, _ logger: Logger) {
    var code = 1
    do {
      guard let line = channel.readLine(), let request = try? JSONValue(parsing: Array(line.utf8))
      else { return }
      try RemoteCommand(request).run(app, home: home, output: channel.output)
      code = 0
    } catch {
      logger.error("a command failed", metadata: ["error": "\(error)"])
      channel.output.say("farol: \(error)")
    }
    channel.write("{\"exit\":\(code)}\n")
  }

  func close() {
    isClosed.withLock { $0 = true }
    shutdown(descriptor, Int32(SHUT_RDWR))
    Foundation.close(descriptor)
    unlink(path)
  }
}

/// POSIX calls for both ends.
enum UnixSocket {
  static func make() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }

  /// Calls `body` with the address of `path`. Returns -1 when the path is too long (more than 107
  /// bytes).
  ///
  /// An abstract name is not in the file system. Its first character is replaced by NUL.
  static func withAddress(
    _ path: String, isAbstract: Bool = false,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return -1
    }
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // The full length of an abstract name is significant, including NULs.
    let length =
      isAbstract
      ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(length))
      }
    }
  }
}

/// One end of a connection on the control socket.
struct ControlChannel {
  let descriptor: Int32

  /// Connects to the server of a database. Nil when no server is running.
  static func connect(to database: String) -> ControlChannel? {
    let descriptor = UnixSocket.make()
    guard descriptor >= 0 else { return nil }
    let path = ControlSocket.path(beside: database)
    guard UnixSocket.withAddress(path, { Foundation.connect(descriptor, $0, $1) }) == 0 else {
      Foundation.close(descriptor)
      return nil
    }
    return ControlChannel(descriptor: descriptor)
  }

  /// Output that writes lines to this channel.
  var output: CommandOutput { CommandOutput { write($0 + "\n") } }

  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line without its line end. Nil at the end of the connection. At most 1 MiB.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 1 << 20, recv(descriptor, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  func close() { Foundation.close(descriptor) }
}

/// The destination of a command's output.
struct CommandOutput: Sendable {
  let say: @Sendable (String) -> Void

  /// Standard output.
  static let standard = CommandOutput { line in
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
