@testable import App
import Foundation
import Logging
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

/// After PostgreSQL itself restored an earlier time, one command does what `farol restore` does for files.
@Suite struct SettlementTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func settle(_ lists: [String]) throws -> Settlement {
    try Settlement(
      app.database,
      Folders(
        front: TestFolder.front, seed: Repository.root.appendingPathComponent("seed"),
        data: [app.folder]),
      erasures: ErasureList(
        files: [app.folder.appendingPathComponent(ErasureList.name).path], others: lists),
      environment: app.environment, logger: Logger(label: "test") { [log = app.log] _ in log },
      opening: OpenedInstance.wholly)
  }

  @Test func `accounts in the lists of all servers are erased again, and all sign-ins end`() throws
  {
    let (ana, eva) = (try app.account("ana"), try app.account("eva"))
    let rui = try app.account("rui")
    _ = try app.token(rui.rowid, [.read])
    let lists = try [ana, eva].map { person in
      let list = app.folder.appendingPathComponent("\(person.username).jsonl").path
      try ErasureList(files: [list]).add([
        ErasureList.Entry(kind: .account, id: person.id, at: app.clock.now)
      ])
      return list
    }
    // The day of a deleted account is cancelled, and its participants had the mail about it.
    _ = try app.day(of: ana)
    let done = try settle(lists)
    #expect((done.erasedAgain, done.knewErasures) == (2, true))
    let left = try app.database.read { connection in
      try connection.rows("SELECT id FROM account WHERE role = 'contributor'") { $0.text(0) }
    }
    #expect(left == [rui.id])
    for table in ["session", "personal_token", "mail_token", "mail", "mapping_day_mail"] {
      #expect(try app.integer("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    // The next restore finds them in the list of this server.
    #expect(try settle([]).knewErasures)
  }

  @Test func `without any list the outcome says so`() throws {
    try app.device(name: "Kept")
    let done = try settle([])
    #expect((done.devices, done.erasedAgain, done.knewErasures) == (1, 0, false))
  }
}
