@testable import App
@testable import Downloads
import Devices
import Foundation
import Locking
import PrivacyMap
import Service
import SpatialDatabase
import Testing
import WebServer

/// Parts of an export may come from any server of a database, and are of one file.
@Suite(.serialized) struct SharedExportTests {
  let one: TestApp
  let two: TestApp

  init() throws {
    one = try TestApp(onPostgreSQLBeside: nil)
    two = try TestApp(onPostgreSQLBeside: one)
    for number in 0..<20 { try one.device(name: "Device \(number)", longitude: Double(number)) }
    try settle()
  }

  private func settle() throws {
    let end = ContinuousClock.now + .seconds(20)
    while one.app.instance.versions.version != two.app.instance.versions.version {
      try #require(ContinuousClock.now < end)
      usleep(5_000)
    }
  }

  private func part(_ app: TestApp, _ range: String, _ query: String = "") -> TestAnswer {
    app.send(target: TestApp.exportPath(.csv) + query, headers: ["Range": "bytes=\(range)"])
  }

  private func advance(_ seconds: Int64) {
    for app in [one, two] { app.clock.advance(by: .seconds(seconds)) }
  }

  private func count(_ table: String) throws -> Int64? {
    try one.integer("SELECT count(*) FROM \(table)")
  }

  @Test func `parts of two servers together are one file`() throws {
    let first = part(one, "0-99")
    let rest = part(two, "100-")
    #expect(first.status == .partialContent && rest.status == .partialContent)
    #expect(first.headers["ETag"] == rest.headers["ETag"])
    #expect(rest.headers["OGC-NumberMatched"] == "20")
    #expect(rest.headers["Content-Disposition"] == first.headers["Content-Disposition"])
    #expect(first.headers.values("Link") == rest.headers.values("Link"))
    #expect(first.bytes + rest.bytes == one.export(.csv).bytes)
    #expect(try count("stored_file") == 1)
  }

  @Test func `a server sends the file that a client reads from another, though the map changes`()
    throws
  {
    let before = part(one, "0-9")
    try two.device(name: "New", longitude: 30)
    try settle()
    advance(59)
    let after = part(two, "10-19")
    #expect(after.headers["ETag"] == before.headers["ETag"])
    #expect(after.headers["OGC-NumberMatched"] == "20")
    advance(60)
    let later = part(two, "0-9")
    #expect(later.headers["OGC-NumberMatched"] == "21")
    #expect(part(one, "0-9").headers["ETag"] == later.headers["ETag"])
    // The former content is erased with its entry.
    #expect(try count("stored_file") == 1)
  }

  @Test func `of two files that are made at the same time, both servers send one`() throws {
    let answers = try Concurrently.map(Array(0..<8)) { [one, two] number in
      part(number % 2 == 0 ? one : two, "0-9").headers["ETag"]
    }
    let kept = part(one, "0-9").headers["ETag"]
    #expect(part(two, "0-9").headers["ETag"] == kept)
    #expect(answers.filter { $0 == kept }.count >= 1)
    #expect(try count("stored_file") == 1)
  }

  @Test func `content that is lost is made again`() throws {
    let before = part(one, "0-9")
    try one.database.write { try $0.execute("DELETE FROM stored_part") }
    let after = part(two, "0-9")
    #expect(after.status == .partialContent && after.bytes == before.bytes)
    #expect(try count("stored_part") == 1)
  }

  @Test func `files are erased when nobody reads them any more`() throws {
    for number in 0..<10 {
      advance(1)
      let answer = part(number % 2 == 0 ? one : two, "0-9", "?bbox=-1,-1,\(number).5,1")
      #expect(answer.status == .partialContent)
    }
    #expect(try count("stored_file") == 8)
    advance(600)
    #expect(two.export(.csv).status == .ok)
    #expect(try count("stored_file") == 0 && count("stored_part") == 0)
  }

  @Test func `the list of files contains no filter`() throws {
    _ = part(one, "0-9", "?bbox=6.123,46.123,6.124,46.124")
    let list = try one.database.read { try SharedExportShelf.list.stored($0) }
    #expect(list?.contains("sha256") == true && list?.contains("46.12") == false)
  }
}
