import Foundation
import SafeFetch
@testable import Service
import Testing

/// A web site with lists on this machine, for as long as the value exists.
final class ListSite {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let folder: URL
  let loopback: PublicFile.Loopback

  init() throws {
    folder = try TestFolder.make()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("list_server.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, folder.path]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let line = Self.line(output)
    let parts = line.split(separator: " ")
    try #require(parts.count == 2, "\(line)")
    loopback = PublicFile.Loopback(
      port: try #require(UInt16(parts[0])), authorities: String(parts[1]))
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The settings of an instance that reads its lists from this site.
  var settings: InstanceSettings {
    var settings = InstanceSettings()
    settings.siteLoopback = loopback
    return settings
  }

  /// Puts a list on the site, or replaces it.
  func put(_ text: String, as name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// The path and status of the next request.
  func request() -> String { Self.line(output) }

  private static func line(_ pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != 0x0A {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
