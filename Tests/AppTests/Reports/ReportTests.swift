import JSON
@testable import Moderation
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct ReportTests {
  let app: TestApp
  let device: TestDevice

  init() throws {
    app = try TestApp()
    device = try app.device(name: "A stranger's words")
  }

  @discardableResult
  private func report(
    _ id: String? = nil, reason: String = "personal_data", note: JSONValue = "That is my house.",
    email: JSONValue = nil, locale: JSONValue = nil, from address: String = "192.0.2.1",
    headers: Headers = [:]
  ) -> TestAnswer {
    app.send(
      .post, "/api/reports", headers: headers,
      json: [
        "target": ["type": "device", "id": .string(id ?? device.id)],
        "reason": .string(reason), "note": note, "email": email, "locale": locale,
      ], from: address)
  }

  @Test func `a report needs no account and is confirmed in the response`() throws {
    let answer = report(email: "jo@example.org", locale: "pt")

    #expect(answer.status == .accepted)
    #expect(answer.bytes.isEmpty)
    #expect(try app.text("SELECT kind FROM flag") == "report")
    #expect(try app.text("SELECT email FROM flag") == "jo@example.org")
    #expect(try app.text("SELECT locale FROM flag") == "pt")
    let mail = try #require(try app.mails.first)
    #expect(mail.address == "jo@example.org" && mail.template == "report_received")
    #expect(mail.link == "/devices/\(device.id)")
  }

  @Test func `a mail to an unverified address contains no user input`() throws {
    report(note: "Buy at evil.example", email: "jo@example.org")
    #expect(try app.mails.map(\.arguments) == [[:]])
  }

  @Test func `without an address there is no mail, and the language is the browser's`() throws {
    #expect(report(headers: ["Accept-Language": "pt-PT"]).status == .accepted)
    #expect(try app.mails.isEmpty)
    #expect(try app.text("SELECT locale FROM flag") == "pt")
  }

  @Test func `a report needs a text`() throws {
    #expect(report(note: nil).status == .badRequest)
    #expect(report(note: "").status == .unprocessableContent)
    #expect(report(note: "   ").status == .unprocessableContent)
    #expect(report(email: "no address").status == .unprocessableContent)
    #expect(report(locale: "xx").status == .unprocessableContent)
    #expect(try app.integer("SELECT count(*) FROM flag") == 0)
  }

  @Test func `hidden and unknown items cannot be reported`() throws {
    #expect(report("01890a5d-ac96-774b-bcce-b302099a8057").status == .notFound)
    try app.hide(device)
    #expect(report().status == .notFound)
  }

  @Test func `a network may send five reports an hour, whatever its addresses`() throws {
    for place in 0..<5 {
      #expect(report(reason: "gone", from: "2001:db8::\(place)").status == .accepted)
    }
    let refused = report(reason: "gone", from: "2001:db8::99")
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
    #expect(report(reason: "gone", from: "2001:db8:0:1::1").status == .accepted)
    app.clock.advance(by: .seconds(3_600))
    #expect(report(reason: "gone", from: "2001:db8::99").status == .accepted)
  }

  @Test(arguments: ["personal_data", "offensive"])
  func `a serious report is accepted from a network above its limit`(
    reason: String
  ) throws {
    for _ in 0..<6 { report(reason: "gone") }
    #expect(report(reason: "spam").status == .tooManyRequests)
    for _ in 0..<ReportRoutes.hourlyLimitOfSerious {
      #expect(report(reason: reason).status == .accepted)
    }
    let refused = report(reason: reason)
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
  }

  @Test func `reports of others never block a reporter, however many`() throws {
    for network in 0..<200 {
      let answer = report(
        reason: "gone", note: .string("Away \(network)"), from: "198.18.\(network).1")
      #expect(answer.status == .accepted)
    }
    #expect(report(reason: "gone", note: "Mine", from: "203.0.113.1").status == .accepted)
    let mine = report(note: "My face", email: "jo@example.org", from: "203.0.113.1")
    #expect(mine.status == .accepted)
    #expect(
      try app.text("SELECT note FROM flag WHERE reason = 'personal_data'") == "My face")
    #expect(try app.mails.map(\.address) == ["jo@example.org"])
  }

  @Test func `equal reports are counted, others are stored`() throws {
    report(note: "My house", from: "192.0.2.1")
    report(note: "My house", from: "192.0.2.2")
    report(note: "My house", email: "jo@example.org", from: "192.0.2.3")
    report(note: "My house", email: "jo@example.org", from: "192.0.2.4")
    report(note: "My garden", from: "192.0.2.5")
    report(reason: "offensive", note: "My house", from: "192.0.2.6")
    let kept = try app.database.read { connection in
      try connection.rows(
        "SELECT reason || ' ' || note || ' ' || coalesce(email, '-') || ' ' || times FROM flag "
          + "ORDER BY rowid"
      ) { $0.text(0) }
    }
    #expect(
      kept == [
        "personal_data My house - 2", "personal_data My house jo@example.org 2",
        "personal_data My garden - 1", "offensive My house - 1",
      ])
  }

  @Test func `an equal report is counted with the one that gets a response`() throws {
    report(note: "My house", email: "jo@example.org", from: "192.0.2.1")
    report(note: "My house", from: "192.0.2.2")
    #expect(try app.integer("SELECT times FROM flag") == 2)
    let moderator = try app.account("mod", role: .moderator)
    app.act("dismiss", "device", device.id, as: moderator.identity)
    // A decided report does not cover later ones.
    report(note: "My house", from: "192.0.2.3")
    #expect(try app.integer("SELECT count(*) FROM flag") == 2)
  }

  @Test func `ten thousand reports about one item are one item with their texts`()
    throws
  {
    let store = FlagStore(environment: app.environment)
    try app.database.write { connection in
      let subject = try Subject(
        Target(kind: .device, id: device.id), for: .nobody, connection)
      for number in 0..<10_000 {
        let words = FlagStore.Words(
          reason: number.isMultiple(of: 2) ? .gone : .spam, note: "Words \(number)")
        _ = try store.report(subject, words, email: nil, locale: "en", connection)
      }
    }
    report(note: "My face", email: "jo@example.org")
    let moderator = try app.account("mod", role: .moderator)

    let queue = try app.queue(as: moderator.identity)

    #expect(queue.count == 1)
    let item = try #require(queue.first)
    #expect(item["count"]?.intValue == 10_001)
    #expect(item["severity"]?.stringValue == "high")
    let reasons = item["reasons"]?.arrayValue ?? []
    #expect(reasons.count == FlagStore.maxKept.others + 1)
    #expect(reasons.first?["note"]?.stringValue == "My face")
    #expect(reasons.compactMap { $0["times"]?.intValue }.reduce(0, +) == 10_001)
    #expect(
      try app.integer("SELECT count(*) FROM flag") == Int64(FlagStore.maxKept.others) + 1)
  }

  @Test func `a report that is only counted is promised no response`() throws {
    let store = FlagStore(environment: app.environment)
    try app.database.write { connection in
      let subject = try Subject(
        Target(kind: .device, id: device.id), for: .nobody, connection)
      for number in 0..<FlagStore.maxKept.others {
        let words = FlagStore.Words(reason: .gone, note: "Words \(number)")
        #expect(try store.report(subject, words, email: nil, locale: "en", connection))
      }
    }
    #expect(report(reason: "gone", email: "jo@example.org").status == .accepted)
    #expect(try app.mails.isEmpty)
    #expect(try app.integer("SELECT count(*) FROM flag WHERE email IS NOT NULL") == 0)
    // A reason that has not been given yet is stored with its text.
    #expect(report(reason: "duplicate", email: "jo@example.org").status == .accepted)
    #expect(try app.mails.count == 1)
  }

  @Test func `reports cannot flood another person's mailbox`() throws {
    for place in 0..<5 {
      let other = try app.device()
      report(other.id, email: "jo@example.org", from: "192.0.2.\(place)")
    }
    #expect(try app.integer("SELECT count(*) FROM flag") == 5)
    #expect(try app.mails.count == 3)
    report(email: "JO@example.org", from: "198.51.100.1")
    #expect(try app.mails.count == 3)
  }

  @Test func `an address is erased after ninety days of waiting`() throws {
    report(email: "jo@example.org")
    app.clock.advance(by: .seconds(90 * 86_400 - 1))
    let store = FlagStore(environment: app.environment)
    #expect(try app.database.write { try store.eraseOldAddresses($0) } == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try app.database.write { try store.eraseOldAddresses($0) } == 1)
    #expect(try app.text("SELECT email FROM flag") == nil)
  }
}
