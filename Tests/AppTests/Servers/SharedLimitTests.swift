@testable import Accounts
@testable import App
import Dispatch
import Foundation
import JSON
import Locking
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Limits count on all servers together.
@Suite(.serialized) struct SharedLimitTests {
  let one: TestApp
  let two: TestApp

  init() throws {
    one = try TestApp(onPostgreSQLBeside: nil)
    two = try TestApp(onPostgreSQLBeside: one)
  }

  private static let home = "192.0.2.1"
  private static let stranger = "198.51.100.7"

  @Test func `failed sign-ins count on both servers`() throws {
    _ = try one.account("ana")
    for place in 0..<10 {
      let answer = [one, two][place % 2].signIn("ana", "a wrong guess", from: Self.stranger)
      #expect(answer.status == .unauthorized)
    }
    for app in [one, two] {
      let answer = app.signIn("ana", from: Self.stranger)
      #expect(answer.status == .tooManyRequests)
      #expect(answer.headers["Retry-After"] == "900")
    }
  }

  @Test func `counting uses no sequence, which a takeover may damage`() throws {
    _ = try one.account("ana")
    _ = one.signIn("ana", "a wrong guess", from: Self.stranger)
    #expect(try one.integer("SELECT count(*) FROM counted_event") ?? 0 > 0)
    let isUsed = try one.database.write {
      try $0.integer("SELECT CAST(is_called AS int) FROM counted_event_rowid_seq")
    }
    #expect(isUsed == 0)
  }

  @Test func `simultaneous failures on both servers do not exceed the limit of a network`() throws {
    let refused = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<5 {
        let login = "user\(thread)-\(number)"
        let answer = [one, two][thread % 2].signIn(login, "a wrong guess", from: Self.stranger)
        if answer.status == .unauthorized { refused.withLock { $0 += 1 } }
      }
    }
    #expect(refused.withLock { $0 } == SignInGuard.perNetwork)
  }

  @Test func `the owner's attempts on one server are known on the other`() throws {
    _ = try one.account("ana")
    #expect(one.signIn("ana", from: Self.home).status == .ok)
    for _ in 1...12 { _ = one.signIn("ana", "a wrong guess", from: Self.stranger) }
    #expect(two.signIn("ana", from: Self.stranger).status == .tooManyRequests)
    #expect(two.signIn("ana", from: Self.home).status == .ok)
  }

  @Test func `links for new passwords count on both servers`() throws {
    _ = try one.person("ana")
    var sent = 0
    for place in 0..<6 {
      let app = [one, two][place % 2]
      let before = try one.mails.count
      let answer = app.post("/api/accounts/recover", ["login": "ana"], from: Self.stranger)
      #expect(answer.status == .accepted)
      try app.work()
      sent += try one.integer("SELECT count(*) FROM mail").map { Int($0) - before } ?? 0
    }
    #expect(sent == LinkLimits.hourly)
  }

  @Test func `simultaneous sign-ups of one address on both servers send one mail`() throws {
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      let answer = [one, two][number % 2].signUp(
        "user\(number)", email: "victim@example.org", from: "198.51.100.\(number + 1)")
      #expect(answer.status == .accepted)
    }
    #expect(try one.mails.count == 1)
    #expect(try one.count("account") == 16)
  }

  @Test func `a server knows the network of a request that another one queued`() throws {
    _ = try one.person("ana")
    #expect(one.signIn("ana", from: Self.home).status == .ok)
    one.clock.advance(by: .seconds(86_400))
    two.clock.advance(by: .seconds(86_400))
    for number in 1...LinkLimits.strangers {
      let stranger = "198.51.100.\(number)"
      _ = one.post("/api/accounts/recover", ["login": "ana"], from: stranger)
      try one.work()
    }
    let before = try one.integer("SELECT count(*) FROM mail")
    let answer = one.post("/api/accounts/recover", ["login": "ana"], from: Self.home)
    #expect(answer.status == .accepted)
    let payload = try one.text("SELECT payload FROM job WHERE kind = 'account_mail'") ?? ""
    #expect(!payload.isEmpty && !payload.contains(Self.home))
    try two.work()
    #expect(try one.integer("SELECT count(*) FROM mail") == before.map { $0 + 1 })
  }

  @Test func `flags count on both servers`() throws {
    let ana = try one.account("ana")
    let rui = try one.account("rui", isNew: true)
    let device = try one.device(by: ana, name: "Gate")
    for place in 0..<10 {
      let answer = [one, two][place % 2].flag("device", device.id, as: rui.identity)
      #expect(answer.status == .created)
    }
    for app in [one, two] {
      #expect(app.flag("device", device.id, as: rui.identity).status == .tooManyRequests)
    }
  }

  @Test func `counts outlive a server`() throws {
    _ = try one.account("ana")
    for _ in 1...10 { _ = one.signIn("ana", "a wrong guess", from: Self.stranger) }
    let third = try TestApp(onPostgreSQLBeside: one)
    #expect(third.signIn("ana", from: Self.stranger).status == .tooManyRequests)
  }

  @Test func `counting inside of a write does not wait for it`() throws {
    let limits = try RateLimits(on: one.database, now: { [clock = one.clock] in clock.now })
    let limit: Throttle<Int64> = limits.limit("inside", 1, per: .seconds(60))
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try one.database.write { _ in
        #expect(try limit.take(1) == nil)
        throw Refused()
      }
    }
    #expect(try limit.take(1) == 60, "an attempt counts even if its change is refused")
  }
}
