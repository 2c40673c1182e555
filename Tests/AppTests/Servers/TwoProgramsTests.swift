@testable import Downloads
import Foundation
import TestClient
import TestPostgreSQL
import Testing

/// Two `farol serve` processes on one PostgreSQL database, as behind a proxy that alternates between them.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class TwoProgramsTests {
  private let folder: URL
  private let servers: [RunningFarol]

  init() throws {
    folder = try TestFolder.make()
    let url = try TestPostgreSQL.shared.get().newDatabase()
    let programs = ["one", "two"].map { [folder] name in
      var program = FarolProgram(folder: folder)
      program.environment = [
        "FAROL_DATABASE": url, "FAROL_STATE": folder.appendingPathComponent(name).path,
        "FAROL_HOME": Repository.root.path,
      ]
      return program
    }
    let fixtures = Repository.root.appendingPathComponent("Tests/Browser/fixtures").path
    let imported = try programs[0].run(
      "import", "--mapping", "\(fixtures)/mapping.json", "\(fixtures)/devices.geojson")
    try #require(imported.status == 0, "\(imported.errors)")
    let first = try programs[0].serve()
    // Servers on one database have one key.
    let other = folder.appendingPathComponent("two")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent("one/farol.key"),
      to: other.appendingPathComponent("farol.key"))
    servers = [first, try programs[1].serve()]
  }

  deinit {
    for server in servers { _ = server.stop() }
    try? FileManager.default.removeItem(at: folder)
  }

  private func part(of path: String, _ range: String, from server: Int) throws -> RawAnswer {
    let client = try RawClient(port: servers[server].port)
    let answer = client.exchange(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nRange: bytes=\(range)\r\n\r\n"
    )
    return try #require(answer)
  }

  @Test func `parts of an export, each from the other server, are one file`() throws {
    for format in ExportFormat.allCases { try compareParts(format) }
  }

  private func compareParts(_ format: ExportFormat) throws {
    let path = TestApp.exportPath(format)
    let first = try part(of: path, "0-9", from: 0)
    try #require(first.status == 206, "\(format): \(first.status)")
    let size = try #require(
      first["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) })
    try #require(size > 100)
    let length = size / 5 + 1
    var joined = [[UInt8](), [UInt8]()]
    for (number, start) in stride(from: 0, to: size, by: length).enumerated() {
      let end = min(start + length, size) - 1
      // The same parts once more, each from the other server.
      for turn in 0..<2 {
        let found = try part(of: path, "\(start)-\(end)", from: (number + turn) % 2)
        #expect(found.status == 206 && found.body.count == end - start + 1, "\(format)")
        #expect(found["ETag"] == first["ETag"], "\(format)")
        #expect(found["Content-Range"] == "bytes \(start)-\(end)/\(size)", "\(format)")
        joined[turn] += found.body
      }
    }
    #expect(joined[0].count == size && joined[0] == joined[1], "\(format)")
    #expect(joined[0].starts(with: first.body))
  }
}
