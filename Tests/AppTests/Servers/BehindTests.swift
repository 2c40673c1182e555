import Foundation
import SpatialDatabase
import TestPostgreSQL
import Testing

/// `farol serve` remembers what it has seen of its database, and does not use one that is behind
/// (docs/decisions/0033).
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class BehindTests {
  private var program: FarolProgram
  private let url: String

  init() throws {
    program = FarolProgram(folder: try TestFolder.make())
    url = try TestPostgreSQL.shared.get().newDatabase()
    program.environment = [
      "FAROL_DATABASE": url, "FAROL_STATE": program.folder.path,
      "FAROL_HOME": Repository.root.path, "FAROL_METRICS": "loopback",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private var file: URL { program.folder.appendingPathComponent("farol.seen") }

  private func change(_ body: (inout [String: Any]) -> Void) throws {
    var state = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    body(&state)
    try JSONSerialization.data(withJSONObject: state).write(to: file)
  }

  private func refusal() throws -> String {
    do {
      _ = try program.serve().stop()
      return ""
    } catch let refused as FarolProgram.NotServing { return refused.said }
  }

  @Test func `a server refuses a database that is behind, and farol settle accepts it`() throws {
    #expect(try program.serve().stop() == 0)
    try change { $0["timeline"] = 99 }
    let said = try refusal()
    #expect(said.split(separator: "\n").count == 1)
    #expect(
      said.contains(
        "is behind what this server has seen: its timeline is 1, and this server has seen 99"),
      "\(said)")

    let settled = try program.run("settle")
    #expect(settled.status == 0, "\(settled.errors)")
    let running = try program.serve()
    #expect(running.get("/metrics").contains("farol_database_behind 0"))
    #expect(running.stop() == 0)
  }

  @Test func `a change that this server has stored must be there after a restart`() throws {
    let running = try program.serve()
    #expect(running.stop() == 0)
    try change { $0["change"] = "7-abc" }
    #expect(try refusal().contains("it lacks change 7, which this server has seen"))
  }

  @Test func `rights that Farol does not need are in the log and in farol check`() throws {
    let running = try program.serve()
    #expect(running.stop() == 0)
    #expect(running.start.contains("has more rights than Farol needs (SUPERUSER"))
    let checked = try program.run("check")
    #expect(checked.output.contains("warning: the user of the database has more rights"))
    #expect(checked.output.contains("no damage, no orphans, no drift"))
    #expect(checked.status == 0)
  }
}
