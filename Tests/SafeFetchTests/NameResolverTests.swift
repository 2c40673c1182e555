import Foundation
import Locking
import Testing

@testable import SafeFetch

/// A name server that does not respond delays a mail no longer than the limit.
@Suite struct NameResolverTests {
  private static let address = PublicAddress(bytes: [1, 1, 1, 1])

  /// A name server that responds when the test releases it.
  private final class Silence: Sendable {
    private let isOver = Monitor(false)
    let asked = Monitor(0)

    func answer() { isOver.withLock { $0 = true } }

    @Sendable func lookUp(_ name: String) -> [PublicAddress] {
      asked.withLock { $0 += 1 }
      isOver.wait(until: { $0 }) { _ in }
      return [NameResolverTests.address]
    }
  }

  @Test func `a name is resolved`() throws {
    let resolver = NameResolver { name in name == "here.example" ? [Self.address] : [] }
    #expect(try resolver.addresses(of: "here.example") == [Self.address])
    #expect(try resolver.addresses(of: "gone.example") == [])
  }

  @Test func `a lookup without a response ends at its limit`() {
    let silence = Silence()
    let resolver = NameResolver(limit: .milliseconds(50), lookUp: silence.lookUp)
    let start = ContinuousClock.now
    #expect(throws: NameResolver.Failure.tookTooLong) { try resolver.addresses(of: "a.example") }
    // Generous: the machine may be busy.
    #expect(start.duration(to: .now) < .seconds(10))
    silence.answer()
  }

  @Test func `the number of concurrent lookups is limited until some end`() throws {
    let silence = Silence()
    let resolver = NameResolver(limit: .milliseconds(20), maximum: 2, lookUp: silence.lookUp)
    for _ in 0..<2 {
      #expect(throws: NameResolver.Failure.tookTooLong) { try resolver.addresses(of: "a.example") }
    }
    #expect(throws: NameResolver.Failure.busy) { try resolver.addresses(of: "a.example") }
    // On a busy machine a thread starts after its limit.
    let deadline = ContinuousClock.now + .seconds(20)
    while silence.asked.withLock({ $0 }) < 2, .now < deadline {
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(silence.asked.withLock { $0 } == 2)
    silence.answer()
    // The threads end by themselves.
    var found: [PublicAddress]?
    while found == nil, .now < deadline {
      found = try? resolver.addresses(of: "a.example")
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(found == [Self.address])
  }

  @Test func `a lookup that times out and an unknown name are distinguished`() {
    let silence = Silence()
    let slow = NameResolver(limit: .milliseconds(20), maximum: 1, lookUp: silence.lookUp)
    let file = PublicFile(resolver: slow)
    #expect(throws: PublicFileFailure.slowName) { try file.read("a.example", "/") }
    #expect(throws: PublicFileFailure.busy) { try file.read("a.example", "/") }
    silence.answer()
  }
}
