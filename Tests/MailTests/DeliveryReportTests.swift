import Mail
import TestMailServer
import Testing

/// Reports about the delivery of mails (RFC 3464), also hostile ones.
@Suite struct DeliveryReportTests {
  private func read(_ text: String) -> DeliveryReport? { DeliveryReport(Array(text.utf8)) }

  @Test func `a final failure is one, and names the address of the report`() {
    let report = read(TestReport.text())
    #expect(report?.fault == .noMailbox)
    #expect(report?.recipients.count == 2)
    #expect(report?.recipients.allSatisfy { $0.contains("bounces+abc@example.org") } == true)
  }

  @Test func `lines may end in CRLF`() {
    #expect(read(TestReport.text().replacing("\n", with: "\r\n"))?.fault == .noMailbox)
  }

  @Test(
    arguments: [
      ("5.1.1", .noMailbox), ("5.1.6", .noMailbox), ("5.1.10 (no such user)", .noMailbox),
      ("5.0.0", .undelivered), ("5.1.0", .undelivered), ("5.1.2", .undelivered),
      ("5.2.1", .undelivered), ("5.2.2", .undelivered), ("5.4.4;x", .undelivered),
      ("5.5.0", .undelivered), ("5.999.999", .undelivered),
      ("5.7.1", .policy), ("5.7.26", .policy), ("5.1.8", .policy), ("4.7.1", .policy),
      ("5.6.1", .content), ("5.2.3", .content), ("5.3.4", .content),
    ] as [(String, DeliveryFault)])
  func `a permanent status has a reason`(status: String, fault: DeliveryFault) {
    let text = "FINAL-RECIPIENT: rfc822;a@b.example\nACTION: Failed\nstatus:\(status)"
    #expect(read(TestReport.text(status: text))?.fault == fault)
  }

  @Test func `of several reasons the one with the least effect on the person counts`() {
    func report(_ statuses: [String]) -> DeliveryFault? {
      let groups = statuses.map {
        "Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: \($0)"
      }
      return read(TestReport.text(status: groups.joined(separator: "\n\n")))?.fault
    }
    #expect(report(["5.1.1", "5.1.1"]) == .noMailbox)
    #expect(report(["5.1.1", "5.2.2"]) == .undelivered)
    #expect(report(["5.2.2", "5.7.1"]) == .policy)
    #expect(report(["5.1.1", "4.4.1"]) == .noMailbox)
  }

  @Test(arguments: [
    "4.2.2", "2.0.0", "5", "5.1", "5.1.1.1", "5..1", "5.1.1000", "55.1.1", "x", "",
    "5.1.-1",
  ])
  func `another status is none`(status: String) {
    let text = "Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: \(status)"
    let report = read(TestReport.text(status: text))
    #expect(report != nil)
    #expect(report?.fault == nil)
  }

  @Test(arguments: ["delayed", "delivered", "relayed", "expanded", "", "fail"])
  func `another action is none`(action: String) {
    let text = "Final-Recipient: rfc822; a@b.example\nAction: \(action)\nStatus: 5.1.1"
    #expect(read(TestReport.text(status: text))?.fault == nil)
  }

  @Test func `a mail that reached one of several addresses has not failed`() {
    let failed = "Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1"
    let reached = "Final-Recipient: rfc822; c@b.example\nAction: delivered\nStatus: 2.0.0"
    #expect(read(TestReport.text(status: "\(failed)\n\n\(reached)"))?.fault == nil)
    #expect(read(TestReport.text(status: "\(failed)\n\n\(failed)"))?.fault == .noMailbox)
  }

  @Test func `fields before the recipients, and of different recipients, are not combined`() {
    let apart = "Action: failed\n\nStatus: 5.1.1"
    #expect(read(TestReport.text(status: apart))?.fault == nil)
  }

  @Test func `a continued line and a repeated field do not change the first value`() {
    let text = """
      Final-Recipient: rfc822; a@b.example
      Action: delayed
       Action: failed
      Action: failed
      Status: 5.1.1
      """
    #expect(read(TestReport.text(status: text))?.fault == nil)
  }

  @Test func `an encoded status is decoded`() {
    let text = "RmluYWwtUmVjaXBpZW50OiByZmM4MjI7IGFAYgpBY3Rpb246IGZhaWxlZApTdGF0dXM6IDUuMS4xCg=="
    let part = "message/delivery-status\nContent-Transfer-Encoding: base64\n\n\(text)\n"
    let whole = TestReport.text(status: "", part: part)
      .replacing("Reporting-MTA: dns; mail.example.net\n", with: "")
      .replacing("Arrival-Date: Sat, 21 Nov 2026 12:00:00 +0000 (UTC)\n", with: "")
    #expect(read(whole)?.fault == .noMailbox)
  }

  @Test(arguments: [
    ("multipart/mixed", "report-type=delivery-status", "message/delivery-status"),
    ("multipart/report", "report-type=disposition-notification", "message/delivery-status"),
    ("multipart/report", "x=y", "message/delivery-status"),
    ("multipart/report", "report-type=delivery-status", "message/feedback-report"),
    ("multipart/report", "report-type=delivery-status", "text/plain"),
    ("text/plain", "report-type=delivery-status", "message/delivery-status"),
    ("message/rfc822", "report-type=delivery-status", "message/delivery-status"),
  ])
  func `another kind of mail is no report`(type: String, kind: String, part: String) {
    #expect(read(TestReport.text(type: type, kind: kind, part: part)) == nil)
  }

  @Test(arguments: [
    "", "\n", "\n\n", "To: bounces+abc@example.org\n\nI am on holiday.\n",
    "Content-Type: multipart/report",
    "Content-Type: multipart/report; report-type=delivery-status\n\n--\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n--b\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b--\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=\n\n--\n\n--\n",
  ])
  func `a mail without the parts of a report is none`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `a report inside another mail is none`() {
    let inner = TestReport.text()
    #expect(read("Content-Type: message/rfc822\n\n\(inner)") == nil)
    #expect(
      read(
        "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\n\(inner)\n--x--\n"
      )
        == nil)
  }

  @Test func `binary bytes are no report, and harm nothing`() {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<200_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    #expect(DeliveryReport(bytes) == nil)
    let head = Array(
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n".utf8)
    let status = Array("\n--b\n\n--b\nContent-Type: message/delivery-status\n\n".utf8)
    #expect(
      DeliveryReport(head + status + bytes.filter { $0 != 10 && $0 != 13 })?.fault == nil)
  }

  @Test(arguments: [
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "Content-Type: message/rfc822\n\n",
    "content-type:multipart/digest; boundary=b\n\n--b\n\n",
  ])
  func `endless nesting is refused unread`(layer: String) {
    let start = ContinuousClock.now
    #expect(read(String(repeating: layer, count: 20_000)) == nil)
    #expect(read(TestReport.text(original: String(repeating: layer, count: 5_000))) == nil)
    #expect(start.duration(to: .now) < .seconds(5))
  }

  @Test func `as many parts as GMime is trusted with are read, and one more is not`() {
    func parts(_ count: Int) -> String { String(repeating: "--x\n", count: count) }
    // The report has four lines that begin with two hyphens.
    #expect(read(TestReport.text(original: "\n" + parts(196)))?.fault == .noMailbox)
    #expect(read(TestReport.text(original: "\n" + parts(197))) == nil)
  }

  @Test func `header fields are limited in number and length`() {
    let many = String(repeating: "To: a@b.example\n", count: 5_000)
    #expect(read(many + TestReport.text())?.recipients.count == 20)
    let long = "To: " + String(repeating: "a", count: 100_000) + "\n"
    #expect(
      read(long + TestReport.text())?.recipients.allSatisfy { $0.utf8.count <= 1_000 } == true)
  }
}
