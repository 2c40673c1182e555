@testable import Accounts
@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct AccountExportTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// The document; the stream is read to its end.
  private func export(_ identity: Identity) throws -> (Response, JSONValue) {
    var headers = Headers()
    for (name, value) in identity.headers { headers.add(name, value) }
    let response = app.app.router.respond(
      to: Request(.get, "/api/account/export", headers: headers))
    return (response, try JSONValue(parsing: try response.collectBody()))
  }

  @Test func `one document has all data about a person`() throws {
    let ana = try app.account("ana")
    let made = try app.contributions(of: ana)
    _ = try app.token(ana.rowid, [.read])
    _ = app.signIn("ana", from: "192.0.2.1")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let (response, document) = try export(ana.identity)
    #expect(response.status == .ok)
    #expect(
      response.headers["Content-Disposition"] == "attachment; filename=\"farol-account.json\"")
    #expect(response.headers["Cache-Control"] == "private, no-store")
    #expect(document["account"]?["email"] == "ana@example.org")
    let counts = app.app.accounts.sections.map { section in
      "\(section.name) \((document[section.name]?.arrayValue ?? []).count)"
    }
    #expect(
      counts == [
        "details 1", "sessions 2", "tokens 1", "known_networks 1", "mailed_links 1",
        "waiting_mails 1", "devices 1", "revisions 2", "verdicts 1", "photos 2", "reviews 0",
        "flags_made 1", "flags_received 1", "decisions 0", "acts 0", "import_schedules 0",
        "proposals 0", "proposed_devices 0", "choices 0",
        "choice_events 0", "requests 0", "outcome_shares 0", "people_shares 0",
        "data_requests 0", "data_request_looks 0", "organisation 0", "organisation_devices 0",
        "watches 0",
        "watch_deliveries 0", "mail_refusal 0", "mail_failure 0", "volunteer 0", "visits_asked 0",
        "visits_made 0", "visit_offers 0", "research_access 0", "mapping_days 0",
        "mapping_day_participations 0", "common_requests 0",
      ])
    #expect(document["details"]?[0]?["terms_accepted_at"] == "2026-11-14T12:00:00Z")
    #expect(document["devices"]?[0]?["id"]?.stringValue == made.deviceID)
    #expect(document["devices"]?[0]?["longitude"]?.numberValue == -8.611)
    #expect(document["revisions"]?[1]?["changed"] == ["name"])
    #expect(document["revisions"]?[1]?["comment"] == "melhor nome")
    #expect(document["verdicts"]?[0]?["note"] == "ainda lá")
    #expect(document["photos"]?[0]?["url"]?.stringValue?.hasPrefix("/api/photos/") == true)
    #expect(document["flags_made"]?[0]?["note"] == "uma nota")
    #expect(document["flags_received"]?[0]?["outcome"] == "upheld")
  }

  @Test func `the document contains no other person and no secret`() throws {
    let ana = try app.account("ana")
    let rui = try app.account("rui")
    _ = try app.contributions(of: ana)
    let others = try app.contributions(of: rui, name: "Outra")
    let (_, document) = try export(ana.identity)
    var writer = JSONWriter()
    writer.value(document)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    for secret in ["argon2", "rui", others.deviceID, "digest", "totp_secret"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(document["flags_received"]?[0]?["note"] == nil)
  }

  @Test(arguments: [499, 500, 501, 1_001])
  func `long lists are complete, in order and without duplicates`(count: Int) throws {
    let ana = try app.account("ana")
    let made = try app.contributions(of: ana)
    try app.database.write { connection in
      try connection.execute("DELETE FROM revision")
      for number in 1...count {
        try connection.execute(
          "INSERT INTO revision (device_rowid, number, kind, made_at, account_rowid) VALUES (?, ?, 'edit', ?, ?)",
          [
            .integer(made.device), .integer(Int64(number)), .text(app.clock.now.text),
            .integer(ana.rowid),
          ])
      }
    }
    let (_, document) = try export(ana.identity)
    let numbers = document["revisions"]?.arrayValue?.compactMap { $0["revision"]?.intValue }
    #expect(numbers == Array(1...count))
  }

  @Test func `the lists are those of the OpenAPI document`() throws {
    let ana = try app.account("ana")
    let (_, document) = try export(ana.identity)
    let schema = try app.get("/api/openapi.json").json["components"]?["schemas"]?["accountExport"]
    let declared = schema?["properties"]?.objectValue?.members.map(\.key)
    #expect(document.objectValue?.members.map(\.key) == declared)
  }

  @Test(arguments: ["session", "account"])
  func `an export breaks off when its session ends or its account is deleted`(_ ended: String)
    throws
  {
    let ana = try app.account("ana")
    var headers = Headers()
    for (name, value) in ana.identity.headers { headers.add(name, value) }
    let response = app.app.router.respond(
      to: Request(.get, "/api/account/export", headers: headers))
    #expect(response.status == .ok)
    // The body is written while it is sent.
    try app.database.write { try $0.execute("DELETE FROM \(ended)") }
    #expect(throws: (any Error).self) { try response.collectBody() }
  }

  @Test func `ten exports an hour are allowed`() throws {
    let ana = try app.account("ana")
    for _ in 1...10 {
      #expect(app.get("/api/account/export", as: ana.identity).status == .ok)
    }
    #expect(app.get("/api/account/export", as: ana.identity).status == .tooManyRequests)
  }
}
