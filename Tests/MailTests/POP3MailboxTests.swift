import Locking
import Mail
import TestMailServer
import Testing

/// Reading a mailbox of a real POP3 server.
@Suite struct POP3MailboxTests {
  private func mailbox(
    of server: TestMailbox, login: String? = nil, trusts: Bool = true,
    limits: POP3Mailbox.Limits = .init { $0.command = .seconds(15) }
  ) throws -> POP3Mailbox {
    let url = login.map { server.url.replacing("bounces:secret", with: $0) } ?? server.url
    return POP3Mailbox(
      at: try POP3Server(url),
      authorities: trusts && !server.certificate.isEmpty ? server.certificate : nil,
      limits: limits)
  }

  /// The mails that a round passes on, as texts.
  private func read(_ mailbox: POP3Mailbox) throws -> [String] {
    var mails: [String] = []
    try mailbox.empty { mails.append(String(decoding: $0, as: UTF8.self)) }
    return mails
  }

  /// The reason why a round failed; nil on success.
  private func failure(_ mailbox: POP3Mailbox) throws -> String? {
    do { _ = try read(mailbox) } catch let failure as MailFailure { return failure.reason }
    return nil
  }

  @Test(arguments: [false, true])
  func `mails are read in order and deleted`(isEncrypted: Bool) throws {
    let server = try TestMailbox(.init { $0.isEncrypted = isEncrypted })
    try server.add("Subject: one\n\n.one\n..\n")
    try server.add("Subject: two\n\ntwo\n")
    let mails = try read(mailbox(of: server))
    #expect(mails == ["Subject: one\r\n\r\n.one\r\n..\r\n", "Subject: two\r\n\r\ntwo\r\n"])
    #expect(server.count == 0)
    #expect(server.commands.last == "QUIT")
  }

  @Test func `an empty mailbox is no error`() throws {
    let server = try TestMailbox()
    #expect(try read(mailbox(of: server)).isEmpty)
  }

  @Test func `a round has one session, and reads no more mails than the limit`() throws {
    let server = try TestMailbox()
    for number in 1...4 { try server.add("Subject: \(number)\n\n") }
    let limited = try mailbox(of: server, limits: .init { $0.mails = 3 })
    #expect(try read(limited).count == 3)
    #expect(server.count == 1)
    #expect(server.commands.count { $0 == "LIST" } == 1)
    #expect(try read(limited) == ["Subject: 4\r\n\r\n"])
  }

  @Test(arguments: [(998, true), (999, false), (1_000, false)])
  func `a mail above the limit is deleted and not passed on`(count: Int, isRead: Bool) throws {
    let server = try TestMailbox()
    // The server announces the size of the file, and sends a byte more for the end of the line.
    try server.add(String(repeating: "a", count: count) + "\n")
    try server.add("Subject: next\n\n")
    let mails = try read(mailbox(of: server, limits: .init { $0.bytes = 1_000 }))
    #expect(mails.count == (isRead ? 2 : 1))
    #expect(mails.last == "Subject: next\r\n\r\n")
    #expect(server.count == 0)
    // One that is announced as too long is not even transferred.
    #expect(server.commands.count { $0 == "RETR" } == (count < 1_000 ? 2 : 1))
  }

  @Test func `a mail that could not be handled stays, and those before it are deleted`() throws {
    struct Fault: Error {}
    let server = try TestMailbox()
    for number in 1...3 { try server.add("Subject: \(number)\n\n") }
    let box = try mailbox(of: server)
    #expect(throws: Fault.self) {
      try box.empty { if String(decoding: $0, as: UTF8.self).contains("2") { throw Fault() } }
    }
    #expect(try read(box) == ["Subject: 2\r\n\r\n", "Subject: 3\r\n\r\n"])
  }

  @Test(arguments: ["RETR", "DELE", "NOOP"])
  func `nothing is lost when the connection breaks`(command: String) throws {
    let server = try TestMailbox(.init { $0.breaks = (command, command == "NOOP" ? 0 : 1) })
    for number in 1...2 { try server.add("Subject: \(number)\n\n") }
    #expect(try failure(mailbox(of: server)) != nil)
    #expect(server.count == 2)
    #expect(!server.commands.contains("QUIT"))
  }

  @Test func `a wrong password is reported without it`() throws {
    let server = try TestMailbox()
    let reason = try failure(mailbox(of: server, login: "bounces:hush"))
    #expect(reason == "the mailbox's server refused the login")
  }

  @Test func `an untrusted certificate stops before the login`() throws {
    let server = try TestMailbox(.init { $0.isEncrypted = true })
    let reason = try failure(mailbox(of: server, trusts: false))
    #expect(reason == "the certificate of the mailbox's server is not trusted")
    #expect(server.commands.isEmpty)
  }

  @Test func `a certificate for another name stops before the login`() throws {
    let server = try TestMailbox(
      .init { ($0.isEncrypted, $0.certificateName) = (true, "DNS:other.example") })
    #expect(
      try failure(mailbox(of: server)) == "the certificate of the mailbox's server is not trusted")
    #expect(server.commands.isEmpty)
  }

  @Test func `a server that says nothing is left after the time limit`() throws {
    let server = try TestMailbox(.init { $0.isSilent = true })
    let start = ContinuousClock.now
    let limits = POP3Mailbox.Limits { $0.connecting = .seconds(1) }
    #expect(
      try failure(mailbox(of: server, limits: limits)) == "the mailbox's server took too long")
    #expect(start.duration(to: .now) < .seconds(8))
  }

  @Test func `a stop ends a round that waits`() throws {
    let server = try TestMailbox(.init { $0.isSilent = true })
    let box = try mailbox(of: server, limits: .init { $0.connecting = .seconds(60) })
    box.stop()
    let start = ContinuousClock.now
    #expect(try failure(box) == "Farol is stopping")
    #expect(start.duration(to: .now) < .seconds(8))
  }

  @Test func `a server that is not there is named as the reason`() throws {
    let server = try TestMailbox()
    let box = try mailbox(of: server)
    server.stop()
    #expect(try failure(box) == "the mailbox's server cannot be reached")
  }
}
