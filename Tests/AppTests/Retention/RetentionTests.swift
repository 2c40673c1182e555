@testable import Accounts
@testable import App
import Foundation
import JSON
@testable import Moderation
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

/// Personal data is erased when promised, and the job reports its work.
@Suite struct RetentionTests {
  let app: TestApp
  private let stored: JSONValue

  init() throws {
    app = try TestApp()
    stored = try JSONValue(
      parsing: [UInt8](
        Data(contentsOf: Repository.root.appendingPathComponent("public/terms/stored.json"))))
  }

  private var retention: Retention {
    Retention(App.retention, database: app.database, environment: app.environment)
  }

  private func standing(_ code: String) throws -> Retention.Standing {
    try #require(try retention.standings().first { $0.rule.code == code })
  }

  private func run(_ job: String) throws { try app.app.works[job]?("{}") }

  private func promise(_ entry: String, _ language: String) -> String? {
    stored["personal"]?.arrayValue?.first { $0["id"]?.stringValue == entry }?[language]?["long"]?
      .stringValue?.lowercased()
  }

  /// The ways to write a length of time.
  private func words(_ period: RetentionRule.Period, _ language: String) -> [String] {
    let isEnglish = language == "en"
    return switch period {
    case .hours(0): isEnglish ? ["until it ends"] : ["até terminar"]
    case .hours(let count): [isEnglish ? "\(count) hours" : "\(count) horas"]
    case .days(1): isEnglish ? ["a day", "one day"] : ["um dia"]
    case .days(let count): [isEnglish ? "\(count) days" : "\(count) dias"]
    case .years(1): isEnglish ? ["a year"] : ["um ano"]
    case .years(let count): [isEnglish ? "\(count) years" : "\(count) anos"]
    }
  }

  @Test(arguments: App.retention.map(\.code))
  func `the published retention periods are those of the rules`(code: String) throws {
    let rule = try #require(App.retention.first { $0.code == code })
    for language in ["en", "pt"] {
      let reported = try #require(promise(rule.entry, language), "\(rule.entry)")
      #expect(
        words(rule.period, language).contains { reported.contains($0) },
        "\(rule.entry), \(language): \(rule.period)")
    }
  }

  @Test(arguments: [("en", "days|hours"), ("pt", "dias|horas")])
  func `every promised period has a rule`(
    language: String, units: String
  ) throws {
    let pattern = try NSRegularExpression(pattern: "[0-9]+ (\(units))")
    for entry in stored["personal"]?.arrayValue ?? [] {
      let id = entry["id"]?.stringValue ?? ""
      let long = promise(id, language) ?? ""
      let known = App.retention.filter { $0.entry == id }.flatMap { words($0.period, language) }
      let range = NSRange(long.startIndex..., in: long)
      for match in pattern.matches(in: long, range: range) {
        let said = Range(match.range, in: long).map { String(long[$0]) } ?? ""
        #expect(known.contains(said), "\(id): \(said)")
      }
    }
  }

  @Test func `each rule has its own code, and a job of the server`() {
    let codes = App.retention.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(App.retention.allSatisfy { app.app.works[$0.job] != nil })
  }

  @Test func `nothing is due in a new instance, and nothing has run`() throws {
    for standing in try retention.standings() {
      #expect(standing.due == 0, "\(standing.rule.code)")
      #expect(standing.lastRun == nil, "\(standing.rule.code)")
    }
  }

  @Test func `due rows are counted, erased by their job, and reported`() throws {
    _ = try app.account("eva", isConfirmed: false, isNew: true)
    _ = try app.account("ana")
    app.clock.advance(by: .seconds(7 * 86_400 - 1))
    #expect(try standing("account_unconfirmed").due == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try standing("account_unconfirmed").due == 1)
    try run(AccountSweep.job)
    let after = try standing("account_unconfirmed")
    #expect(after.due == 0)
    #expect(after.lastRun?.erased == 1)
    #expect(after.lastRun?.at == app.clock.now)
    #expect(try standing("report_address").lastRun == nil)
    try run(AccountSweep.job)
    #expect(try standing("account_unconfirmed").lastRun?.erased == 0)
  }

  @Test func `every rule of the account sweep finds the rows that it counts`() throws {
    let ana = try app.account("ana")
    try app.database.write { connection in
      let long = "2020-01-01T00:00:00Z"
      for sql in [
        "INSERT INTO mail_token VALUES (randomblob(32), \(ana.rowid), 'reset', NULL, '\(long)', '\(long)')",
        "INSERT INTO known_network VALUES (\(ana.rowid), randomblob(32), '2020-01-01')",
        """
        INSERT INTO idempotency (account_rowid, key, digest, status, made_at)
        VALUES (\(ana.rowid), 'k', randomblob(32), 201, '\(long)')
        """,
        "INSERT INTO job (kind, due_at, failed_at) VALUES ('mail', '\(long)', '\(long)')",
        """
        INSERT INTO mail (address, language, template, arguments, created_at)
        VALUES ('x@example.org', 'en', 'goodbye', '{}', '\(long)')
        """,
        """
        UPDATE account SET suspended_at = '\(long)', suspended_until = '\(long)',
          suspended_reason = 'a test'
        """,
        "UPDATE session SET last_seen_on = '2020-01-01', expires_at = '\(long)'",
        """
        INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
        VALUES ('0190aaaa-0000-7000-8000-000000000000', \(ana.rowid), 'a', '[]', randomblob(32),
          '\(long)', '\(long)')
        """,
      ] { try connection.execute(sql) }
    }
    let codes = [
      "session_idle", "session", "suspension", "personal_token", "known_network", "idempotency",
      "mail_token", "mail", "job_failed",
    ]
    for code in codes { #expect(try standing(code).due == 1, "\(code)") }
    try run(AccountSweep.job)
    for code in codes {
      #expect(try standing(code).due == 0, "\(code)")
      #expect(try standing(code).lastRun?.erased == 1, "\(code)")
    }
    #expect(try app.text("SELECT suspended_reason FROM account") == nil)
    #expect(try app.integer("SELECT count(*) FROM account") == 1)
  }

  @Test func `mail with a pending job stays, however old`() throws {
    let long = "2020-01-01T00:00:00Z"
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO mail (address, language, template, arguments, created_at)
        VALUES ('x@example.org', 'en', 'goodbye', '{}', ?)
        """, [.text(long)])
      try connection.execute(
        "INSERT INTO job (kind, payload, due_at) VALUES ('mail', (SELECT rowid FROM mail), ?)",
        [.text(long)])
    }
    try run(AccountSweep.job)
    #expect(try app.integer("SELECT count(*) FROM mail") == 1)
  }

  @Test func `a permanent suspension stays, and so does one that has not ended`() throws {
    let ana = try app.account("ana", isSuspended: true)
    let rui = try app.account("rui", isSuspended: true)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_until = ? WHERE rowid = ?",
        [
          .text(Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 1).text),
          .integer(rui.rowid),
        ])
    }
    try run(AccountSweep.job)
    let suspended = "SELECT count(*) FROM account WHERE suspended_reason = 'a test'"
    #expect(try app.integer(suspended) == 2)
    app.clock.advance(by: .seconds(1))
    try run(AccountSweep.job)
    #expect(try app.integer(suspended + " AND rowid = ?", [.integer(ana.rowid)]) == 1)
    #expect(try app.integer(suspended) == 1)
  }

  @Test func `a failed sweep records nothing`() throws {
    struct Fault: Error {}
    #expect(throws: Fault.self) {
      try retention.noting(AccountSweep.job, { _ in throw Fault() }, "{}")
    }
    #expect(try standing("session").lastRun == nil)
  }

  @Test func `admins see the rules with due and erased rows`() throws {
    let admin = try app.account("root", role: .admin)
    try run(ModerationFeature.job)
    let shown = try app.get("/api/admin/overview", as: admin.identity).json["retention"]
    #expect(shown?.arrayValue?.count == App.retention.count)
    let row = shown?.arrayValue?.first { $0["code"]?.stringValue == "report_address" }
    #expect(row?["due"]?.intValue == 0)
    #expect(row?["erased"]?.intValue == 0)
    #expect(row?["last_at"]?.stringValue == app.clock.now.text)
  }
}
