@testable import App
import JSON
import Mail
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The mails and the feed of a watch.
@Suite struct WatchMailTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func add(_ count: Int = 1, _ name: String = "Gate") throws {
    for _ in 0..<count { try app.device(name: name, longitude: 6.5, latitude: 46.5) }
  }

  /// Compares, and lets the moment pass in which a burst is gathered.
  private func work() throws {
    try app.app.watches.finish()
    app.clock.advance(by: .seconds(2))
    try app.app.watches.finish()
  }

  private func sent() throws -> [MailMessage] {
    let transport = TestTransport()
    try app.sendMail(transport)
    return transport.messages
  }

  @Test func `a burst is one mail, and the next comes five minutes later`() throws {
    try app.watch(["mail": "at_once"], of: ana)
    try add(30)
    try work()
    #expect(try app.mails.count == 1)
    #expect(try app.lastMail.arguments["list"]?.stringValue?.split(separator: "•").count == 30)
    try add()
    try work()
    app.clock.advance(by: .seconds(290))
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
    app.clock.advance(by: .seconds(10))
    try app.app.watches.finish()
    #expect(try app.mails.count == 2)
    try work()
    #expect(try app.mails.count == 2)
  }

  @Test func `a mail names the watch, and has no position`() throws {
    try app.watch(["mail": "at_once", "label": "Minha rua"], of: ana)
    let device = try app.device(name: "Gate", longitude: 6.543_21, latitude: 46.567_89)
    try work()
    let mail = try #require(try sent().first)
    #expect(mail.to.text == ana.email)
    #expect(mail.subject.contains("Minha rua"))
    for text in [mail.text, mail.html] {
      #expect(text.contains("Gate"))
      #expect(text.contains("\(TestApp.address)/devices/\(device.id)"))
      #expect(!text.contains("6.54") && !text.contains("46.56") && !text.contains("{"))
    }
  }

  @Test func `a mail can be ended with one request without signing in`() throws {
    try app.watch(["mail": "at_once"], of: ana)
    try add()
    try work()
    let mail = try #require(try sent().first)
    let list = try #require(mail.list)
    #expect(mail.text.contains(list.unsubscribe))
    let head = String(decoding: mail.mime(), as: UTF8.self)
    #expect(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
    #expect(head.contains("List-Unsubscribe: <\(list.unsubscribe)>\r\n"))
    #expect(head.contains("List-Id: <\(list.id)>\r\n"))
    #expect(head.contains("Auto-Submitted: auto-generated\r\n"))
    // A mail scanner that only opens the address ends nothing.
    #expect(app.follow(list.unsubscribe).status == .seeOther)
    #expect(try app.text("SELECT mail FROM watch") == "at_once")
    let target = String(list.unsubscribe.dropFirst(TestApp.address.count))
    let ended = app.send(
      .post, target: target, headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array("List-Unsubscribe=One-Click".utf8))
    #expect(ended.status == .noContent, "\(ended.text)")
    #expect(try app.text("SELECT mail FROM watch") == "none")
    let forged = app.send(
      .post, target: target + "x", headers: ["Content-Type": "application/x-www-form-urlencoded"])
    #expect(forged.status == .notFound)
    app.clock.advance(by: .seconds(600))
    try add()
    try work()
    #expect(try app.mails.isEmpty)
  }

  @Test(arguments: [
    ("daily", "UTC", "2026-11-22T08:00:00Z"), ("daily", "America/New_York", "2026-11-21T13:00:00Z"),
    ("weekly", "Europe/Lisbon", "2026-11-23T08:00:00Z"),
  ])
  func `a digest is sent at the local hour`(mail: String, zone: String, due: String) throws {
    // It is Saturday, 2026-11-21, 12:00 UTC.
    try app.watch(
      ["mail": .string(mail), "hour": 8, "weekday": 1, "time_zone": .string(zone)], of: ana)
    try add(2)
    try app.app.watches.finish()
    #expect(try app.text("SELECT mail_due_at FROM watch") == due)
    try add()
    try app.app.watches.finish()
    #expect(try app.mails.isEmpty)
    app.clock.set(due)
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
    #expect(try app.lastMail.arguments["list"]?.stringValue?.split(separator: "•").count == 3)
  }

  @Test func `an hour that the clocks skip is the next that exists`() throws {
    // In Lisbon clocks go from 01:00 to 02:00 on 2027-03-28.
    let now = try #require(Timestamp(text: "2027-03-27T12:00:00Z"))
    let time = MailTime(mail: .daily, hour: 1, weekday: 1, timeZone: "Europe/Lisbon")
    #expect(time.nextDigest(after: now)?.text == "2027-03-28T01:00:00Z")
  }

  @Test func `a long list ends with the number of the rest`() throws {
    try app.watch(["mail": "at_once"], of: ana)
    try add(WatchMails.maxListed + 7)
    try work()
    #expect(
      try app.lastMail.arguments["list"]?.stringValue?.hasSuffix("And 7 more changes.") == true)
  }

  @Test(arguments: [0, 1])
  func `changes beyond two hundred are not counted, and not told later`(further: Int) throws {
    try app.watch(["mail": "at_once"], of: ana)
    try add(WatchMails.maxCounted + further)
    try work()
    let rest = WatchMails.maxCounted - WatchMails.maxListed
    let ending = further > 0 ? "And more than \(rest) more changes." : "And \(rest) more changes."
    #expect(try app.lastMail.arguments["list"]?.stringValue?.hasSuffix(ending) == true)
    app.clock.advance(by: .seconds(600))
    try work()
    #expect(try app.mails.count == 1)
  }

  @Test func `an address that refuses mail gets no more, until a test`() throws {
    let made = try app.watch(["mail": "at_once"], of: ana)
    try add()
    try work()
    let transport = TestTransport()
    transport.fail(MailFailure("refused (550)", isPermanent: true, fault: .noMailbox))
    try app.sendMail(transport)
    #expect(transport.messages.count == 1)
    #expect(try app.get(TestApp.watches, as: ana.identity).json["mail_refused_at"] != .null)
    app.clock.advance(by: .seconds(600))
    try add()
    try work()
    #expect(try app.mails.isEmpty)
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")/test"
    #expect(app.send(.post, path, as: ana.identity).status == .accepted)
    #expect(try app.lastMail.template == "watch_test")
    #expect(try app.get(TestApp.watches, as: ana.identity).json["mail_refused_at"] == .null)
    #expect(try sent().count == 1)
  }

  @Test func `a refusal of the content does not block the address`() throws {
    try app.watch(["mail": "at_once"], of: ana)
    try add()
    try work()
    let transport = TestTransport()
    transport.fail(MailFailure("refused (554)", isPermanent: true, fault: .content))
    try app.sendMail(transport)
    #expect(try app.count("mail_refusal") == 0)
  }

  @Test func `the list of deliveries says what was sent`() throws {
    let made = try app.watch(["mail": "at_once"], of: ana)
    try add(3)
    try work()
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")/deliveries"
    let list = try app.get(path, as: ana.identity).json["deliveries"]?.arrayValue ?? []
    #expect(list.count == 1)
    #expect(list.first?["channel"]?.stringValue == "mail")
    #expect(list.first?["changes"]?.intValue == 3)
    #expect(list.first?["outcome"]?.stringValue == "sent")
  }

  @Test func `tests are limited`() throws {
    let made = try app.watch(["mail": "at_once"], of: ana)
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")/test"
    for _ in 0..<10 {
      #expect(app.send(.post, path, as: ana.identity).status == .accepted)
    }
    #expect(app.send(.post, path, as: ana.identity).status == .tooManyRequests)
  }

  @Test func `the feed has what the watch found, without positions`() throws {
    let made = try app.watch(["feed": true, "label": "Minha rua"], of: ana)
    try app.device(name: "Gate", longitude: 6.543_21, latitude: 46.567_89)
    _ = try app.reported()
    let atom = app.follow(try #require(made["feed"]?["atom"]?.stringValue))
    #expect(atom.headers["Content-Type"]?.hasPrefix("application/atom+xml") == true)
    #expect(atom.headers["Cache-Control"] == "private, no-store")
    #expect(atom.text.contains("Minha rua") && atom.text.contains("New: Gate"))
    let json = app.follow(try #require(made["feed"]?["json"]?.stringValue))
    #expect(try json.json["items"]?[0]?["title"]?.stringValue?.contains("Gate") == true)
    for text in [atom.text, json.text] {
      #expect(!text.contains("6.54") && !text.contains("46.56"))
    }
  }
}
