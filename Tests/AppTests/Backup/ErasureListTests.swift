@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The list of erasures is outside the database, for a limited time, and has no other data.
@Suite final class ErasureListTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func entry(_ id: String, at day: Int64 = 0) -> ErasureList.Entry {
    ErasureList.Entry(
      kind: .account, id: id, at: Timestamp(secondsSinceEpoch: 1_795_262_400 + day * 86_400))
  }

  @Test func `each added erasure is in every file once`() throws {
    let list = ErasureList(files: [path("one"), path("folder/two")])
    try list.add([entry("a"), entry("b", at: 1)])
    try list.add([entry("a", at: 2), entry("c", at: 3)])
    for name in ["one", "folder/two"] {
      let read = ErasureList(files: [path(name)]).entries()
      #expect(read == [entry("a"), entry("b", at: 1), entry("c", at: 3)])
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path("one"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a job reads the end of the list only, and a repeated one adds nothing`() throws {
    let list = ErasureList(files: [path("list")])
    try list.add((0..<2_000).map { entry("id \($0)", at: $0) })
    func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path("list"))).count }
    func work(_ id: String) throws {
      try list.work(#"{"at":"2026-11-21T12:00:00Z","kind":"account","ids":["\#(id)"]}"#)
    }
    try work("new")
    let after = try size()
    try work("new")
    try work("id 1999")
    #expect(try size() == after)
    // It lies before the end. The first entry of an object counts.
    try work("id 0")
    #expect(try size() > after)
    #expect(list.entries().count == 2_001)
    #expect(list.entries().first { $0.id == "id 0" } == entry("id 0"))
  }

  @Test func `other lists are read and never written`() throws {
    try ErasureList(files: [path("other")]).add([entry("a")])
    let list = ErasureList(files: [path("own")], others: [path("other"), path("none")])
    try list.add([entry("b", at: 1)])
    #expect(list.entries().map(\.id) == ["a", "b"])
    #expect(ErasureList(files: [path("other")]).entries().map(\.id) == ["a"])
  }

  @Test func `a truncated line does not affect the next line`() throws {
    let list = ErasureList(files: [path("list")])
    try list.add([entry("a")])
    let whole = try String(contentsOfFile: path("list"), encoding: .utf8)
    try Data((whole + whole.dropLast(9)).utf8).write(to: URL(fileURLWithPath: path("list")))
    try list.add([entry("b", at: 1)])
    #expect(list.entries().map(\.id) == ["a", "b"])
  }

  @Test func `old entries are deleted, and not a second early`() throws {
    let list = ErasureList(files: [path("list"), path("none")])
    try list.add([entry("a"), entry("b", at: 1)])
    try list.forget(before: entry("a").at)
    #expect(list.entries().map(\.id) == ["a", "b"])
    try list.forget(before: Timestamp(secondsSinceEpoch: entry("a").at.secondsSinceEpoch + 1))
    #expect(list.entries().map(\.id) == ["b"])
  }

  @Test func `an erasure is recorded in its transaction, only if it commits`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let waiting = { try app.database.read { try ErasureList.waiting($0) } }
    #expect(throws: CancellationError.self) {
      try app.database.write { connection in
        try ErasureList.note(.account, [ana.id], at: app.clock.now, connection)
        throw CancellationError()
      }
    }
    #expect(try waiting() == [])
    let answer = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)], as: ana.identity)
    #expect(answer.status == .noContent)
    let noted = ErasureList.Entry(kind: .account, id: ana.id, at: app.clock.now)
    #expect(try waiting() == [noted])
    try app.doJobs()
    #expect(try waiting() == [])
    #expect(app.app.erasures.entries() == [noted])
  }
}
