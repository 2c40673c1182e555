import Foundation
import Locking
@testable import Service
import Testing

/// Portions that one thread makes while another takes them.
@Suite struct HandoverTests {
  private struct Broken: Error {}

  @Test func `all portions arrive in order, then the end`() throws {
    let handover = Handover<Int>("test", room: 2) { hand in
      for number in 0..<1_000 { try hand(number) }
    }
    for number in 0..<1_000 { #expect(try handover.next() == number) }
    #expect(try handover.next() == nil)
    #expect(try handover.next() == nil)
  }

  @Test func `the maker waits while as many portions wait as may be`() throws {
    let made = Locked(0)
    let handover = Handover<Int>("test", room: 3) { hand in
      for number in 0..<10 {
        made.withLock { $0 = number }
        try hand(number)
      }
    }
    // The fourth portion is ready, and waits for room.
    while made.withLock({ $0 }) < 3 { Thread.sleep(forTimeInterval: 0.001) }
    Thread.sleep(forTimeInterval: 0.05)
    #expect(made.withLock { $0 } == 3)
    for number in 0..<10 { #expect(try handover.next() == number) }
  }

  @Test func `an error of the maker arrives after its portions`() throws {
    let handover = Handover<Int>("test") { hand in
      try hand(1)
      throw Broken()
    }
    #expect(try handover.next() == 1)
    #expect(throws: Broken.self) { try handover.next() }
  }

  @Test func `a cancelled maker ends`() throws {
    let ended = DispatchSemaphore(value: 0)
    let handover = Handover<Int>("test", room: 1) { hand in
      defer { ended.signal() }
      while true { try hand(1) }
    }
    #expect(try handover.next() == 1)
    handover.cancel()
    #expect(ended.wait(timeout: .now() + 30) == .success)
    #expect(throws: (any Error).self) {
      while try handover.next() != nil {}
    }
  }
}
