@testable import Accounts
@testable import App
import Foundation
import JSON
import Mail
import Metrics
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import TestMailServer
import Testing
@testable import Watching
import WebServer

/// Reports about mails that failed after they were sent, in a real mailbox.
@Suite struct BounceTests {
  let app: TestApp
  let ana: TestAccount
  let server: TestMailbox
  let tokens: BounceTokens

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    server = try TestMailbox()
    tokens = try app.app.bounceTokens(BounceAddress("bounces+*@farol.example"))
  }

  /// Sends every waiting mail. Returns the envelope senders.
  @discardableResult
  private func send(_ failure: MailFailure? = nil) throws -> [String] {
    let transport = TestTransport()
    transport.fail(failure)
    try app.sendMail(transport, bounces: tokens)
    return transport.messages.map(\.envelopeSender.text)
  }

  /// The envelope sender of a new mail to an account.
  private func sender(to account: TestAccount) throws -> String {
    try app.add(.example(.moderationDecided, to: account))
    return try #require(try send().last)
  }

  /// Delivers a report to an address, and reads the mailbox.
  private func report(
    _ status: String = "Final-Recipient: rfc822; ana@example.org\nAction: failed\nStatus: 5.1.1",
    to address: String
  ) throws {
    try server.add(TestReport.text(status: status, to: address))
    try read()
  }

  private func read() throws {
    let limits = POP3Mailbox.Limits { $0.command = .seconds(15) }
    let mailbox = POP3Mailbox(at: try POP3Server(server.url), limits: limits)
    try app.app.bounceReader(tokens, of: mailbox).read("{}")
    #expect(server.count == 0)
  }

  private func refused() throws -> [String] {
    try app.database.read {
      try $0.rows("SELECT address FROM mail_refusal ORDER BY account_rowid") { $0.text(0) }
    }
  }

  // MARK: - Envelope senders

  @Test func `each mail has an envelope sender of its own, and keeps it`() throws {
    let eva = try app.account("eva")
    try app.add(.example(.moderationDecided, to: ana))
    let first = Set(try send(MailFailure("later")))
    #expect(first.count == 1)
    #expect(Set(try send()) == first)
    app.clock.advance(by: .seconds(1))
    try app.add(.example(.moderationDecided, to: ana))
    try app.add(.example(.moderationDecided, to: eva))
    try app.add(.example(.reportReceived))
    let senders = first.union(try send())
    #expect(senders.count == 4)
    #expect(
      senders.allSatisfy { $0.hasPrefix("bounces+") && $0.hasSuffix("@farol.example") })
  }

  @Test func `the envelope has the token and the mail the sender`() throws {
    let post = try TestMailServer()
    try app.add(.example(.moderationDecided, to: ana))
    try app.sendMail(post.transport(), bounces: tokens)
    let mail = try post.next()
    #expect(mail.sender.hasPrefix("bounces+"))
    #expect(mail.headers["From"] == "Farol <farol@farol.example>")
    #expect(mail.defects.isEmpty)
  }

  // MARK: - Reports

  @Test func `an address that bounces gets no more mails of watches, until a test`() throws {
    let made = try app.watch(["mail": "at_once"], of: ana)
    func change() throws {
      try app.device(name: "Gate", longitude: 6.5, latitude: 46.5)
      try app.app.watches.finish()
      app.clock.advance(by: .seconds(600))
      try app.app.watches.finish()
    }
    try change()
    let sender = try #require(try send().first)
    try report(to: sender)
    #expect(try refused() == ["ana@example.org"])
    #expect(app.app.monitoring.mail.value(.bounced) == 1)
    #expect(try app.get(TestApp.watches, as: ana.identity).json["mail_refused_at"] != .null)
    try change()
    #expect(try send().isEmpty)

    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")/test"
    #expect(app.send(.post, path, as: ana.identity).status == .accepted)
    #expect(try send().count == 1)
    #expect(try refused().isEmpty)
  }

  @Test func `a mail that waits is not sent after a bounce`() throws {
    try app.watch(["mail": "at_once"], of: ana)
    let sender = try sender(to: ana)
    try app.device(name: "Gate", longitude: 6.5, latitude: 46.5)
    try app.app.watches.finish()
    app.clock.advance(by: .seconds(600))
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
    try report(to: sender)
    #expect(try send().isEmpty)
  }

  @Test func `other mails of the account are sent as before`() throws {
    try report(to: try sender(to: ana))
    #expect(try refused() == ["ana@example.org"])
    #expect(try sender(to: ana).hasPrefix("bounces+"))
  }

  @Test(arguments: [
    "Final-Recipient: rfc822; ana@example.org\nAction: delayed\nStatus: 4.4.1",
    "Final-Recipient: rfc822; ana@example.org\nAction: failed\nStatus: 4.4.7",
    "Final-Recipient: rfc822; ana@example.org\nAction: delivered\nStatus: 2.0.0",
  ])
  func `a report of something else is deleted and has no effect`(status: String) throws {
    try report(status, to: try sender(to: ana))
    #expect(try refused().isEmpty)
  }

  private func failed(_ status: String) -> String {
    "Final-Recipient: rfc822; ana@example.org\nAction: failed\nStatus: \(status)"
  }

  @Test func `a server that blocks the instance concerns the operator alone`() throws {
    for _ in 1...MailRefusals.days + 1 {
      try report(failed("5.7.1"), to: try sender(to: ana))
      app.clock.advance(by: .seconds(86_400))
    }
    #expect(try refused().isEmpty)
    #expect(try app.count("mail_failure") == 0)
    #expect(app.app.monitoring.mail.value(.blocked) == UInt64(MailRefusals.days) + 1)
    #expect(app.app.monitoring.mail.value(.bounced) == 0)
    // Only reports about mails of this instance count.
    try report(failed("5.7.1"), to: "bounces+x@farol.example")
    #expect(app.app.monitoring.mail.value(.blocked) == UInt64(MailRefusals.days) + 1)
  }

  @Test(arguments: ["5.2.2", "5.0.0", "5.4.4"])
  func `failures that may pass end the mails of watches on the fifth day`(status: String) throws {
    for day in 1...MailRefusals.days {
      #expect(try refused().isEmpty, "day \(day)")
      // Several on one day count once.
      for _ in 1...3 { try report(failed(status), to: try sender(to: ana)) }
      app.clock.advance(by: .seconds(86_400))
    }
    #expect(try refused() == ["ana@example.org"])
    #expect(try app.count("mail_failure") == 0)
  }

  @Test(arguments: [(Int64(7), true), (8, false)])
  func `failures count within a week of each other`(days: Int64, counts: Bool) throws {
    for _ in 1...MailRefusals.days {
      try report(failed("5.2.2"), to: try sender(to: ana))
      app.clock.advance(by: .seconds(days * 86_400))
    }
    #expect(try refused().isEmpty != counts)
  }

  @Test func `failures are forgotten after a week`() throws {
    try report(failed("5.2.2"), to: try sender(to: ana))
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.works[AccountSweep.job]?("{}")
    #expect(try app.count("mail_failure") == 1)
    app.clock.advance(by: .seconds(86_400))
    try app.app.works[AccountSweep.job]?("{}")
    #expect(try app.count("mail_failure") == 0)
  }

  @Test func `failures of an earlier address do not count for another`() throws {
    for _ in 1..<MailRefusals.days {
      try report(failed("5.2.2"), to: try sender(to: ana))
      app.clock.advance(by: .seconds(86_400))
    }
    try app.database.write {
      try $0.execute(
        "UPDATE account SET email = 'ana@example.net', email_key = 'ana@example.net' WHERE rowid = ?",
        [.integer(ana.rowid)])
    }
    var mail = OutgoingMail.example(.moderationDecided, to: ana)
    mail.to = "ana@example.net"
    try app.add(mail)
    try report(failed("5.2.2"), to: try #require(try send().last))
    #expect(try refused().isEmpty)
    #expect(try app.integer("SELECT days FROM mail_failure") == 1)
  }

  @Test(arguments: [
    (DeliveryFault.noMailbox, 1, 0), (.undelivered, 0, 1), (.policy, 0, 0), (.content, 0, 0),
  ])
  func `a refusal while sending has the effect of a report`(
    fault: DeliveryFault, refusals: Int64, failures: Int64
  ) throws {
    try app.add(.example(.moderationDecided, to: ana))
    try send(MailFailure("refused", isPermanent: true, fault: fault))
    #expect(try app.count("mail_refusal") == refusals)
    #expect(try app.count("mail_failure") == failures)
    #expect(app.app.monitoring.mail.value(.blocked) == (fault == .policy ? 1 : 0))
    #expect(app.app.monitoring.mail.value(.refused) == (fault == .policy ? 0 : 1))
  }

  @Test func `an account that has not confirmed its address learns nothing about it`() throws {
    let eva = try app.account("eva", isConfirmed: false)
    try report(to: try sender(to: eva))
    #expect(try refused().isEmpty)
    #expect(try app.get(TestApp.watches, as: eva.identity).json["mail_refused_at"] == .null)
    try report(failed("5.7.1"), to: try sender(to: eva))
    #expect(app.app.monitoring.mail.value(.blocked) == 1)
  }

  @Test func `a refused mail to another address does not end the mails to the present one`() throws
  {
    var mail = OutgoingMail.example(.changeEmail, to: ana)
    mail.to = "new@example.net"
    try app.add(mail)
    try send(MailFailure("refused", isPermanent: true, fault: .noMailbox))
    #expect(try refused().isEmpty)
  }

  @Test func `a report twice has the effect of one`() throws {
    let sender = try sender(to: ana)
    try report(to: sender)
    try report(to: sender.uppercased())
    #expect(try refused() == ["ana@example.org"])
  }

  // MARK: - Forgery

  @Test func `a report concerns the account of its token, whomever it names`() throws {
    let eva = try app.account("eva")
    try report(to: try sender(to: eva))
    #expect(try refused() == ["eva@example.org"])
  }

  @Test func `a token that this instance did not make has no effect`() throws {
    let sender = try sender(to: ana)
    let other = try TestApp()
    _ = try other.account("ana")
    let foreign = try other.app.bounceTokens(BounceAddress("bounces+*@farol.example"))
    let address = try EmailAddress("ana@example.org")
    let forged = try #require(foreign.address(for: address, of: ana.rowid, at: app.clock.now))
    let middle = sender.index(sender.startIndex, offsetBy: 20)
    let changed = sender[middle] == "a" ? "b" : "a"
    let almost = sender.replacingCharacters(in: middle...middle, with: changed)
    for address in [forged.text, almost, "bounces@farol.example", "bounces+@farol.example"] {
      try report(to: address)
    }
    #expect(try refused().isEmpty)
    try report(to: sender)
    #expect(try refused() == ["ana@example.org"])
  }

  @Test(arguments: [(BounceTokens.lifetime, true), (BounceTokens.lifetime + 1, false)])
  func `a token ends after fourteen days`(seconds: Int64, counts: Bool) throws {
    let sender = try sender(to: ana)
    app.clock.advance(by: .seconds(seconds))
    try report(to: sender)
    #expect(try refused().isEmpty != counts)
  }

  @Test(arguments: [(Int64(3_600), true), (3_601, false)])
  func `a token from the future counts within an hour`(seconds: Int64, counts: Bool) throws {
    let address = try EmailAddress("ana@example.org")
    let time = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + seconds)
    try report(to: try #require(tokens.address(for: address, of: ana.rowid, at: time)).text)
    #expect(try refused().isEmpty != counts)
  }

  @Test func `a mail to an earlier address of the account has no effect`() throws {
    let sender = try sender(to: ana)
    try app.database.write {
      try $0.execute(
        "UPDATE account SET email = 'ana@example.net', email_key = 'ana@example.net' WHERE rowid = ?",
        [.integer(ana.rowid)])
    }
    try report(to: sender)
    #expect(try refused().isEmpty)
  }

  @Test func `a mail without an account, or to a deleted one, has no effect`() throws {
    try app.add(.example(.reportReceived))
    let nobody = try #require(try send().last)
    let sender = try sender(to: ana)
    try app.database.write {
      try $0.execute("DELETE FROM account WHERE rowid = ?", [.integer(ana.rowid)])
    }
    try report(to: nobody)
    try report(to: sender)
    #expect(try refused().isEmpty)
  }

  // MARK: - Hostile mails

  @Test func `hostile mails are deleted, and a report behind them counts`() throws {
    let sender = try sender(to: ana)
    let layer = "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
    try server.add("\n")
    try server.add([UInt8](repeating: 0, count: 100_000))
    try server.add((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919) })
    try server.add(String(repeating: layer, count: 5_000))
    try server.add(TestReport.text(to: sender, original: String(repeating: layer, count: 500)))
    try server.add(TestReport.text(to: sender, original: String(repeating: "x\n", count: 1 << 20)))
    try server.add(TestReport.text(to: sender, part: "text/plain"))
    try server.add("To: \(sender)\nSubject: Out of office\n\nBack on Monday.\n")
    try read()
    #expect(try refused().isEmpty)
    try report(to: sender)
    #expect(try refused() == ["ana@example.org"])
    #expect(app.log.lines.isEmpty)
  }

  @Test func `the error of a round has no address, no token and no password`() throws {
    let sender = try sender(to: ana)
    try server.add(TestReport.text(to: sender))
    let mailbox = POP3Mailbox(
      at: try POP3Server(server.url.replacing("secret", with: "hush")))
    let reader = app.app.bounceReader(tokens, of: mailbox)
    let failure = #expect(throws: MailFailure.self) { try reader.read("{}") }
    #expect(failure?.description == "the mailbox's server refused the login")
    #expect(server.count == 1)
  }

  @Test func `without a mailbox a job from before ends`() throws {
    try app.database.write {
      try JobRunner.schedule(BounceReader.job, key: BounceReader.job, due: app.clock.now, $0)
    }
    let runner = try app.runner(TestTransport(), works: app.app.bounceWorks(nil, nil))
    while try runner.runOne() {}
    #expect(try app.integer("SELECT count(*) FROM job WHERE kind = 'bounces'") == 0)
    #expect(app.log.lines.isEmpty)
  }
}
