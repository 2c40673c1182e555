import Foundation
import JSON
import Locking
import Mail
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A stolen database, write-ahead log or backup contains no usable link of a mail.
@Suite struct MailSealTests {
  let app: TestApp
  let transport = TestTransport()

  init() throws { app = try TestApp() }

  private var file: URL { app.folder.appendingPathComponent("farol.db") }
  private var key: URL { app.folder.appendingPathComponent("farol.db.key") }

  private func work() throws {
    try app.sendMail(transport)
  }

  /// The files of the database that hold some bytes.
  private func files(holding text: String) throws -> [String] {
    try ["farol.db", "farol.db-wal"].filter { name in
      let url = app.folder.appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: url.path) else { return false }
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }
  }

  @Test(.onlySQLite("about the bytes of the file"))
  func `the link of a mail is readable in no file, before and after sending`() throws {
    _ = try app.person("ana")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let token = try app.lastMail.token
    #expect(try files(holding: token).isEmpty)
    #expect(try files(holding: "ana@example.org") != [], "the files are looked at")
    try work()
    #expect(transport.messages.last?.text.contains("/reset#token=\(token)") == true)
    #expect(try files(holding: token).isEmpty)
    #expect(try files(holding: "/reset#token").isEmpty)
  }

  @Test func `every mail with a token is sealed`() throws {
    _ = app.signUp("rui")
    let ana = try app.account("ana")
    _ = app.send(
      .patch, "/api/account",
      json: ["email": "eva@example.org", "current_password": .string(TestApp.password)],
      as: ana.identity)
    _ = app.signUp("eva", email: ana.email)
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    _ = app.post(
      "/api/operators/mine/check", ["method": "email", "address": "office@exemplo.example"],
      as: ana.identity)
    let mails = try app.mails
    #expect(
      mails.map(\.template) == ["confirm", "change_email", "already_registered", "operator_check"])
    for mail in mails { #expect(try files(holding: mail.token).isEmpty, "\(mail.template)") }
    #expect(try app.integer("SELECT count(*) FROM mail WHERE link LIKE '%#token=%'") == 0)
  }

  @Test func `a link with a token is never queued unsealed`() {
    let queue = MailQueue(now: app.environment.now)
    #expect(throws: UnfitMail.self) {
      try app.database.write { try queue.add(.example(.reset), $0) }
    }
  }

  @Test(.onlySQLite("about the bytes of the file"))
  func `the key is next to the database, for its owner only, and in no backup`() throws {
    #expect(!FileManager.default.fileExists(atPath: key.path), "it is made when it is needed")
    try app.add(.example(.reset))
    let attributes = try FileManager.default.attributesOfItem(atPath: key.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == 32)
    let bytes = try Data(contentsOf: key)
    for name in ["farol.db", "farol.db-wal"] {
      let content = try Data(contentsOf: app.folder.appendingPathComponent(name))
      #expect(content.range(of: bytes) == nil, "\(name)")
    }
    let kept = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    #expect(kept.filter { $0.hasSuffix(".part") }.isEmpty)
  }

  @Test func `an accepted mail is sent after a restart`() throws {
    try app.add(.example(.reset))
    // Another instance on the same files, as after kill -9: without the memory of this one.
    let seal = MailSeal(besides: app.database.path)
    let stored = try #require(try app.text("SELECT link FROM mail"))
    #expect(try seal.open(stored, to: "rui@example.org") == "/confirm#token=abcDEF_-123")
  }

  @Test func `of many that create the key at once, all use the same`() throws {
    let path = app.folder.appendingPathComponent("other.db").path
    let right = Locked(0)
    Race.run(16) { place in
      let seal = MailSeal(besides: path)
      let stored = try? seal.seal("/reset#token=\(place)", to: "rui@example.org")
      let opened = try? MailSeal(besides: path).open(stored ?? "", to: "rui@example.org")
      if opened == "/reset#token=\(place)" { right.withLock { $0 += 1 } }
    }
    #expect(right.withLock { $0 } == 16)
  }

  @Test func `a sealed link belongs to the address that it was sealed for`() throws {
    try app.add(.example(.reset))
    try app.database.write { try $0.execute("UPDATE mail SET address = 'eva@example.org'") }
    try work()
    #expect(transport.messages.isEmpty)
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `without its key a mail is abandoned, and the reason names no address`() throws {
    try app.add(.example(.reset))
    let stored = try #require(try app.text("SELECT link FROM mail"))
    try FileManager.default.removeItem(at: key)
    #expect(throws: HopelessJob.self) {
      try MailSeal(besides: app.database.path).open(stored, to: "rui@example.org")
    }
    do { _ = try MailSeal(besides: app.database.path).open(stored, to: "rui@example.org") } catch {
      #expect(!"\(error)".contains("rui@"))
    }
  }

  @Test func `a damaged key file is not overwritten`() throws {
    try Data([1, 2, 3]).write(to: key)
    #expect(throws: (any Error).self) { try app.add(.example(.reset)) }
    #expect(try Data(contentsOf: key) == Data([1, 2, 3]))
  }

  @Test func `a link that an earlier Farol queued unsealed is still sent`() throws {
    try app.add(.example(.reset, to: try app.account()))
    try app.database.write {
      try $0.execute("UPDATE mail SET link = '/reset#token=abcDEF_-123'")
    }
    try work()
    #expect(transport.messages.last?.text.contains("/reset#token=abcDEF_-123") == true)
  }
}
