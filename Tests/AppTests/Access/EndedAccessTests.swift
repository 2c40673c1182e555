@testable import App
import Dispatch
import Import
import JSON
import Locking
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A request may wait for other writes. If its session or token ends meanwhile, or its account loses a right, the request
/// changes nothing.
@Suite struct EndedAccessTests {
  /// The permission that ends while a write waits.
  enum Ending: CaseIterable, Sendable {
    case session, token, suspension, role, account

    func perform(on account: Int64, at now: String, _ connection: borrowing Connection) throws {
      switch self {
      case .session:
        try connection.execute(
          "DELETE FROM session WHERE account_rowid = ?", [.integer(account)])
      case .token:
        try connection.execute(
          "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
      case .suspension:
        try connection.execute(
          "UPDATE account SET suspended_at = ?, suspended_reason = 'a test' WHERE rowid = ?",
          [.text(now), .integer(account)])
      case .role:
        try connection.execute(
          "UPDATE account SET role = 'contributor' WHERE rowid = ?", [.integer(account)])
      case .account:
        try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(account)])
      }
    }

    /// The status of a request of an endpoint; nil if the ending does not concern it.
    func status(_ access: Access, _ person: AccessTable.Person) -> Int? {
      switch self {
      case .session, .account: 401
      case .token: access.scope == nil ? nil : 401
      case .suspension:
        switch access {
        case .contributor, .contributorSession, .moderator, .admin: 403
        case .everyone, .signedIn, .session, .owner: 409
        }
      case .role:
        switch access {
        case .moderator, .admin: 403
        default: person.role.map { $0 > .contributor } ?? false ? 409 : nil
        }
      }
    }
  }

  /// Endpoints other than GET that write nothing.
  private static let reading: Set<String> = [
    "POST /api/admin/import-inspections", "POST /api/list-inspections",
    "POST /api/coordinate-conversions",
  ]

  /// The response to a request about its own resources, and the number of checks of its writes. `ending` happens while
  /// each of its writes waits. Nil for a visitor.
  private func ask(
    _ written: WritingCase, with token: AccessTable.Token?, ending: Ending?, _ app: TestApp
  ) throws -> (status: Int, text: String, checks: Int, isUnchanged: Bool)? {
    let (sent, asker) = try written.prepared(app, token)
    guard let asker else { return nil }
    let before = try app.contents()
    let checks = Locked(0)
    let now = app.clock.now.text
    app.database.activity.interpose { connection in
      checks.withLock { $0 += 1 }
      try ending?.perform(on: asker.rowid, at: now, connection)
    }
    let answer = app.respond(to: sent)
    app.app.imports.worker.rest()
    app.database.activity.interpose(nil)
    let text = String(decoding: answer.body.bytes ?? [], as: UTF8.self)
    return (answer.status.code, text, checks.withLock { $0 }, try app.contents() == before)
  }

  @Test(arguments: WritingCase.all)
  func `every write of a signed-in person is refused after its access ended`(
    _ written: WritingCase
  ) throws {
    let app = try TestApp { folder in
      try TestPlaces.make(in: folder)
      try TestTiles.make(in: folder)
    }
    // An account that stays when others are deleted.
    _ = try app.account("root", role: .admin)
    let endpoint = try #require(
      app.app.endpoints.first { "\($0.method.rawValue) \($0.path)" == written.endpoint })
    for token in [nil, AccessTable.Token.all] {
      if token != nil, written.person.role == nil || endpoint.access.scope == nil { continue }
      guard let usual = try ask(written, with: token, ending: nil, app) else { return }
      if usual.checks == 0 {
        // Refused before any write.
        let isRead = Self.reading.contains(written.endpoint)
        #expect(isRead || usual.status >= 400, "no write was checked")
        continue
      }
      for ending in Ending.allCases where (ending == .token) == (token != nil) {
        guard let wanted = ending.status(endpoint.access, written.person),
          let ended = try ask(written, with: token, ending: ending, app)
        else { continue }
        #expect(ended.checks > 0, "\(ending)")
        #expect(ended.status == wanted, "\(ending): \(ended.text)")
        #expect(ended.isUnchanged, "\(ending)")
      }
    }
  }

  @Test func `the same requests succeed if nothing ends`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let checks = Locked(0)
    app.database.activity.interpose { _ in checks.withLock { $0 += 1 } }
    #expect(app.add(Sent.feature(), as: ana.identity).status == .created)
    #expect(checks.withLock { $0 } == 1)
  }

  /// The writer is busy with a transaction that ends the session, as in a change of the password.
  private func ask(
    _ app: TestApp, _ account: TestAccount,
    _ request: @escaping @Sendable () -> Status
  ) throws -> Status {
    let status = Locked<Status?>(nil)
    let (begun, go, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let now = app.clock.now.text
    DispatchQueue.global().async {
      try? app.database.write { connection in
        try Ending.session.perform(on: account.rowid, at: now, connection)
        begun.signal()
        go.wait()
      }
    }
    begun.wait()
    DispatchQueue.global().async {
      let answer = request()
      status.withLock { $0 = answer }
      ended.signal()
    }
    // The request passes the gate, which sees the session until the commit. Then its write waits.
    #expect(ended.wait(timeout: .now() + 1) == .timedOut)
    #expect(status.withLock { $0 } == nil)
    go.signal()
    ended.wait()
    return try #require(status.withLock { $0 })
  }

  @Test func `no token is made with a session that ended while the request waited`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let status = try ask(app, ana) {
      app.send(
        .post, "/api/account/tokens",
        json: [
          "name": "later", "scopes": ["read"], "expires_in_days": 366,
        ], as: ana.identity
      ).status
    }
    #expect(status == .unauthorized)
    #expect(try app.count("personal_token") == 0)
  }

  @Test func `no device is added with a session that ended while the request waited`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let status = try ask(app, ana) {
      app.add(Sent.feature(), as: ana.identity).status
    }
    #expect(status == .unauthorized)
    #expect(try app.count("device") == 0)
  }

  @Test func `work that waits in a queue asks again who is calling`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let id = try #require(
      try app.propose(TestProposal.list(1), as: ana.identity).json["id"]?.stringValue)
    let (go, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let status = Locked<Status?>(nil)
    // Two operations run at once.
    app.app.execution.work.fill(2) { go.wait() }
    DispatchQueue.global().async {
      let answer = app.get("/api/proposals/\(id)", as: ana.identity).status
      status.withLock { $0 = answer }
      ended.signal()
    }
    for _ in 0..<200 where app.app.execution.work.length < 3 { Pause.shortly() }
    #expect(app.app.execution.work.length == 3)
    try app.database.write {
      try Ending.session.perform(on: ana.rowid, at: app.clock.now.text, $0)
    }
    for _ in 0..<2 { go.signal() }
    ended.wait()
    #expect(status.withLock { $0 } == .unauthorized)
  }

  @Test func `an import of an admin who was suspended meanwhile stops and can be undone`() throws {
    let app = try TestApp()
    let root = try app.account("root", role: .admin)
    let checks = Locked(0)
    let now = app.clock.now.text
    let list = "id,name,lon,lat\n" + (1...3).map { "\($0),Gate \($0),6.\($0),46.5\n" }.joined()
    app.database.activity.interpose { connection in
      let number = checks.withLock { count in
        count += 1
        return count
      }
      // The first write enters the import in the report.
      guard number > 1 else { return }
      try Ending.suspension.perform(on: root.rowid, at: now, connection)
    }
    let worker = app.app.imports.worker
    let id = try worker.begin(
      ByteSource(bytes: Array(list.utf8), name: "list.csv"), TestApp.mapping(), named: "test",
      ImportRun.Options(), by: root.rowid
    ) {
      try app.database.write {
        try ImportRunStore().add(
          file: "list.csv", mapping: "test", by: root.rowid, isDryRun: false, at: app.clock.now, $0)
      }
    }
    worker.rest()
    app.database.activity.interpose(nil)
    #expect(try app.count("device") == 0)
    let run = try #require(id)
    let state = try app.database.read {
      try $0.first("SELECT state, error FROM import_run WHERE rowid = ?", [.integer(run)]) {
        ($0.text(0), $0.optionalText(1))
      }
    }
    #expect(state?.0 == "failed")
    #expect(state?.1 == "the account that started it may not do this any more")
  }

  @Test func `a logged action is completed after its moderator was suspended`() throws {
    let app = try TestApp()
    let bea = try app.account("bea")
    let mod = try app.account("mod", role: .moderator)
    for number in 0..<3 {
      let other = try app.device(longitude: Double(number), latitude: 20)
      try app.edit(other, by: bea, "description", .text("Changed"))
    }
    let checks = Locked(0)
    app.database.activity.interpose { _ in checks.withLock { $0 += 1 } }
    let answer = app.act("revert", "account", bea.id, more: [("all", true)], as: mod.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    // Only the transaction with the decision depends on the moderator.
    #expect(checks.withLock { $0 } == 1)
  }
}

extension TestApp {
  func respond(to sent: AccessRequest) -> Response {
    var headers = Headers()
    for (name, value) in sent.headers { headers.add(name, value) }
    return app.router.respond(
      to: Request(sent.method, sent.path, headers: headers, body: sent.body ?? []))
  }

  /// The number of rows of each table that requests change, and the last revisions.
  fileprivate func contents() throws -> [String] {
    try database.readPrivate { connection in
      let tables = [
        "account", "session", "personal_token", "device", "revision", "change", "verdict", "photo",
        "flag", "audit", "moderation_action", "choice", "choice_event", "watch", "proposal",
        "import_run", "import_schedule", "organisation", "organisation_claim", "collection", "job",
        "mail", "tombstone", "data_request", "research_access",
      ]
      return try tables.map { table in
        "\(table): \(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)"
      }
    }
  }
}
