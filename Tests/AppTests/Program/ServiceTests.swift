import Foundation
import TestClient
import Testing

/// The server under a service manager, whose role this test takes with a socket.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class ServiceTests {
  private var program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  /// The messages of the program to its manager.
  private final class Inbox {
    private let descriptor: Int32

    /// A name that begins with @ is in no folder.
    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(name.utf8)
      let isAbstract = name.hasPrefix("@")
      if isAbstract { bytes[0] = 0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = 2 + bytes.count + (isAbstract ? 0 : 1)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(length))
        }
      }
      try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// The next message; nil when none arrives in time.
    func next(within milliseconds: Int32 = 20_000) -> String? {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
      var message = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &message, message.count, 0)
      return count > 0 ? String(decoding: message[..<count], as: UTF8.self) : nil
    }
  }

  @Test(arguments: ["path", "@"])
  func `it reports that it is ready, alive and stopping`(kind: String) throws {
    let name =
      kind == "@"
      ? "@farol-" + UUID().uuidString : program.folder.appendingPathComponent("notify").path
    let inbox = try Inbox(name)
    program.environment["NOTIFY_SOCKET"] = name
    program.environment["WATCHDOG_USEC"] = "400000"
    let server = try program.serve()
    #expect(inbox.next() == "READY=1")
    #expect(server.get("/readyz").contains("\"ready\""))
    #expect(inbox.next() == "WATCHDOG=1")
    #expect(inbox.next() == "WATCHDOG=1")
    #expect(server.stop() == 0)
    var last = ""
    while let message = inbox.next(within: 0) { last = message }
    #expect(last == "STOPPING=1")
  }

  @Test func `without a watchdog it sends no signs of life`() throws {
    let name = program.folder.appendingPathComponent("notify").path
    let inbox = try Inbox(name)
    program.environment["NOTIFY_SOCKET"] = name
    program.environment["WATCHDOG_USEC"] = "100000"
    // Meant for another process.
    program.environment["WATCHDOG_PID"] = "1"
    let server = try program.serve()
    #expect(inbox.next() == "READY=1")
    #expect(inbox.next(within: 500) == nil)
    #expect(server.stop() == 0)
    #expect(inbox.next() == "STOPPING=1")
  }

  /// Starts the server with `input` as the third descriptor, declared as a socket.
  private func start(handing input: Any, said errors: Pipe) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve 3<&0", FarolProgram.path.path,
    ]
    process.environment = [
      "FAROL_DATABASE": program.database, "FAROL_HOME": Repository.root.path,
    ].merging(FarolProgram.sanitizing) { given, _ in given }
    process.standardInput = input
    process.standardError = errors
    try process.run()
    return process
  }

  @Test func `it serves an inherited socket, including earlier connections`()
    throws
  {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(result)
    let port = UInt16(bigEndian: address.sin_port)
    // The second time is a restart.
    for _ in 0..<2 {
      let early = try RawClient(port: port)
      early.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      early.setTimeout(seconds: 120)
      let errors = Pipe()
      let process = try start(
        handing: FileHandle(fileDescriptor: listener, closeOnDealloc: false), said: errors)
      let server = RunningFarol(process: process, port: port, errors: errors)
      #expect(early.receive()?.status == 200)
      #expect(server.get("/readyz").contains("\"ready\""))
      #expect(server.stop() == 0)
    }
  }

  @Test func `the error for an inherited descriptor of another kind is a sentence`() throws {
    let errors = Pipe()
    let process = try start(handing: FileHandle.nullDevice, said: errors)
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(String(decoding: said, as: UTF8.self).contains("farol: Descriptor 3"))
  }

  @Test func `a missing manager does not stop the server`() throws {
    program.environment["NOTIFY_SOCKET"] = program.folder.appendingPathComponent("nobody").path
    let server = try program.serve()
    #expect(server.get("/healthz").contains("\"alive\""))
    #expect(server.stop() == 0)
  }

  @Test func `lines for the journal have a priority and no time`() throws {
    program.environment["FAROL_LOG"] = "journal"
    let server = try program.serve()
    #expect(server.get("/healthz").contains("\"alive\""))
    #expect(server.stop() == 0)
    let lines = server.log.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("<6>request bytes=") && $0.contains("route=/healthz") })
    #expect(lines.contains("<5>stopped"))
    #expect(lines.allSatisfy { $0.hasPrefix("<") })
  }

  @Test func `a stream that is not the journal's is written as text`() throws {
    program.environment["JOURNAL_STREAM"] = "1:2"
    let server = try program.serve()
    #expect(server.stop() == 0)
    #expect(server.log.split(separator: "\n").last?.hasSuffix("Z notice stopped") == true)
  }

  @Test func `a hang-up signal does not end the server`() throws {
    let server = try program.serve()
    kill(server.process.processIdentifier, SIGHUP)
    #expect(server.get("/healthz").contains("\"alive\""))
    #expect(server.stop() == 0)
  }

  @Test func `https is served with https links, and a hang-up reloads the certificate`()
    throws
  {
    let folder = program.folder
    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func make(_ name: String) throws {
      let openssl = Process()
      openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      openssl.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "90", "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
        file("key.pem"), "-out", file("certificate.pem"),
      ]
      openssl.standardError = FileHandle.nullDevice
      try openssl.run()
      openssl.waitUntilExit()
      try FileManager.default.copyItem(atPath: file("certificate.pem"), toPath: file(name))
    }
    /// The page of the interface, requested by a client that trusts one certificate only.
    func api(_ port: UInt16, trusting name: String) throws -> String {
      let python = Process()
      python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      python.arguments = [
        "-c",
        """
        import ssl, sys, urllib.request
        trust = ssl.create_default_context(cafile=sys.argv[2])
        print(urllib.request.urlopen(sys.argv[1], context=trust).read().decode())
        """, "https://127.0.0.1:\(port)/api", file(name),
      ]
      let output = Pipe()
      python.standardOutput = output
      python.standardError = FileHandle.nullDevice
      try python.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      python.waitUntilExit()
      return String(decoding: text, as: UTF8.self)
    }

    try make("first.pem")
    program.environment["FAROL_TLS_CERTIFICATE"] = file("certificate.pem")
    program.environment["FAROL_TLS_KEY"] = file("key.pem")
    let server = try program.serve()
    #expect(try api(server.port, trusting: "first.pem").contains("\"https://127.0.0.1"))
    try make("second.pem")
    #expect(try api(server.port, trusting: "second.pem").isEmpty)
    kill(server.process.processIdentifier, SIGHUP)
    var answer = ""
    for _ in 0..<200 where answer.isEmpty {
      answer = try api(server.port, trusting: "second.pem")
    }
    #expect(answer.contains("\"https://127.0.0.1"))
    #expect(server.stop() == 0)
    #expect(server.log.contains("connections are encrypted certificate_ends="))

    program.environment["FAROL_BASE_URL"] = "http://example.org"
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("farol: FAROL_BASE_URL: "))
  }
}
