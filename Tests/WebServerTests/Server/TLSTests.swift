import Foundation
import Logging
import Metrics
import TestClient
import Testing

@testable import WebServer

/// Encrypted connections, with openssl as the client.
@Suite struct TLSTests {
  private let certificate: TestCertificate
  private let server: TestServer
  private let activity = ServerActivity()

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    let activity = activity
    let certificate = try TestCertificate()
    self.certificate = certificate
    server = try TestServer(
      configure: { configuration in
        configuration.certificate = certificate.files
        configuration.activity = activity
        configuration.headTime = .seconds(3)
      },
      routes: { router in
        router.get("/long") { _ in
          .stream(contentType: "application/octet-stream") { writer in
            let line = String(repeating: "x", count: 999)
            for _ in 0..<2_000 { try writer.write(line) }
            try writer.write("!")
          }
        }
        router.addDeferred(.get, "/later") { _, reply in
          Thread.detachNewThread {
            pause(.milliseconds(50))
            reply(.success(.text("later")))
          }
        }
      })
  }

  private func client(_ options: String...) throws -> TLSClient {
    try TLSClient(port: server.server.port, trusting: certificate, options)
  }

  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `TLS 1.2 and 1.3 are supported, with Strict-Transport-Security`(version: String) throws {
    let answer = try client(version).exchange(Self.health, until: "\r\n\r\nalive")
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(
      answer.contains("\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\n"))
  }

  @Test(arguments: [
    (["-tls1", "-cipher", "ALL:@SECLEVEL=0"], false),
    (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], false),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256"], false),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"], true),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], true),
  ])
  func `old versions and ciphers are refused`(options: [String], isSpoken: Bool) throws {
    let client = try TLSClient(port: server.server.port, trusting: certificate, options)
    let answer = client.exchange(Self.health, until: "\r\n\r\nalive")
    #expect(answer.hasPrefix("HTTP/1.1 200 ") == isSpoken)
    #expect(isSpoken || answer.isEmpty)
  }

  @Test func `a connection stays open for many requests, with bodies and late responses`() throws {
    let client = try client()
    for _ in 0..<3 {
      #expect(client.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
    }
    let body = String(repeating: "b", count: 999) + "!"
    let post = "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + body
    #expect(client.exchange(post, until: body).hasPrefix("HTTP/1.1 201 "))
    let late = client.exchange("GET /later HTTP/1.1\r\nHost: a\r\n\r\n", until: "\r\n\r\nlater")
    #expect(late.hasPrefix("HTTP/1.1 200 "))
    #expect(client.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `a long body arrives complete`() throws {
    let client = try client()
    client.send("GET /long HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let bytes = try #require(client.readToEnd())
    #expect(bytes.count > 2_000 * 999)
    #expect(bytes.suffix(20).contains(UInt8(ascii: "!")))
  }

  @Test func `a renewed certificate applies to new connections, and old ones continue`() throws {
    let renewed = try TestCertificate()
    let before = try client()
    #expect(before.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
    try certificate.become(renewed)
    try server.server.reloadCertificate()
    #expect(before.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
    let after = try TLSClient(port: server.server.port, trusting: renewed)
    #expect(after.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `the expiry of the certificate is reported, again after each renewal`()
    throws
  {
    let now = time(nil)
    func days() -> Int { (activity.certificateEnd.value - now + 3_600) / 86_400 }
    #expect(days() == 2)
    try certificate.become(try TestCertificate(days: 90))
    #expect(days() == 2)
    try server.server.reloadCertificate()
    #expect(days() == 90)
    try Data("no certificate".utf8).write(to: URL(fileURLWithPath: certificate.files.key))
    #expect(throws: InvalidCertificate.self) { try server.server.reloadCertificate() }
    #expect(days() == 90)
  }

  @Test func `a client that does not trust the certificate gets no response`() throws {
    let stranger = try TLSClient(port: server.server.port, trusting: try TestCertificate())
    #expect(stranger.exchange(Self.health, until: "alive").isEmpty)
  }

  @Test func `a failed renewal changes nothing`() throws {
    try Data("no certificate".utf8).write(to: URL(fileURLWithPath: certificate.files.key))
    #expect(throws: InvalidCertificate.self) { try server.server.reloadCertificate() }
    let path = certificate.files.certificate
    #expect(try client().exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: InvalidCertificate.self) { try server.server.reloadCertificate() }
  }

  @Test func `plain HTTP is closed without a response, and a silent client in time`() throws {
    let plain = try server.client()
    plain.send(Self.health)
    #expect(plain.readToEnd().firstRange(of: Array("HTTP".utf8)) == nil)
    let silent = try server.client()
    #expect(silent.isClosedByServer)
    #expect(try client().exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `a stop ends encrypted connections too`() throws {
    let client = try client()
    #expect(client.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
    server.server.stop(within: .seconds(5))
    #expect(client.readToEnd() != nil)
  }
}

/// Invalid certificate files, with which the server refuses to start.
@Suite struct InvalidCertificateTests {
  private let certificate: TestCertificate

  init() throws { certificate = try TestCertificate() }

  private func fault(_ files: CertificateFiles) -> InvalidCertificate? {
    var configuration = ServerConfiguration(port: 0)
    configuration.certificate = files
    let error = #expect(throws: ServerError.self) {
      try Server(
        configuration: configuration, router: Router(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    guard case .unusableCertificate(let fault) = error else { return nil }
    #expect(error?.description.contains("\n") == false)
    return fault
  }

  @Test func `the error names a missing file`() throws {
    var files = certificate.files
    files.key = certificate.path("nowhere.pem")
    #expect(fault(files)?.file == files.key)
    files = certificate.files
    files.certificate = certificate.folder.path
    #expect(fault(files)?.file == files.certificate)
  }

  @Test func `a key of another certificate, an encrypted one and none are distinguished`()
    throws
  {
    var files = certificate.files
    let other = try TestCertificate()
    files.key = other.files.key
    #expect(fault(files)?.description.contains("do not belong together") == true)

    files.key = certificate.path("encrypted.pem")
    try TestCertificate.openssl([
      "pkcs8", "-topk8", "-in", certificate.files.key, "-out", files.key, "-passout", "pass:hush",
    ])
    #expect(fault(files)?.description.contains("encrypted") == true)

    try Data("-----BEGIN NOTHING-----\n".utf8).write(to: URL(fileURLWithPath: files.key))
    #expect(fault(files) != nil)
    try Data([0, 1, 2]).write(to: URL(fileURLWithPath: files.key))
    #expect(fault(files)?.description.contains("no PEM file") == true)
    files.key = certificate.files.key
    try Data().write(to: URL(fileURLWithPath: files.certificate))
    #expect(fault(files) != nil)
  }
}
