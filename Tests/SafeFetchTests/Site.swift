import Foundation
import Testing

/// A site on this machine, for as long as the value exists.
final class Site {
  let process = Process()
  let input = Pipe()
  let port: UInt16
  let certificate: String

  init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("site_server.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var bytes: [UInt8] = []
    while !bytes.contains(0x0A) {
      let piece = [UInt8](output.fileHandleForReading.availableData)
      if piece.isEmpty { break }
      bytes += piece
    }
    let said = String(decoding: bytes, as: UTF8.self)
    let parts = said.split(whereSeparator: \.isWhitespace)
    try #require(parts.count == 2, "\(said)")
    port = try #require(UInt16(parts[0]))
    certificate = String(parts[1])
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
