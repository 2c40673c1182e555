import JSON
import PrivacyMap
import Testing

/// The state of a ledger after its entries, by docs/reference/ledger.md.
@Suite struct LedgerTests {
  private static func terms(_ example: JSONValue) throws -> Ledger.Terms {
    Ledger.Terms(
      first: try #require(Period(text: example["first"]?.stringValue ?? "")),
      longer: example["extension"]?.stringValue.flatMap { Period(text: $0) },
      rule: try SharedExamples.rule(of: example["country"]?.stringValue ?? ""))
  }

  private static func entry(_ step: JSONValue, of ledger: Ledger) throws -> LedgerEntry {
    let at = try #require(step["at"]?.stringValue)
    let moment = Timestamp(text: at) ?? Day(text: at).map { ledger.moment(of: $0) }
    return LedgerEntry(
      try #require(LedgerEvent(rawValue: step["event"]?.stringValue ?? "")),
      at: try #require(moment),
      by: LedgerActor(rawValue: step["by"]?.stringValue ?? "person") ?? .person,
      reason: step["reason"]?.stringValue,
      channel: step["channel"]?.stringValue.flatMap { RequestChannel(rawValue: $0) },
      receivedOn: step["received_on"]?.stringValue.flatMap { Day(text: $0) })
  }

  @Test func `every shared example gives the documented state`() throws {
    let examples = try SharedExamples.examples("ledger-examples")
    #expect(examples.count > 25)
    var refusals: Set<String> = []
    for example in examples {
      let name = example["name"]?.stringValue ?? ""
      let now = try #require(Timestamp(text: example["now"]?.stringValue ?? ""))
      var ledger = Ledger(terms: try Self.terms(example))
      for step in example["steps"]?.arrayValue ?? [] {
        var refused: LedgerRefusal?
        do throws(LedgerRefusal) {
          try ledger.apply(Self.readEntry(step, of: ledger), now: now)
        } catch { refused = error }
        #expect(refused?.rawValue == step["refused"]?.stringValue, "\(name)")
        if let refused { refusals.insert(refused.rawValue) }
      }
      #expect(ledger.state.rawValue == example["state"]?.stringValue, "\(name)")
      #expect(ledger.isOverdue(on: now.day) == example["overdue"]?.boolValue, "\(name)")
      #expect(ledger.receivedOn?.text == example["received_on"]?.stringValue, "\(name)")
      #expect(ledger.dueOn?.text == example["due_on"]?.stringValue, "\(name)")
      #expect(ledger.extendedUntil?.text == example["extended_until"]?.stringValue, "\(name)")
      #expect(
        ledger.next(on: now.day).map(\.rawValue)
          == example["next"]?.arrayValue?.compactMap(\.stringValue), "\(name)")
      #expect(Ledger(terms: ledger.terms, taken: ledger.entries).state == ledger.state, "\(name)")
    }
    #expect(refusals == Set(LedgerRefusal.allCases.map(\.rawValue)))
  }

  /// As ``entry(_:of:)``; a faulty example gives an entry that no test expects.
  private static func readEntry(_ step: JSONValue, of ledger: Ledger) -> LedgerEntry {
    (try? entry(step, of: ledger))
      ?? LedgerEntry(.withdrawn, at: Timestamp(secondsSinceEpoch: .max))
  }

  /// A ledger in the given `state`, and a time long past its deadline.
  private static func ledger(in state: LedgerState) throws -> (ledger: Ledger, late: Timestamp) {
    let ways: [LedgerState: [LedgerEvent]] = [
      .wanted: [], .sent: [.sent], .acknowledged: [.sent, .acknowledged],
      .extended: [.sent, .extended], .honoured: [.sent, .honoured],
      .confirmed: [.sent, .honoured, .confirmed], .contested: [.sent, .honoured, .contested],
      .refused: [.sent, .refused],
      .complained: [.sent, .refused, .complained], .withdrawn: [.withdrawn],
    ]
    let start = try #require(Timestamp(text: "2027-01-10T00:00:00Z"))
    var ledger = Ledger(
      terms: Ledger.Terms(first: .months(1), longer: .months(2), rule: DeadlineRule()))
    for event in try #require(ways[state]) {
      try ledger.apply(LedgerEntry(event, at: start, reason: "complexity"), now: start)
    }
    return (ledger, try #require(Timestamp(text: "2027-08-10T00:00:00Z")))
  }

  /// The arrows of the diagram: from, to.
  private static func drawn() throws -> Set<[String]> {
    let text = try SharedExamples.text("docs/reference/ledger.md")
    return Set(
      text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count >= 3, parts[1] == "-->" else { return nil }
        return [parts[0], parts[2].replacing(":", with: "")]
      })
  }

  @Test func `the transitions in the documentation are those of the code`() throws {
    var known: Set<[String]> = [["[*]", "wanted"]]
    for state in LedgerState.allCases {
      for event in state.followers { known.insert([state.rawValue, event.state.rawValue]) }
      if state.followers.isEmpty { known.insert([state.rawValue, "[*]"]) }
    }
    #expect(try Self.drawn() == known)
  }

  @Test func `every undocumented transition is refused and changes nothing`() throws {
    let drawn = try Self.drawn()
    for state in LedgerState.allCases {
      for event in LedgerEvent.allCases {
        var (ledger, late) = try Self.ledger(in: state)
        #expect(ledger.state == state)
        // A late extension is refused for being late, so this extension is in time.
        let at = event == .extended ? try #require(Timestamp(text: "2027-01-11T00:00:00Z")) : late
        let count = ledger.entries.count
        var refused: LedgerRefusal?
        do throws(LedgerRefusal) {
          try ledger.apply(LedgerEntry(event, at: at, reason: "number"), now: late)
        } catch { refused = error }
        let isDrawn = drawn.contains([state.rawValue, event.state.rawValue])
        #expect(refused == (isDrawn ? nil : .transition), "\(state) \(event)")
        #expect(ledger.state == (isDrawn ? event.state : state))
        #expect(ledger.entries.count == (isDrawn ? count + 1 : count))
      }
    }
  }

  @Test func `the permissions of each role match the documentation`() throws {
    let lines = try SharedExamples.text("docs/reference/ledger.md").split(separator: "\n")
    let names: [(LedgerActor, String)] = [
      (.person, "| the person |"), (.operator, "| the operator |"), (.farol, "| Farol |"),
    ]
    for (actor, start) in names {
      let line = try #require(lines.first { $0.hasPrefix(start) })
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ").hasPrefix("yes") }
      #expect(Array(cells.dropFirst()) == LedgerEvent.allCases.map { $0.isOpen(to: actor) })
    }
  }

  @Test func `the offered next events are exactly the accepted ones`() throws {
    for state in LedgerState.allCases {
      for actor in LedgerActor.allCases {
        for text in ["2027-01-10T12:00:00Z", "2027-02-10T12:00:00Z", "2027-02-11T12:00:00Z"] {
          let (ledger, _) = try Self.ledger(in: state)
          let now = try #require(Timestamp(text: text))
          let taken = LedgerEvent.allCases.filter { event in
            var copy = ledger
            return
              (try? copy.apply(
                LedgerEntry(event, at: now, by: actor, reason: "number"), now: now)) != nil
          }
          #expect(ledger.next(on: now.day, for: actor) == taken, "\(state) \(actor) \(text)")
        }
      }
    }
  }

  @Test func `the running states are those in which an answer can become overdue`() throws {
    // The recipient has not answered yet but can, and a missing answer is a reason to complain.
    let pending = try LedgerState.allCases.filter {
      let (ledger, _) = try Self.ledger(in: $0)
      return ledger.answer == nil
        && Set($0.followers).isSuperset(of: [.honoured, .refused, .complained])
    }
    #expect(LedgerState.running == pending)
    for state in LedgerState.allCases {
      let (ledger, late) = try Self.ledger(in: state)
      #expect(ledger.isOverdue(on: late.day.adding(days: 366)) == pending.contains(state))
    }
  }

  @Test func `a wrong clock causes a refusal and no crash`() throws {
    var (ledger, _) = try Self.ledger(in: .wanted)
    #expect(throws: LedgerRefusal.future) {
      try ledger.apply(
        LedgerEntry(
          .sent, at: Timestamp(text: "9999-12-31T23:59:59Z") ?? Timestamp(secondsSinceEpoch: 0)),
        now: Timestamp(secondsSinceEpoch: 0))
    }
    #expect(ledger.state == .wanted)
  }
}
