import Foundation
import Locking
import Mail
@testable import Moderation
import PrivacyMap
@testable import Service
import SpatialDatabase
import TestMailServer
import Testing

@Suite struct MailSendingTests {
  let app: TestApp
  let transport = TestTransport()

  init() throws { app = try TestApp() }

  /// Runs every due job.
  private func work(_ transport: any MailTransport) throws {
    let runner = try app.runner(transport)
    while try runner.runOne() {}
  }

  /// Moves the database away once a mail has been sent, so that nothing can be recorded.
  private struct MovingTransport: MailTransport {
    let inner: TestTransport
    let database: URL

    func send(_ message: MailMessage) throws(MailFailure) {
      try inner.send(message)
      do {
        try FileManager.default.moveItem(at: database, to: database.appendingPathExtension("x"))
      } catch { throw MailFailure("the database could not be moved") }
    }
  }

  @Test(.onlySQLite("takes the file of the database away"))
  func `a mail sent while nothing could be saved is not sent again`() throws {
    let file = app.folder.appendingPathComponent("farol.db")
    let ana = try app.account()
    try app.add(.example(.moderationDecided, to: ana))
    let runner = try app.runner(MovingTransport(inner: transport, database: file))
    #expect(throws: DatabaseFault.self) { try runner.runOne() }
    try FileManager.default.moveItem(at: file.appendingPathExtension("x"), to: file)
    #expect(try app.waiting().mails == 1)
    app.clock.advance(by: .seconds(601))
    while try runner.runOne() {}
    #expect(transport.messages.count == 1)
    let waiting = try app.waiting()
    #expect(waiting.mails == 0)
    #expect(waiting.jobs == 0)
  }

  @Test func `a mail arrives in the reader's language and is erased`() throws {
    let server = try TestMailServer()
    let ana = try app.account()
    try app.add(.example(.moderationDecided, to: ana, language: "pt"))
    try work(server.transport())

    let mail = try server.next()
    #expect(mail.recipients == ["ana@example.org"])
    #expect(mail.sender == "farol@farol.example")
    #expect(mail.headers["Subject"] == "Uma decisão sobre a sua contribuição para Farol")
    #expect(mail.headers["Date"] == "Sat, 21 Nov 2026 12:00:00 +0000")
    #expect(mail.headers["Content-Language"] == "pt")
    #expect(mail.headers["Auto-Submitted"] == "auto-generated")
    #expect(mail.text?.hasPrefix("Olá, ana,\n\n") == true)
    #expect(mail.text?.contains("Aparelho: Câmara da Sé\nMotivo: Não está lá.") == true)
    #expect(mail.text?.contains("\(TestApp.address)/confirm#token=abcDEF_-123") == true)
    #expect(mail.html?.contains("Câmara da Sé<br>Motivo: Não está lá.") == true)
    #expect(mail.defects == [])
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `every mail arrives well formed in every language`() throws {
    let server = try TestMailServer()
    let ana = try app.account()
    for template in MailTemplate.allCases {
      for language in ["en", "pt", "xx"] {
        try app.add(.example(template, to: ana, language: language))
      }
    }
    try work(server.transport())
    for template in MailTemplate.allCases {
      for language in ["en", "pt", "en"] {
        let mail = try server.next()
        #expect(mail.headers["Content-Language"] == language, "\(template)")
        #expect(mail.parts.map(\.type) == ["text/plain", "text/html"])
        #expect(mail.defects == [])
      }
    }
    #expect(app.log.lines == [])
  }

  @Test func `a temporarily refused mail is sent again later, as the same mail`() throws {
    try app.add(.example(.warned, to: app.account()))
    transport.fail(MailFailure("the mail server cannot be reached"))
    try work(transport)
    #expect(try app.waiting() == (1, 1))
    app.clock.advance(by: .seconds(59))
    try work(transport)
    #expect(transport.messages.count == 1)

    transport.fail(nil)
    app.clock.advance(by: .seconds(1))
    try work(transport)
    #expect(transport.messages.count == 2)
    #expect(transport.messages.first == transport.messages.last)
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `two mails have two ids, and neither reveals its recipient`() throws {
    let ana = try app.account()
    try app.add(.example(.warned, to: ana))
    try work(transport)
    // The row's number is used again.
    try app.add(.example(.unsuspended, to: ana))
    try work(transport)
    let ids = transport.messages.map(\.messageID)
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.hasSuffix("@farol.example") && !$0.contains("ana") })
  }

  @Test func `a permanently refused mail is abandoned and erased, with a reason`() throws {
    let server = try TestMailServer(.init { $0.answers = ["RCPT": "550"] })
    try app.add(.example(.warned, to: app.account()))
    try work(server.transport())
    #expect(try app.waiting() == (0, 0))
    #expect(
      try app.text("SELECT last_error FROM job WHERE failed_at IS NOT NULL")
        == "the mail server refused the mail (550)")
    #expect(app.log.lines.count == 1)
    #expect(!app.log.lines.joined().contains("example.org"))
  }

  @Test func `an unsendable mail is abandoned after two days and erased`() throws {
    try app.add(.example(.warned, to: app.account()))
    transport.fail(MailFailure("the mail server cannot be reached (421)"))
    for _ in 0..<60 {
      try work(transport)
      app.clock.advance(by: .seconds(3_600))
    }
    #expect(transport.messages.count == 8)
    #expect(try app.waiting() == (0, 0))
    #expect(try app.integer("SELECT count(*) FROM job WHERE failed_at IS NOT NULL") == 1)
    #expect(!app.log.lines.joined().contains("example.org"))
  }

  @Test func `after an abandoned mail the next one is sent`() throws {
    let ana = try app.account()
    transport.fail(MailFailure("refused", isPermanent: true))
    try app.add(.example(.warned, to: ana))
    try work(transport)
    transport.fail(nil)
    try app.add(.example(.unsuspended, to: ana))
    try work(transport)
    #expect(transport.messages.count == 2)
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `the mail of an erased account is never sent`() throws {
    let ana = try app.account()
    try app.add(.example(.warned, to: ana))
    try app.database.write { connection in
      try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(ana.rowid)])
    }
    try work(transport)
    #expect(transport.messages.isEmpty)
    #expect(try app.waiting() == (0, 0))
    #expect(app.log.lines == [])
  }

  @Test func `a mail is sent in the second before it expires and not in the one after`() throws {
    let ana = try app.account()
    var mail = OutgoingMail.example(.reset, to: ana)
    mail.expires = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 3_600)
    try app.add(mail)
    app.clock.advance(by: .seconds(3_599))
    try work(transport)
    #expect(transport.messages.count == 1)

    mail.expires = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 3_600)
    try app.add(mail)
    app.clock.advance(by: .seconds(3_600))
    try work(transport)
    #expect(transport.messages.count == 1)
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `an unconfirmed account is not greeted by its chosen name`() throws {
    try app.add(.example(.reset, to: app.account("buy.example", isConfirmed: false)))
    try app.add(.example(.reset, to: app.account("rui")))
    try work(transport)
    #expect(transport.messages.map { $0.text.hasPrefix("Hello,") } == [true, false])
    #expect(transport.messages.last?.text.hasPrefix("Hello rui,") == true)
  }

  @Test func `a row that cannot become a mail is abandoned`() throws {
    try app.add(.example(.warned, to: app.account()))
    try app.database.write { try $0.execute("UPDATE mail SET address = 'nowhere'") }
    try work(transport)
    #expect(transport.messages.isEmpty)
    #expect(try app.waiting() == (0, 0))
    #expect(!app.log.lines.joined().contains("nowhere"))
  }

  @Test func `a silent mail server delays no other work`() throws {
    let server = try TestMailServer(.init { $0.isSilent = true })
    let transport = try server.transport()
    let isDone = Locked(false)
    try app.add(.example(.warned, to: app.account()))
    try app.database.write { connection in
      try JobRunner.schedule("other", due: app.clock.now, connection)
    }
    let runner = try app.runner(transport, works: ["other": { _ in isDone.withLock { $0 = true } }])
    runner.start()
    for _ in 0..<100 where !isDone.withLock({ $0 }) { Pause.shortly() }
    #expect(isDone.withLock { $0 })
    #expect(try app.waiting() == (1, 1))

    let start = ContinuousClock.now
    transport.stop()
    runner.stop()
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(try app.waiting() == (1, 1))
  }
}
