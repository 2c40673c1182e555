import Foundation
import PrivacyMap
import Testing
@testable import Visits

/// The states of visits equal the states in docs/reference/visits.md, and no way through them loses a request.
@Suite struct VisitStateTests {
  /// The arrows of the diagrams: from, event, to.
  private static func drawn() throws -> [Set<[String]>] {
    let path = Repository.root.appendingPathComponent("docs/reference/visits.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    return text.components(separatedBy: "```mermaid").dropFirst().map { part in
      let diagram = part.components(separatedBy: "```")[0]
      return Set(
        diagram.split(separator: "\n").compactMap { line in
          let words = line.split { " :".contains($0) }.map(String.init)
          return words.count == 4 && words[1] == "-->" ? [words[0], words[3], words[2]] : nil
        })
    }
  }

  private static func arrows<State: RawRepresentable<String> & CaseIterable>(
    _ after: (State) -> (VisitEvent) -> State?
  ) -> Set<[String]> {
    Set(
      State.allCases.flatMap { state in
        VisitEvent.allCases.compactMap { event in
          after(state)(event).map { [state.rawValue, event.rawValue, $0.rawValue] }
        }
      })
  }

  @Test func `the diagrams are those of the code`() throws {
    let drawn = try Self.drawn()
    #expect(drawn.count == 2)
    #expect(drawn.first == Self.arrows(VisitState.after))
    #expect(drawn.last == Self.arrows(OfferState.after))
  }

  @Test func `the limits of the page are those of the code`() throws {
    let path = Repository.root.appendingPathComponent("docs/reference/visits.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let limits = [
      "| answer to an offer | \(VisitRules.usualAnswer / 60) minutes (",
      "without a time | \(VisitRules.visit / 3_600) hours |",
      "| \(VisitRules.earliestPlan / 3_600) hours through \(VisitRules.latestPlan / 86_400) days ahead |",
      "| \(VisitRules.reminder / 60) minutes before |",
      "| \(VisitRules.grace / 3_600) hours after its time |",
      "at a time | \(VisitRules.maxVisits) |",
      "| \(VisitAsking.maxOpen); of a new account \(VisitAsking.maxOpenOfNew) |",
      "| \(VisitAsking.perDay); of a new account \(VisitAsking.perDayOfNew) |",
      "| \(VisitRules.rest / 86_400) days |",
      "| \(VisitRules.life / 86_400) days after it was made |",
    ]
    for limit in limits { #expect(text.contains(limit), "\(limit)") }
    for reason in VisitReason.allCases {
      let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(reason.rawValue)` |") }
      #expect(row?.hasSuffix(reason.isSeenFromStreet ? "yes |" : "no |") == true, "\(reason)")
    }
  }

  // A search through all states of a request with three volunteers, two servers, kills and a clock that jumps.

  /// The whole state of a small world.
  private struct World: Hashable {
    var state = VisitState.waiting
    /// The volunteer with the pending offer.
    var pending: Int?
    var holder: Int?
    /// Volunteers who had an offer, are available, and still exist; one bit for each.
    var asked = 0
    var free = 0
    var there = 0b111
    /// The volunteer whom a server has found, but has not asked yet. A kill forgets it.
    var found: Int?
    /// Whether the time of the state has passed by the clock. A jump changes it at any time.
    var isLate = false

    static let volunteers = 0..<3

    func has(_ bits: Int, _ volunteer: Int) -> Bool { bits & (1 << volunteer) != 0 }

    /// The choice of the real dispatch.
    func choice() throws -> VisitDispatch.Choice {
      let place = Coordinate.clamped(longitude: 0.001, latitude: 0.001)
      return try VisitDispatch.next(
        for: VisitCall(place: place, kind: "camera_fixed"), in: Queues(world: self),
        at: Timestamp(secondsSinceEpoch: 100))
    }

    /// Applies an event as `VisitWorkflow` does: the state decides, and ends a pending offer that the event answers.
    mutating func apply(_ event: VisitEvent, by volunteer: Int? = nil) -> Bool {
      guard let next = state.after(event) else { return false }
      if state == .offered, OfferState.pending.after(event) != nil { pending = nil }
      state = next
      holder = next.isHeld ? volunteer ?? holder : nil
      isLate = false
      return true
    }
  }

  private struct Queues: VisitQueues {
    let world: World
    func zones(near cell: VisitCell) -> [VisitCell] { [cell] }
    func queue(of zone: VisitCell) -> [VisitCandidate] {
      World.volunteers.filter { world.has(world.there, $0) }.map { volunteer in
        VisitCandidate(
          account: Int64(volunteer), zone: zone, radius: 1, kinds: [],
          freeFrom: Timestamp(secondsSinceEpoch: 0),
          freeUntil: Timestamp(secondsSinceEpoch: world.has(world.free, volunteer) ? 1_000 : 1),
          offersLeft: 1, isBusy: false, isExcluded: world.has(world.asked, volunteer))
      }
    }
  }

  /// Everything that may happen next.
  private static func steps(_ world: World) throws -> [World] {
    var next: [World] = []
    func step(_ change: (inout World) throws -> Bool) rethrows {
      var copy = world
      if try change(&copy) { next.append(copy) }
    }
    step {
      $0.isLate.toggle(); return true
    }
    for volunteer in World.volunteers {
      step {
        $0.free ^= 1 << volunteer; return true
      }
      // The account is deleted: an offer goes on, a visit returns.
      step { world in
        guard world.has(world.there, volunteer) else { return false }
        world.there &= ~(1 << volunteer)
        world.asked &= ~(1 << volunteer)
        if world.pending == volunteer || world.holder == volunteer { return world.apply(.lost) }
        return true
      }
    }
    // A server searches. Another server may do so at the same time, or any other step may come before its offer.
    try step { world in
      guard world.state == .waiting || world.state == .open else { return false }
      switch try world.choice() {
      case .volunteer(let candidate):
        world.found = Int(candidate.account)
        return true
      case .later: return world.isLate ? world.apply(.opened) : false
      case .nobody: return world.apply(.opened)
      }
    }
    // It asks, with the checks of `VisitWorkflow.offer`.
    step { world in
      guard let found = world.found else { return false }
      world.found = nil
      guard world.pending == nil, !world.has(world.asked, found), world.has(world.there, found),
        world.has(world.free, found), world.apply(.offered)
      else { return true }
      world.pending = found
      world.asked |= 1 << found
      return true
    }
    // The server is killed between the two.
    step { world in
      guard world.found != nil else { return false }
      world.found = nil
      return true
    }
    for event in [VisitEvent.accepted, .planned] {
      step { world in
        guard let pending = world.pending else { return false }
        return world.apply(event, by: pending)
      }
      // A volunteer takes an open request.
      step { world in
        guard world.state == .open, world.has(world.there, 2) else { return false }
        world.asked |= 0b100
        return world.apply(event, by: 2)
      }
    }
    step { $0.pending != nil && $0.apply(.declined) }
    step { $0.pending != nil && $0.isLate && $0.apply(.lapsed) }
    step { $0.holder != nil && $0.isLate && $0.apply(.missed) }
    step { $0.apply(.cancelled) }
    step { $0.apply(.reported) }
    step { $0.apply(.closed) }
    return next
  }

  /// Whether a volunteer without an offer so far is reached, if all are available and all others decline.
  private static func isReached(_ volunteer: Int, from world: World) throws -> Bool {
    var world = world
    (world.free, world.found) = (0b111, nil)
    for _ in 0..<10 {
      switch world.state {
      case .waiting, .open:
        guard case .volunteer(let candidate) = try world.choice(), world.apply(.offered) else {
          return false
        }
        world.pending = Int(candidate.account)
        world.asked |= 1 << Int(candidate.account)
      case .offered:
        if world.pending == volunteer { return true }
        _ = world.apply(.declined)
      case .accepted, .planned: _ = world.apply(.missed)
      case .done, .closed: return true
      }
    }
    return false
  }

  @Test func `no way through the states makes two offers, loses a request or forgets a volunteer`()
    throws
  {
    var seen: Set<World> = [World()]
    var waiting = [World()]
    while let world = waiting.popLast() {
      #expect((world.pending != nil) == (world.state == .offered), "\(world)")
      #expect((world.holder != nil) == world.state.isHeld, "\(world)")
      if let pending = world.pending { #expect(world.has(world.asked, pending), "\(world)") }
      for volunteer in World.volunteers
      where world.has(world.there, volunteer) && !world.has(world.asked, volunteer) {
        #expect(try Self.isReached(volunteer, from: world), "\(volunteer) \(world)")
      }
      for next in try Self.steps(world) {
        // A second offer to the same volunteer, or to a second one at the same time.
        if let pending = next.pending, pending != world.pending {
          #expect(world.pending == nil && !world.has(world.asked, pending), "\(world) \(next)")
        }
        #expect(!world.state.isOver || next.state == world.state, "\(world) \(next)")
        if seen.insert(next).inserted { waiting.append(next) }
      }
    }
    #expect(seen.count > 5_000)
    #expect(Set(seen.map(\.state)) == Set(VisitState.allCases))
  }
}
