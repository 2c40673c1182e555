import Foundation
import Testing

@testable import WebServer

/// A self-signed certificate for 127.0.0.1, made by openssl in a folder that is deleted with it.
final class TestCertificate: Sendable {
  let folder: URL

  /// Two files that are replaced together.
  var files: CertificateFiles {
    CertificateFiles(certificate: path("certificate.pem"), key: path("key.pem"))
  }

  /// Valid for this number of days from now.
  init(days: Int = 2) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-tls-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "\(days)", "-subj", "/CN=\(UUID().uuidString)", "-addext", "subjectAltName=IP:127.0.0.1",
      "-keyout", files.key, "-out", files.certificate,
    ])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Replaces the files by the files of another certificate.
  func become(_ other: TestCertificate) throws {
    for (own, others) in [
      (files.certificate, other.files.certificate), (files.key, other.files.key),
    ] {
      try Data(contentsOf: URL(fileURLWithPath: others)).write(to: URL(fileURLWithPath: own))
    }
  }

  static func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}

/// A TLS connection to 127.0.0.1, held by `openssl s_client`, which trusts one certificate only.
final class TLSClient {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var held: [UInt8] = []

  init(port: UInt16, trusting certificate: TestCertificate, _ options: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments =
      [
        "s_client", "-quiet", "-verify_return_error", "-CAfile", certificate.files.certificate,
        "-connect", "127.0.0.1:\(port)",
      ] + options
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a request, and reads its response up to the end of `body`; the received text where that
  /// never arrives.
  func exchange(_ request: String, until body: String) -> String {
    send(request)
    return read(until: body)
  }

  func send(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      // The connection was refused, and openssl has ended.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Everything up to `mark`; all received text at the end, or after twenty seconds.
  func read(until mark: String) -> String {
    let deadline = ContinuousClock.now + .seconds(20)
    let mark = Array(mark.utf8)
    while true {
      if let found = held.firstRange(of: mark) {
        defer { held.removeSubrange(..<found.upperBound) }
        return String(decoding: held[..<found.upperBound], as: UTF8.self)
      }
      guard let piece = next(before: deadline) else {
        return String(decoding: held, as: UTF8.self)
      }
      held += piece
    }
  }

  /// Everything received until the connection ends; nil when it stays open for twenty seconds.
  func readToEnd() -> [UInt8]? {
    let deadline = ContinuousClock.now + .seconds(20)
    while let piece = next(before: deadline) { held += piece }
    return ContinuousClock.now < deadline ? held : nil
  }

  private func next(before deadline: ContinuousClock.Instant) -> [UInt8]? {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var piece = [UInt8](repeating: 0, count: 65_536)
    while ContinuousClock.now < deadline {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      let count = Foundation.read(descriptor, &piece, piece.count)
      return count > 0 ? Array(piece[..<count]) : nil
    }
    return nil
  }
}
