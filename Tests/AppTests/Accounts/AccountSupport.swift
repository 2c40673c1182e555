@testable import App
import Foundation
import JSON
import Logging
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A mail in the queue.
struct WaitingMail: Equatable {
  let address: String
  let language: String
  let template: String
  /// The values of its template's placeholders.
  let arguments: JSONValue
  let link: String?
  let account: Int64?

  /// The token in its link.
  var token: String {
    get throws {
      let link = try #require(link)
      return try #require(link.split(separator: "#token=").dropFirst().first.map(String.init))
    }
  }
}

extension TestApp {
  /// A password that satisfies the rules.
  static let password = TestAccount.password

  /// The queued mails, in order of addition.
  var mails: [WaitingMail] {
    get throws {
      try database.read { connection in
        try connection.rows(
          """
          SELECT address, language, template, link, account_rowid, arguments FROM mail
          ORDER BY rowid
          """
        ) { row in
          WaitingMail(
            address: row.text(0), language: row.text(1), template: row.text(2),
            arguments: try JSONValue(parsing: row.blob(5)),
            link: try row.optionalText(3).map { try app.mailSeal.open($0, to: row.text(0)) },
            account: row.optionalInt(4))
        }
      }
    }
  }

  /// The last queued mail.
  var lastMail: WaitingMail {
    get throws { try #require(try mails.last) }
  }

  /// Runs every due job except sending mail, so that queued mails can be read.
  func work() throws {
    let runner = JobRunner(
      database: database, environment: environment, logger: .init(label: "test") { _ in log },
      works: app.works.merging(["mail": { _ in }]) { $1 })
    while try runner.runOne() {}
  }

  func signUp(
    _ username: String = "ana", email: String? = nil, password: String = TestApp.password,
    locale: String = "en", from address: String? = nil
  ) -> TestAnswer {
    send(
      .post, "/api/accounts",
      json: [
        "username": .string(username), "email": .string(email ?? "\(username)@example.org"),
        "password": .string(password), "locale": .string(locale), "accept_terms": true,
      ], from: address)
  }

  func signIn(
    _ login: String, _ password: String = TestApp.password, code: String? = nil,
    agent: String? = nil, as identity: Identity = .visitor, from address: String? = nil
  ) -> TestAnswer {
    var members: [(key: String, value: JSONValue)] = [
      ("login", .string(login)), ("password", .string(password)),
    ]
    if let code { members.append(("code", .string(code))) }
    return send(
      .post, "/api/session", headers: agent.map { ["User-Agent": $0] } ?? [:],
      json: .object(JSONObject(members)), as: identity, from: address)
  }

  func post(
    _ path: String, _ json: JSONValue, as identity: Identity = .visitor, from address: String? = nil
  ) -> TestAnswer {
    send(.post, path, json: json, as: identity, from: address)
  }

  /// Creates an account, confirms it and signs in, as a user would.
  func person(_ username: String = "ana") throws -> Identity {
    #expect(signUp(username).status == .accepted)
    #expect(
      post("/api/accounts/confirm", ["token": .string(try lastMail.token)]).status == .ok)
    return try signIn(username).identity
  }

  /// How many rows a table has.
  func count(_ table: String) throws -> Int64 {
    try database.read { try $0.integer("SELECT count(*) FROM \(table)") ?? 0 }
  }
}

extension TestAnswer {
  /// The type of problem.
  var type: String? {
    get throws { try json["type"]?.stringValue }
  }

  /// The browser that the response signed in.
  var identity: Identity {
    get throws {
      let cookie = try #require(headers["Set-Cookie"]?.split(separator: ";").first)
      let token = try #require(try json["csrf_token"]?.stringValue)
      return Identity(headers: [
        ("Cookie", String(cookie)), ("X-CSRF-Token", token), ("Sec-Fetch-Site", "same-origin"),
      ])
    }
  }
}
