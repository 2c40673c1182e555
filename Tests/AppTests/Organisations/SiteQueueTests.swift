@testable import App
import Foundation
import JSON
import Locking
import SafeFetch
@testable import Rights
@testable import Service
import Testing
import WebServer

/// A web site or a name server that does not respond delays no other work.
@Suite struct SiteQueueTests {
  /// A server that accepts connections and sends nothing.
  private final class SilentSite: Sendable {
    let socket: Int32
    let port: UInt16

    init() throws {
      let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
          bind(listener, raw, length) == 0 && listen(listener, 8) == 0
            && getsockname(listener, raw, &length) == 0
        }
      }
      try #require(bound)
      socket = listener
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }
  }

  @Test func `users can sign in while a site check hangs, and a second check waits`() throws {
    let site = try SilentSite()
    var settings = InstanceSettings()
    settings.siteLoopback = PublicFile.Loopback(
      port: site.port, authorities: "/etc/ssl/certs/ca-certificates.crt")
    let app = try TestApp(settings: settings)
    let ana = try app.account("ana")
    let rui = try app.account("rui")
    app.register("One", "one.example", as: ana.identity)
    app.register("Two", "two.example", as: rui.identity)
    let path = "/api/operators/mine/check/file"
    let status = Monitor<Int?>(nil)
    Thread.detachNewThread {
      let answer = app.send(.post, path, as: ana.identity)
      status.withLock { $0 = answer.status.code }
    }
    let queue = app.app.organisations.sites.queue
    while queue.length == 0, status.withLock({ $0 }) == nil { Pause.shortly() }
    // One of the two threads for slow work is also busy.
    let isFree = Monitor(false)
    app.app.execution.work.fill(1) { isFree.wait(until: { $0 }) { _ in } }
    defer { isFree.withLock { $0 = true } }
    let signedIn = app.send(
      .post, "/api/session",
      json: ["login": "rui", "password": .string(TestAccount.password)])
    #expect(signedIn.status == .ok)
    let second = Future("second") { app.send(.post, path, as: rui.identity).status.code }
    while queue.length == 1, status.withLock({ $0 }) == nil { Pause.shortly() }
    // All of this before the check has ended.
    #expect(status.withLock { $0 } == nil)
    let ended = status.wait(until: { $0 != nil }, orUntil: .now + .seconds(60)) { $0 }
    #expect(ended == 422)
    #expect(try second.value() == 422)
  }
}
