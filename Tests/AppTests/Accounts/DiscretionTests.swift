@testable import App
import Foundation
import JSON
import Locking
import Logging
@testable import Service
import Testing
import WebServer

/// Passwords, tokens and addresses appear in no error, no log and no logged URL.
@Suite struct DiscretionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let email = "segredo-de-ana@example.org"
  private static let password = "segredo que ninguém adivinha"

  /// Sends every request of a user, valid and invalid. Returns every response.
  private func everything() throws -> [TestAnswer] {
    var answers: [TestAnswer] = []
    func send(_ method: WebServer.Method, _ path: String, _ json: JSONValue, _ who: Identity) {
      answers.append(app.send(method, path, json: json, as: who))
    }
    let fields: JSONValue = [
      "username": .string(Self.email), "email": .string(Self.email + "@"),
      "password": .string(Self.email), "accept_terms": true,
    ]
    send(.post, "/api/accounts", fields, .visitor)
    answers.append(app.signUp("ana", email: Self.email, password: Self.password))
    answers.append(app.signUp("ana", email: Self.email, password: Self.password))
    let token = try app.lastMail.token
    send(.post, "/api/accounts/reset", ["token": .string(token), "password": "x"], .visitor)
    send(.post, "/api/accounts/confirm", ["token": .string(token)], .visitor)
    send(.post, "/api/accounts/confirm", ["token": .string(token)], .visitor)
    send(.post, "/api/accounts/recover", ["login": .string(Self.email)], .visitor)
    try app.work()
    let wrong: JSONValue = ["login": .string(Self.email), "password": .string(Self.password + "x")]
    for _ in 1...11 { send(.post, "/api/session", wrong, .visitor) }
    let ana = try app.signIn("ana", Self.password).identity
    for password in [Self.password + "x", Self.password] {
      let proof: JSONValue = ["password": .string(password)]
      send(.post, "/api/account/totp", proof, ana)
      send(.delete, "/api/account/totp", proof, ana)
      send(
        .patch, "/api/account",
        [
          "password": .string(Self.email), "current_password": .string(password),
          "email": .string(Self.email + ".x"),
        ], ana)
      send(.delete, "/api/account", proof, ana)
    }
    return answers
  }

  @Test func `no refusal repeats the submitted values`() throws {
    for answer in try everything() where answer.status.isError {
      for secret in [Self.email, Self.password, "segredo"] {
        #expect(!answer.text.contains(secret), "\(answer.text)")
      }
    }
  }

  @Test func `no log contains the submitted values`() throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in
      AllLines { line in lines.withLock { $0.append(line) } }
    }
    _ = try everything()
    let runner = JobRunner(
      database: app.database, environment: app.environment, logger: logger, works: [:])
    _ = app.post("/api/accounts/recover", ["login": .string(Self.email)])
    while try runner.runOne() {}
    #expect(!lines.withLock { $0 }.isEmpty)
    for line in lines.withLock({ $0 }) + app.log.lines {
      #expect(!line.contains("segredo"), "\(line)")
    }
    #expect(app.log.lines.isEmpty)
  }

  @Test func `no URL of the interface contains a secret or an email address`() {
    for endpoint in app.app.accounts.endpoints {
      for parameter in endpoint.parameters {
        #expect(["id", "username"].contains(parameter.name), "\(endpoint.path)")
        #expect(parameter.location == .path)
      }
    }
  }

  @Test func `tokens in mailed links are in the fragment, which browsers do not send`() throws {
    _ = app.signUp("ana")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    for mail in try app.mails {
      let link = try #require(mail.link)
      let parts = link.split(separator: "#")
      #expect(parts.count == 2)
      #expect(!parts[0].contains("?"))
      #expect(try parts[1] == "token=\(mail.token)")
    }
  }

  /// Passes on every log line of any level.
  private struct AllLines: LogHandler {
    let take: @Sendable (String) -> Void
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    init(take: @escaping @Sendable (String) -> Void) { self.take = take }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { take("\(event.message) \(event.metadata ?? [:])") }
  }
}
