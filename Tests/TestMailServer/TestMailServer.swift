internal import Foundation
internal import Glibc

/// A real mail server (aiosmtpd) for one test, on 127.0.0.1, as a child process.
package final class TestMailServer {
  /// How the server behaves.
  package struct Behaviour {
    /// `none`, `starttls` or `smtps`.
    package var tls = "none"
    /// The name in its certificate, as openssl's `subjectAltName`.
    package var certificateName = "IP:127.0.0.1"
    /// The only login that it accepts; nil: no login required.
    package var login: (user: String, password: String)?
    /// Its response to `MAIL`, `RCPT`, `DATA` (after the content) or `NOOP` instead of acceptance: a code,
    /// `close` or `silence`.
    package var answers: [String: String] = [:]
    /// The number of times that it responds so; nil: always.
    package var times: Int?
    /// The number of times that it accepts before.
    package var after = 0
    /// It accepts connections and sends nothing.
    package var isSilent = false
    /// 0: any free port.
    package var port: UInt16 = 0

    package init(_ change: (inout Behaviour) -> Void = { _ in }) { change(&self) }
  }

  /// A received mail, parsed by Python.
  package struct Mail: Decodable {
    /// One part of the mail.
    package struct Part: Decodable {
      package let type: String
      /// Decoded; its lines end in LF.
      package let text: String
    }

    package let sender: String
    package let recipients: [String]
    /// The client name in EHLO.
    package let greeting: String
    /// Counts the connections of the server from 1.
    package let connection: Int
    package let encrypted: Bool
    /// The authenticated user; empty without a login.
    package let login: String
    /// The bytes, in base64.
    package let raw: String
    /// The display name in `From`; empty when missing.
    package let senderName: String
    /// Decoded.
    package let headers: [String: String]
    package let parts: [Part]
    /// The defects that Python finds in it.
    package let defects: [String]

    package var bytes: [UInt8] { [UInt8](Foundation.Data(base64Encoded: raw) ?? Foundation.Data()) }
    package var text: String? { parts.first { $0.type == "text/plain" }?.text }
    package var html: String? { parts.first { $0.type == "text/html" }?.text }
  }

  /// The server's output when it is ready.
  struct Ready: Decodable {
    let port: UInt16
    let certificate: String
  }

  /// The server did not start, or no mail arrived in time.
  package struct Silence: Error {}

  package let port: UInt16
  /// A PEM file of its self-signed certificate; empty without TLS.
  package let certificate: String
  private let process = Process()
  private let output = Pipe()
  private let folder: URL
  private var unread: [UInt8] = []

  /// Starts the server and waits until it listens.
  package init(_ behaviour: Behaviour = Behaviour()) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-mail-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("mail_server.py")
    process.executableURL = Self.python
    process.arguments = [script.path, "--folder", folder.path] + Self.arguments(behaviour)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let line = try Self.line(output, &unread, within: .seconds(30))
    let ready = try JSONDecoder().decode(Ready.self, from: line)
    (port, certificate) = (ready.port, ready.certificate)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The environment that `make test` installs the server into, in a folder above this file.
  static let python: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      let program = folder.appendingPathComponent(".venv/bin/python")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    }
    return URL(fileURLWithPath: "/usr/bin/python3")
  }()

  private static func arguments(_ behaviour: Behaviour) -> [String] {
    var arguments = [
      "--tls", behaviour.tls, "--certificate-name", behaviour.certificateName,
      "--port", String(behaviour.port), "--parent", String(getpid()),
    ]
    if let login = behaviour.login {
      arguments += ["--user", login.user, "--password", login.password]
    }
    for (command, answer) in behaviour.answers {
      arguments += ["--answer", "\(command)=\(answer)"]
    }
    if let times = behaviour.times { arguments += ["--times", String(times)] }
    arguments += ["--after", String(behaviour.after)]
    if behaviour.isSilent { arguments.append("--silent") }
    return arguments
  }

  /// The next received mail, in order of arrival.
  ///
  /// - Throws: ``Silence`` when none arrives in time.
  package func next(within limit: Duration = .seconds(20)) throws -> Mail {
    let file = String(decoding: try Self.line(output, &unread, within: limit), as: UTF8.self)
    return try JSONDecoder().decode(
      Mail.self, from: Foundation.Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// The connections whose clients said QUIT.
  package var goodbyes: [Int] {
    let text = try? String(
      contentsOf: folder.appendingPathComponent("goodbyes"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { Int($0) }
  }

  /// Ends the process and waits until no program listens on its port.
  package func stop() {
    guard process.isRunning else { return }
    // A child of a Dispatch thread has SIGTERM blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  static func line(
    _ pipe: Pipe, _ unread: inout [UInt8], within limit: Duration
  ) throws -> Foundation.Data {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let end = ContinuousClock.now + limit
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Foundation.Data(unread[..<newline])
        unread.removeSubrange(...newline)
        return line
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard ContinuousClock.now < end else { throw Silence() }
      guard poll(&waiting, 1, 100) > 0 else { continue }
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { throw Silence() }
      unread += piece[..<count]
    }
  }
}
