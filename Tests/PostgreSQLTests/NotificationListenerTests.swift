import PostgreSQL
import Testing

/// Notifications arrive, and a lost connection is noticed.
@Suite struct NotificationListenerTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func notify(_ payload: String) throws {
    try scratch.connect().execute("SELECT pg_notify('farol_change', ?)", [.text(payload)])
  }

  @Test func `notifications arrive in the order of the commits`() throws {
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    #expect(try listener.wait(upTo: .seconds(5)) == .connected)
    try notify("7")
    try notify("ção '")
    var payloads: [String] = []
    while payloads.count < 2, case .notified(let new) = try listener.wait(upTo: .seconds(20)) {
      payloads += new
    }
    #expect(payloads == ["7", "ção '"])
  }

  @Test func `without notifications a wait ends in time`() throws {
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    #expect(try listener.wait(upTo: .zero) == .connected)
    let start = ContinuousClock.now
    #expect(try listener.wait(upTo: .milliseconds(50)) == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
  }

  @Test func `a notification of a transaction that is rolled back does not arrive`() throws {
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    _ = try listener.wait(upTo: .zero)
    _ = fault {
      try scratch.connect().transaction(.write()) { connection in
        try connection.execute("SELECT pg_notify('farol_change', 'lost')")
        try connection.execute("SELEC")
      }
    }
    try notify("kept")
    #expect(try listener.wait(upTo: .seconds(20)) == .notified(["kept"]))
  }

  @Test func `what the caller caused does not end its wait`() throws {
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    _ = try listener.wait(upTo: .zero)
    let writer = try scratch.connect()
    func write(_ payload: String) throws {
      try writer.transaction(.write(notifying: "farol_change", payload: payload)) { _ in }
    }
    try write("own")
    let start = ContinuousClock.now
    #expect(try listener.wait(upTo: .milliseconds(200), ignoring: "own") == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    try write("own")
    try write("other")
    #expect(try listener.wait(upTo: .seconds(20), ignoring: "own") == .notified(["other"]))
  }

  @Test func `a lost connection is established again and reported`() throws {
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    _ = try listener.wait(upTo: .zero)
    #expect(try scratch.terminateOthers() == 1)
    #expect(try listener.wait(upTo: .seconds(20)) == .connected)
    try notify("again")
    #expect(try listener.wait(upTo: .seconds(20)) == .notified(["again"]))
  }

  @Test(arguments: ["", "a\"b", "Change", "a b", String(repeating: "a", count: 64)])
  func `a wrong name of a channel is refused`(channel: String) throws {
    #expect(
      fault { _ = try NotificationListener(scratch.address, channel: channel) }?.kind == .statement)
  }
}
