import Foundation
@testable import Mail
import Locking
import TestMailServer
import Testing

@Suite struct SMTPTransportTests {
  private func transport(
    to server: TestMailServer, scheme: String = "smtp", login: String = "", query: String = "",
    trusts: Bool = true
  ) throws -> SMTPTransport {
    SMTPTransport(
      to: try SMTPServer("\(scheme)://\(login)127.0.0.1:\(server.port)\(query)"),
      authorities: trusts && !server.certificate.isEmpty ? server.certificate : nil,
      connectLimit: .seconds(10), wholeLimit: .seconds(15))
  }

  /// The reason why sending failed; nil on success.
  private func failure(_ transport: SMTPTransport) throws -> MailFailure? {
    let message = try TestMail.message()
    do throws(MailFailure) { try transport.send(message) } catch { return error }
    return nil
  }

  // MARK: - Encryption

  @Test func `STARTTLS precedes the mail`() throws {
    let server = try TestMailServer(.init { $0.tls = "starttls" })
    try transport(to: server, query: "?tls=required").send(TestMail.message())
    #expect(try server.next().encrypted)
  }

  @Test func `a server without STARTTLS receives nothing when TLS is required`() throws {
    let server = try TestMailServer()
    let failure = try failure(transport(to: server, query: "?tls=required"))
    #expect(failure == MailFailure("the mail server offers no STARTTLS"))
    #expect(throws: TestMailServer.Silence.self) { try server.next(within: .milliseconds(300)) }
  }

  @Test func `TLS from the first byte works`() throws {
    let server = try TestMailServer(.init { $0.tls = "smtps" })
    try transport(to: server, scheme: "smtps").send(TestMail.message())
    #expect(try server.next().encrypted)
  }

  @Test(arguments: [("starttls", "smtp", "?tls=required"), ("smtps", "smtps", "")])
  func `an untrusted certificate stops the mail`(
    tls: String, scheme: String, query: String
  ) throws {
    let server = try TestMailServer(.init { $0.tls = tls })
    let failure = try failure(transport(to: server, scheme: scheme, query: query, trusts: false))
    #expect(failure?.reason.contains("certificate of the mail server is not trusted") == true)
    #expect(failure?.isPermanent == false)
  }

  @Test func `a certificate for another name stops the mail`() throws {
    let server = try TestMailServer(
      .init { ($0.tls, $0.certificateName) = ("smtps", "DNS:other.example") })
    let failure = try failure(transport(to: server, scheme: "smtps"))
    #expect(failure?.reason.contains("certificate of the mail server is not trusted") == true)
  }

  // MARK: - Login

  @Test func `a login with special characters is accepted`() throws {
    let server = try TestMailServer(
      .init { ($0.tls, $0.login) = ("starttls", ("ana@example.org", "p:a/s@s ç")) })
    try transport(
      to: server, login: "ana%40example.org:p%3Aa%2Fs%40s%20%C3%A7@", query: "?tls=required"
    ).send(TestMail.message())
    #expect(try server.next().login == "ana@example.org")
  }

  @Test func `a refused login is a configuration error, not a failure of the mail`() throws {
    let server = try TestMailServer(.init { $0.login = ("ana", "right") })
    let failure = try failure(transport(to: server, login: "ana:wrong@"))
    #expect(failure == MailFailure("the mail server refused the login (535)"))
  }

  @Test func `a missing login is a configuration error`() throws {
    let server = try TestMailServer(.init { $0.login = ("ana", "right") })
    #expect(try failure(transport(to: server))?.isPermanent == false)
  }

  // MARK: - Refusals

  @Test(arguments: ["RCPT", "DATA"], [421, 450, 499])
  func `a response code below 500 is a temporary failure`(command: String, code: Int) throws {
    let server = try TestMailServer(.init { $0.answers = [command: "\(code)"] })
    let failure = try failure(transport(to: server))
    #expect(failure?.isPermanent == false)
    #expect(failure?.reason.contains("(\(code))") == true)
  }

  @Test(arguments: ["RCPT", "DATA"], [500, 550, 554])
  func `a response code of 500 or more is a permanent failure`(command: String, code: Int) throws {
    let server = try TestMailServer(.init { $0.answers = [command: "\(code)"] })
    let failure = try failure(transport(to: server))
    let expected = MailFailure(
      "the mail server refused the mail (\(code))", isPermanent: true,
      fault: command == "RCPT" ? .undelivered : .content)
    #expect(failure == expected)
  }

  @Test(
    arguments: [
      ("550 5.1.1 <ana@example.net> unknown", .noMailbox), ("550 5.7.1 blocked", .policy),
      ("552 5.2.2 full", .undelivered), ("552 5.3.4 too big", .content),
      ("550 unknown", .undelivered), ("550 5.1.1.1 odd", .undelivered),
      ("550 4.1.1 another class", .undelivered), ("554 5.7.26 not authenticated", .policy),
    ] as [(String, DeliveryFault)], ["RCPT", "DATA"])
  func `the enhanced status of a reply has the reason`(
    reply: (text: String, fault: DeliveryFault), command: String
  ) throws {
    let server = try TestMailServer(.init { $0.answers = [command: reply.text] })
    let failure = try #require(try failure(transport(to: server)))
    #expect(failure.isPermanent)
    let isCodeless = !failure.reason.contains(".")
    #expect(failure.fault == (isCodeless && command == "DATA" ? .content : reply.fault))
    #expect(!failure.reason.contains("@"))
  }

  @Test func `the status of an earlier reply is not that of a later one`() throws {
    var replies = SMTPReplies()
    func read(_ line: String) { Array(line.utf8).withUnsafeBytes { replies.read($0) } }
    read("250 2.1.0 sender ok\r\n")
    #expect(replies.status(of: 250)?.description == "2.1.0")
    read("550-5.1.1 <ana@example.net>\r\n")
    read("550 unknown\r\n")
    read("221 2.0.0 bye\r\n")
    #expect(replies.status(of: 550)?.description == "5.1.1")
    read("554 no\r\n")
    #expect(replies.status(of: 554) == nil)
    read("550 no\r\n")
    for line in ["", "\r\n", "55", "abc 5.1.1", "550", "550 ", "550 5.1", "550 5.1.1000"] {
      read(line)
      #expect(replies.status(of: 550) == nil, "\(line)")
    }
  }

  @Test func `a refused sender is a configuration error`() throws {
    let server = try TestMailServer(.init { $0.answers = ["MAIL": "550 not from here"] })
    let failure = try failure(transport(to: server))
    #expect(failure == MailFailure("the mail server did not take the mail (550)"))
  }

  @Test func `no reason repeats an address`() throws {
    for answers in [
      ["RCPT": "550"], ["DATA": "554"], ["RCPT": "450"], ["MAIL": "550 farol@example.org"],
    ] {
      let server = try TestMailServer(.init { $0.answers = answers })
      let failure = try #require(try failure(transport(to: server)))
      #expect(!failure.reason.contains("example"))
      #expect(!failure.reason.contains("@"))
    }
  }

  @Test func `a mail that failed temporarily is accepted on the next attempt`() throws {
    let server = try TestMailServer(
      .init { ($0.answers, $0.times) = (["RCPT": "451"], 1) })
    let transport = try transport(to: server)
    #expect(try failure(transport) != nil)
    #expect(try failure(transport) == nil)
    #expect(try server.next().recipients == ["ana@example.net"])
  }

  // MARK: - Unreachable servers

  @Test func `an unreachable server is a temporary failure`() throws {
    let server = try TestMailServer()
    server.stop()
    #expect(try failure(transport(to: server)) == MailFailure("the mail server cannot be reached"))
  }

  @Test func `an unknown host name is a temporary failure`() throws {
    let transport = SMTPTransport(
      to: try SMTPServer("smtps://mail.farol.invalid"), wholeLimit: .seconds(15))
    #expect(try failure(transport)?.isPermanent == false)
  }

  @Test func `a connection closed before the response is a temporary failure`() throws {
    let server = try TestMailServer(.init { $0.answers = ["DATA": "close"] })
    let failure = try #require(try failure(transport(to: server)))
    #expect(!failure.isPermanent)
  }

  @Test func `a silent server is abandoned after the time limit`() throws {
    let server = try TestMailServer(.init { $0.isSilent = true })
    let transport = SMTPTransport(
      to: try SMTPServer("smtp://127.0.0.1:\(server.port)"), connectLimit: .milliseconds(400),
      wholeLimit: .seconds(1))
    let start = ContinuousClock.now
    #expect(try failure(transport) == MailFailure("the mail server took too long"))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `a server silent after the content is abandoned after the time limit`() throws {
    let server = try TestMailServer(.init { $0.answers = ["DATA": "silence"] })
    let transport = SMTPTransport(
      to: try SMTPServer("smtp://127.0.0.1:\(server.port)"), wholeLimit: .seconds(1))
    let start = ContinuousClock.now
    #expect(try failure(transport) == MailFailure("the mail server took too long"))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `stopping aborts the mail in progress and sends no other`() throws {
    let server = try TestMailServer(.init { $0.isSilent = true })
    let transport = SMTPTransport(
      to: try SMTPServer("smtp://127.0.0.1:\(server.port)"), connectLimit: .seconds(60))
    let stopper = Thread {
      Thread.sleep(forTimeInterval: 0.3)
      transport.stop()
    }
    stopper.start()
    let start = ContinuousClock.now
    #expect(try failure(transport) == MailFailure("Farol is stopping"))
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(try failure(transport) == MailFailure("Farol is stopping"))
  }

  // MARK: - Open connections

  private func quick(_ server: TestMailServer) throws -> SMTPTransport {
    SMTPTransport(
      to: try SMTPServer("smtp://127.0.0.1:\(server.port)"), wholeLimit: .seconds(15),
      idleTimeout: .milliseconds(200))
  }

  private func waitForGoodbyes(_ expected: [Int], at server: TestMailServer) {
    let end = ContinuousClock.now + .seconds(20)
    while server.goodbyes != expected, ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(server.goodbyes == expected)
  }

  @Test(arguments: [("starttls", "smtp", "?tls=required"), ("none", "smtp", "")])
  func `mails in quick succession share a connection`(
    tls: String, scheme: String, query: String
  ) throws {
    let server = try TestMailServer(.init { $0.tls = tls })
    let transport = try transport(to: server, scheme: scheme, query: query)
    for number in 1...3 {
      try transport.send(TestMail.message(to: "person\(number)@example.net"))
      let mail = try server.next()
      #expect(mail.connection == 1)
      #expect(mail.encrypted == (tls != "none"))
      #expect(mail.recipients == ["person\(number)@example.net"])
    }
  }

  @Test func `an unused connection ends with a goodbye, and the next mail opens another`() throws {
    let server = try TestMailServer()
    let transport = try quick(server)
    try transport.send(TestMail.message())
    waitForGoodbyes([1], at: server)
    try transport.send(TestMail.message())
    #expect(try (1...2).map { _ in try server.next().connection } == [1, 2])
    waitForGoodbyes([1, 2], at: server)
  }

  @Test func `a connection ends after a hundred mails`() throws {
    let server = try TestMailServer()
    let transport = try quick(server)
    for _ in 1...101 { try transport.send(TestMail.message()) }
    let connections = try (1...101).map { _ in try server.next().connection }
    #expect(connections == Array(repeating: 1, count: 100) + [2])
    waitForGoodbyes([1, 2], at: server)
  }

  @Test func `a mail is sent over a new connection if the server was started again meanwhile`()
    throws
  {
    let server = try TestMailServer()
    let transport = try transport(to: server)
    try transport.send(TestMail.message())
    server.stop()
    let again = try TestMailServer(.init { $0.port = server.port })
    try transport.send(TestMail.message())
    #expect(try again.next().recipients == ["ana@example.net"])
  }

  @Test(arguments: ["421 too many mails", "452 too many mails", "close"])
  func `a server that takes no more mails on a connection gets the next on another`(
    answer: String
  ) throws {
    let server = try TestMailServer(
      .init { ($0.answers, $0.after, $0.times) = (["MAIL": answer], 1, 1) })
    let transport = try transport(to: server)
    for _ in 1...2 { try transport.send(TestMail.message()) }
    #expect(try (1...2).map { _ in try server.next().connection } == [1, 2])
  }

  @Test func `a refused recipient is not tried again on another connection`() throws {
    let server = try TestMailServer(
      .init { ($0.answers, $0.after, $0.times) = (["RCPT": "550"], 1, 1) })
    let transport = try transport(to: server)
    #expect(try failure(transport) == nil)
    #expect(try failure(transport)?.fault == .undelivered)
    #expect(try failure(transport) == nil)
  }

  @Test func `a server that does not answer the goodbye delays no mail`() throws {
    let server = try TestMailServer(.init { $0.answers = ["NOOP": "silence"] })
    let transport = try quick(server)
    try transport.send(TestMail.message())
    Thread.sleep(forTimeInterval: 0.5)
    let start = ContinuousClock.now
    try transport.send(TestMail.message())
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(try (1...2).map { _ in try server.next().connection } == [1, 2])
  }

  @Test func `mails on several threads all arrive`() throws {
    let server = try TestMailServer()
    let transport = try transport(to: server)
    let failures = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      do {
        try transport.send(TestMail.message(to: "person\(number)@example.net"))
      } catch { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
    let recipients = try (0..<8).flatMap { _ in try server.next().recipients }
    #expect(Set(recipients).count == 8)
  }
}
