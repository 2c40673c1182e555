internal import Foundation
internal import Glibc

/// A real POP3 server (Twisted Mail) with one mailbox for one test, on 127.0.0.1, as a child process. The user is
/// `bounces` with the password `secret`.
package final class TestMailbox {
  /// How the server behaves.
  package struct Behaviour {
    /// TLS from the first byte.
    package var isEncrypted = false
    /// The name in its certificate, as openssl's `subjectAltName`.
    package var certificateName = "IP:127.0.0.1"
    /// The connection breaks at this command, after so many of them.
    package var breaks: (command: String, after: Int)?
    /// It accepts connections and sends nothing.
    package var isSilent = false

    package init(_ change: (inout Behaviour) -> Void = { _ in }) { change(&self) }
  }

  package let port: UInt16
  /// A PEM file of its self-signed certificate; empty without TLS.
  package let certificate: String
  private let process = Process()
  private let output = Pipe()
  private let folder: URL
  private var added = 0

  /// Starts the server and waits until it listens.
  package init(_ behaviour: Behaviour = Behaviour()) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-mailbox-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("mailbox_server.py")
    process.executableURL = TestMailServer.python
    process.arguments =
      [script.path, "--folder", folder.path, "--parent", String(getpid())]
      + Self.arguments(behaviour)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    var unread: [UInt8] = []
    let line = try TestMailServer.line(output, &unread, within: .seconds(30))
    let ready = try JSONDecoder().decode(TestMailServer.Ready.self, from: line)
    (port, certificate) = (ready.port, ready.certificate)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func arguments(_ behaviour: Behaviour) -> [String] {
    var arguments = ["--certificate-name", behaviour.certificateName]
    if behaviour.isEncrypted { arguments.append("--tls") }
    if let (command, count) = behaviour.breaks {
      arguments += ["--breaks", command, "--breaks-after", String(count)]
    }
    if behaviour.isSilent { arguments.append("--silent") }
    return arguments
  }

  /// The setting of this mailbox.
  package var url: String {
    "\(certificate.isEmpty ? "pop3" : "pop3s")://bounces:secret@127.0.0.1:\(port)"
  }

  private var new: URL { folder.appendingPathComponent("mailbox/new") }

  /// Delivers a mail.
  package func add(_ mail: [UInt8]) throws {
    added += 1
    // The server sorts by name.
    let name = "\(1_000_000 + added).farol"
    try Foundation.Data(mail).write(to: new.appendingPathComponent(name))
  }

  package func add(_ mail: String) throws { try add(Array(mail.utf8)) }

  /// The number of mails in the mailbox.
  package var count: Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: new.path)
    return names?.count ?? 0
  }

  /// The commands of all clients, such as `RETR`.
  package var commands: [String] {
    let text = try? String(
      contentsOf: folder.appendingPathComponent("commands"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Ends the process.
  package func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
