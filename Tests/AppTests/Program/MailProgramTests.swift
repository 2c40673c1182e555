import Foundation
import PrivacyMap
@testable import Service
import SpatialDatabase
import TestMailServer
import Testing

/// Mail sent by a running server.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class MailProgramTests {
  private var program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  /// Queues a mail for a server that is not running.
  private func addMail() throws {
    let outcome = try program.run("migrate")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let database = try Database(path: program.database)
    let queue = MailQueue(
      now: { Timestamp(secondsSinceEpoch: Int64(time(nil))) },
      seal: MailSeal(besides: program.database))
    try database.write { try queue.add(.example(.reportReceived), $0) }
    try database.close()
  }

  private func files() -> [URL] {
    let folder = program.folder.appendingPathComponent("mail")
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return found ?? []
  }

  @Test func `without a mail server mail is written to a folder next to the database`() throws {
    try addMail()
    let server = try program.serve()
    for _ in 0..<200 where files().isEmpty { Pause.shortly() }
    #expect(server.stop() == 0)
    let mail = try String(contentsOf: try #require(files().first), encoding: .utf8)
    #expect(mail.contains("\r\nTo: rui@example.org\r\n"))
    #expect(mail.contains("\r\nFrom: Farol <farol@farol.invalid>\r\n"))
  }

  @Test func `mail is sent through the configured server, from the configured sender`() throws {
    let post = try TestMailServer(.init { $0.login = ("farol", "p:w") })
    program.environment["FAROL_SMTP_URL"] = "smtp://farol:p%3Aw@127.0.0.1:\(post.port)"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    program.environment["FAROL_NAME"] = "Farol do Porto"
    // The program that waits for the start searches for such an address.
    program.environment["FAROL_BASE_URL"] = "http://127.0.0.1:4321"
    try addMail()
    let server = try program.serve()
    let mail = try post.next()
    #expect(server.stop() == 0)
    #expect(mail.login == "farol")
    #expect(mail.headers["From"] == "Farol do Porto <mapa@example.net>")
    #expect(mail.text?.contains("http://127.0.0.1:4321/confirm#token=") == true)
    #expect(files().isEmpty)
  }

  @Test func `queued mail survives a kill and is sent after the restart`() throws {
    let silent = try TestMailServer(.init { $0.isSilent = true })
    program.environment["FAROL_SMTP_URL"] = "smtp://127.0.0.1:\(silent.port)"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    try addMail()
    let first = try program.serve()
    // Long enough for the mail to be in progress.
    for _ in 0..<60 { Pause.shortly() }
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()

    let post = try TestMailServer()
    program.environment["FAROL_SMTP_URL"] = "smtp://127.0.0.1:\(post.port)"
    // The lease of the killed job has expired.
    program.environment["FAROL_TEST_CLOCK"] = "+3600"
    let second = try program.serve()
    #expect(try post.next().recipients == ["rui@example.org"])
    #expect(second.stop() == 0)
  }

  @Test func `a mail in progress delays stopping by several seconds at most`() throws {
    let silent = try TestMailServer(.init { $0.isSilent = true })
    program.environment["FAROL_SMTP_URL"] = "smtp://127.0.0.1:\(silent.port)"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    try addMail()
    let server = try program.serve()
    for _ in 0..<40 { Pause.shortly() }
    let started = ContinuousClock.now
    #expect(server.stop() == 0)
    #expect(ContinuousClock.now - started < .seconds(8))
  }

  @Test(arguments: [
    ("FAROL_SMTP_URL", "mail.example.org", ""), ("FAROL_SMTP_URL", "smtp://x?tls=none", ""),
    ("FAROL_SMTP_URL", "smtp://ana@mail.example.org", ""),
    ("FAROL_SMTP_URL", "smtp://ana:hush hush@mail.example.org", ""),
    ("FAROL_MAIL_FROM", "nobody", ""), ("FAROL_MAIL_FROM", "", "smtp://mail.example.org"),
    ("FAROL_NAME", "two\nlines", ""),
  ])
  func `a wrong setting stops the start with one sentence and no password`(
    name: String, value: String, server: String
  ) throws {
    program.environment["FAROL_SMTP_URL"] = server
    program.environment[name] = value
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("farol: \(name): "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(!outcome.errors.contains("hush"))
  }

  @Test func `mails have envelope senders of their own, and their mailbox is emptied`() throws {
    let post = try TestMailServer()
    let mailbox = try TestMailbox()
    program.environment["FAROL_SMTP_URL"] = "smtp://127.0.0.1:\(post.port)"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    program.environment["FAROL_BOUNCE_ADDRESS"] = "bounces+*@example.net"
    program.environment["FAROL_BOUNCE_URL"] = mailbox.url
    try addMail()
    try mailbox.add(TestReport.text())
    let server = try program.serve()
    let mail = try post.next()
    #expect(mail.sender.hasPrefix("bounces+") && mail.sender.hasSuffix("@example.net"))
    #expect(mail.headers["From"] == "Farol <mapa@example.net>")
    for _ in 0..<400 where mailbox.count > 0 { Pause.shortly() }
    #expect(mailbox.count == 0)
    #expect(server.stop() == 0)
  }

  @Test func `a mailbox that does not answer delays stopping by several seconds at most`() throws {
    let mailbox = try TestMailbox(.init { $0.isSilent = true })
    program.environment["FAROL_SMTP_URL"] = "smtp://127.0.0.1:9"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    program.environment["FAROL_BOUNCE_ADDRESS"] = "bounces+*@example.net"
    program.environment["FAROL_BOUNCE_URL"] = mailbox.url
    let server = try program.serve()
    for _ in 0..<40 { Pause.shortly() }
    let started = ContinuousClock.now
    #expect(server.stop() == 0)
    #expect(ContinuousClock.now - started < .seconds(8))
  }

  @Test(arguments: [
    ("bounces+*@example.org", "", "FAROL_BOUNCE_URL"),
    ("", "pop3s://a:hush@mail.example.org", "FAROL_BOUNCE_ADDRESS"),
    ("bounces@example.org", "pop3s://a:hush@mail.example.org", "FAROL_BOUNCE_ADDRESS"),
    ("bounces+*@example.org", "pop3://a:hush@mail.example.org", "FAROL_BOUNCE_URL"),
    ("bounces+*@example.org", "imaps://a:hush@mail.example.org", "FAROL_BOUNCE_URL"),
    ("bounces+*@example.org", "pop3s://hush@mail.example.org", "FAROL_BOUNCE_URL"),
  ])
  func `wrong settings of bounces stop the start with one sentence and no password`(
    address: String, url: String, name: String
  ) throws {
    program.environment["FAROL_SMTP_URL"] = "smtp://localhost"
    program.environment["FAROL_MAIL_FROM"] = "mapa@example.net"
    program.environment["FAROL_BOUNCE_ADDRESS"] = address
    program.environment["FAROL_BOUNCE_URL"] = url
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("farol: \(name): "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(!outcome.errors.contains("hush"))
  }

  @Test func `bounces without a mail server are a wrong setting`() throws {
    program.environment["FAROL_BOUNCE_ADDRESS"] = "bounces+*@example.org"
    program.environment["FAROL_BOUNCE_URL"] = "pop3s://a:hush@mail.example.org"
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("farol: FAROL_BOUNCE_ADDRESS: "))
  }
}
