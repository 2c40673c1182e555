import CQL2
import PrivacyMap
import Testing
import WebServer

/// Random filters find the same devices in the database as a plain evaluation in the test.
@Suite struct RandomFilterTests {
  @Test func `random filters find the devices of a plain evaluation`() throws {
    let app = try TestApp()
    let world = try RandomWorld(app, count: 200, seed: 11)
    var numbers = SeededNumbers(seed: 5)
    var counts: Set<Int> = []
    for _ in 0..<400 {
      let text = RandomFilter.condition(depth: 3, &numbers)
      let filter = try Filter(cql2Text: text)
      let expected = world.ids { entry in
        let isShown =
          world.stands(entry)
          || filter.compares("status", with: entry.fields.status.rawValue)
        return isShown && PlainDevice(entry).holds(filter) == true
      }
      let answer = app.send(
        target: Request.target(Path.items, [("filter", text), ("limit", "1000")]))
      try #require(answer.status == .ok, "\(text)")
      #expect(try answer.ids == expected, "\(text)")
      counts.insert(expected.count)
    }
    #expect(counts.count > 30, "the filters tell devices apart")
  }
}

/// A device for an evaluator without database or index: true, false, or nil for unknown.
private struct PlainDevice {
  let entry: RandomWorld.Entry

  init(_ entry: RandomWorld.Entry) { self.entry = entry }

  func holds(_ predicate: Filter) -> Bool? {
    switch predicate {
    case .constant(let value): return value
    case .and(let parts):
      let found = parts.map(holds)
      return found.contains(false) ? false : found.contains(nil) ? nil : true
    case .or(let parts):
      let found = parts.map(holds)
      return found.contains(true) ? true : found.contains(nil) ? nil : false
    case .not(let inner): return holds(inner).map { !$0 }
    case .isNull(.property(let name)): return text(name) == nil
    case .comparison(let sign, .property(let name), .date(let day)):
      return compare(name, day.text, sign)
    case .comparison(let sign, .property(let name), .timestamp(let moment)):
      return text(name).map { Self.compare($0, moment.second.text, sign) }
    case .comparison(let sign, let left, .text(let literal)):
      return text(left).map { Self.compare($0, literal, sign) }
    case .comparison(_, let left, .caseFolded(.text(let literal))):
      return text(left).map { $0 == literal.uppercased().lowercased() }
    case .oneOf(let subject, let values): return text(subject).map { values.contains(.text($0)) }
    case .like(let subject, .text(let pattern)):
      return text(subject).map { Self.matches($0, pattern) }
    case .spatial(_, _, .geometry(.box(let west, let south, let east, let north))):
      return (west...east).contains(entry.point.longitude)
        && (south...north).contains(entry.point.latitude)
    case .array(let relation, _, .list(let values)):
      return sets(
        relation, Set(values.compactMap { if case .text(let text) = $0 { text } else { nil } }))
    case .temporal(let relation, _, .interval(.some(.date(let start)), .some(.date(let end)))):
      return entry.fields.observedOn.map { day in
        switch relation {
        case .after: day > end
        case .before: day < start
        case .during: day > start && day < end
        case .intersects: day >= start && day <= end
        default: day < start || day > end
        }
      }
    default:
      Issue.record("no plain evaluation of \(predicate)")
      return nil
    }
  }

  private func sets(_ relation: ArrayRelation, _ other: Set<String>) -> Bool? {
    let own = Set(entry.fields.dataCollected)
    guard !own.isEmpty else { return nil }
    return switch relation {
    case .overlaps: !own.isDisjoint(with: other)
    case .contains: own.isSuperset(of: other)
    case .containedBy: own.isSubset(of: other)
    case .equals: own == other
    }
  }

  private func text(_ operand: Operand) -> String? {
    switch operand {
    case .property(let name): text(name)
    case .caseFolded(let inner): text(inner)?.uppercased().lowercased()
    default: nil
    }
  }

  private func text(_ name: String) -> String? {
    switch name {
    case "name": entry.fields.name
    case "category": entry.fields.category
    case "status": entry.fields.status.rawValue
    case "description": entry.fields.description
    case "manufacturer": entry.fields.manufacturer
    case "setting": entry.fields.setting?.rawValue
    case "observed_on": entry.fields.observedOn?.text
    case "last_confirmed": entry.fields.lastConfirmed?.text
    default: nil
    }
  }

  /// Compares a day with a day or a timestamp, day by day.
  private func compare(_ name: String, _ day: String, _ sign: Comparison) -> Bool? {
    text(name).map { Self.compare(String($0.prefix(10)), day, sign) }
  }

  private static func compare(_ a: String, _ b: String, _ sign: Comparison) -> Bool {
    let (left, right) = (Array(a.utf8), Array(b.utf8))
    let isLess = left.lexicographicallyPrecedes(right)
    let isGreater = right.lexicographicallyPrecedes(left)
    return switch sign {
    case .equal: left == right
    case .notEqual: left != right
    case .less: isLess
    case .greater: isGreater
    case .lessOrEqual: !isGreater
    case .greaterOrEqual: !isLess
    }
  }

  /// `%` and `_`, as they are used in the patterns above.
  private static func matches(_ text: String, _ pattern: String) -> Bool {
    func match(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "%" {
        return match(text, pattern.dropFirst())
          || !text.isEmpty && match(text.dropFirst(), pattern)
      }
      guard let letter = text.first else { return false }
      return (first == "_" || first == letter) && match(text.dropFirst(), pattern.dropFirst())
    }
    return match(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
  }
}
