import Foundation
@testable import MappingDays
import PrivacyMap
import Testing

/// The states of a mapping day, by docs/reference/mapping-days.md.
@Suite struct DayStateTests {
  private func lines() throws -> [String] {
    try String(
      contentsOf: Repository.root.appendingPathComponent("docs/reference/mapping-days.md"),
      encoding: .utf8
    ).split(separator: "\n").map(String.init)
  }

  /// The arrows of the diagram: from, to, event.
  private func drawn() throws -> Set<[String]> {
    Set(
      try lines().compactMap { line -> [String]? in
        let parts = line.split(separator: " ").map { String($0).replacing(":", with: "") }
        guard parts.count >= 3, parts[1] == "-->" else { return nil }
        return [parts[0], parts[2], parts.count > 3 ? parts[3] : ""]
      })
  }

  @Test func `the transitions in the documentation are those of the code`() throws {
    var known: Set<[String]> = [["[*]", "draft", ""]]
    for state in DayState.allCases {
      let next = DayEvent.allCases.compactMap { event in state.after(event).map { (event, $0) } }
      for (event, after) in next { known.insert([state.rawValue, after.rawValue, event.rawValue]) }
      if next.isEmpty { known.insert([state.rawValue, "[*]", ""]) }
    }
    #expect(try drawn() == known)
  }

  @Test func `the permissions of each event match the documentation`() throws {
    let lines = try lines()
    for event in DayEvent.allCases {
      let line = try #require(lines.first { $0.hasPrefix("| `\(event.rawValue)` |") })
      let cells = line.split(separator: "|").dropFirst().prefix(3)
        .map { $0.trimmingPrefix(" ").hasPrefix("yes") }
      #expect(cells == DayEvent.Actor.allCases.map { event.isOpen(to: $0) }, "\(event)")
    }
  }

  /// Every way of at most eight events from a draft.
  @Test
  func `no way leads out of a final state, back to a secret one, or to a run without approval`() {
    var ways: [(state: DayState, past: [DayState])] = [(.draft, [])]
    for _ in 0..<8 {
      ways = ways.flatMap { way in
        DayEvent.allCases.compactMap { event in
          way.state.after(event).map { ($0, way.past + [way.state]) }
        }
      }
      for way in ways {
        if way.state == .running || way.state == .over {
          #expect(way.past.contains(.approved))
        }
        if way.past.contains(where: \.isPublic) { #expect(way.state.isPublic) }
        #expect(!way.past.contains(.over) && !way.past.contains(.cancelled))
      }
    }
    #expect(!ways.isEmpty)
  }
}

/// The start and the end of a plan.
@Suite struct DayTimesTests {
  private let now: Timestamp

  init() throws { now = try #require(Timestamp(text: "2026-10-20T12:00:00Z")) }

  private func times(
    _ start: String, _ end: String, _ zone: String = "Europe/Lisbon"
  ) throws(DayTimes.Fault) -> DayTimes {
    try DayTimes(start: start, end: end, zone: zone, now: now)
  }

  private func fault(_ start: String, _ end: String, _ zone: String = "Europe/Lisbon") -> String? {
    do throws(DayTimes.Fault) {
      _ = try times(start, end, zone)
      return nil
    } catch { return error.key.replacing("error.mapping_day.", with: "") }
  }

  @Test func `local times become moments`() throws {
    let summer = try times("2026-10-24T10:00", "2026-10-24T18:00")
    #expect(summer.start.text == "2026-10-24T09:00:00Z")
    let winter = try times("2026-10-26T10:00", "2026-10-26T18:00")
    #expect(winter.start.text == "2026-10-26T10:00:00Z")
    #expect(DayTimes.local(winter.start, "Europe/Lisbon") == "2026-10-26T10:00")
  }

  @Test func `a day over a change of the clocks has its real length`() throws {
    // The clocks go back on 25 October: 48 hours by the clock are 49.
    #expect(fault("2026-10-24T10:00", "2026-10-26T10:00") == "long")
    let whole = try times("2026-10-24T10:00", "2026-10-26T09:00")
    #expect(whole.end.secondsSinceEpoch - whole.start.secondsSinceEpoch == 48 * 3_600)
  }

  @Test func `an hour that the clocks skip is refused`() {
    #expect(fault("2027-03-28T01:30", "2027-03-28T06:00") == "skipped_hour")
    #expect(fault("2027-03-28T02:30", "2027-03-28T06:00") == nil)
  }

  @Test func `an hour that occurs twice is the first one`() throws {
    let found = try times("2026-10-25T01:30", "2026-10-25T08:00")
    #expect(found.start.text == "2026-10-25T00:30:00Z")
  }

  @Test func `both sides of each limit`() {
    #expect(fault("2026-10-20T15:00", "2026-10-20T18:00") == nil)
    #expect(fault("2026-10-20T14:59", "2026-10-20T18:00") == "soon")
    #expect(fault("2026-10-21T10:00", "2026-10-21T10:30") == nil)
    #expect(fault("2026-10-21T10:00", "2026-10-21T10:29") == "short")
    #expect(fault("2026-10-21T10:00", "2026-10-23T10:00") == nil)
    #expect(fault("2026-10-21T10:00", "2026-10-23T10:01") == "long")
    #expect(fault("2026-10-21T10:00", "2026-10-21T09:00") == "end_first")
    #expect(fault("2027-10-21T13:00", "2027-10-21T15:00") == nil)
    #expect(fault("2027-10-22T13:00", "2027-10-22T15:00") == "far")
  }

  @Test(arguments: [
    "", "2026-10-21", "2026-10-21 10:00", "2026-13-21T10:00", "2026-11-31T10:00",
    "2026-10-21T24:00", "2026-10-21T10:60", "2026-10-21T1٠:00", "9999-10-21T10:00",
  ])
  func `a text that is no time is refused`(text: String) {
    #expect(fault(text, "2026-10-21T18:00") == "time", "\(text)")
  }

  @Test func `an unknown time zone is refused`() {
    for zone in ["Lisbon", "Europe/../UTC", "", "Europe/Nowhere"] {
      #expect(fault("2026-10-24T10:00", "2026-10-24T18:00", zone) == "error.watch.time_zone")
    }
    #expect(fault("2026-10-24T10:00", "2026-10-24T18:00", "UTC") == nil)
  }
}
