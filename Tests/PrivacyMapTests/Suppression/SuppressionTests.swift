import PrivacyMap
import Testing

/// The rules of docs/explanation/suppression.md, without a database.
@Suite struct SuppressionTests {
  @Test(arguments: [
    (-3, 0), (0, 0), (1, 0), (2, 0), (3, 5), (7, 5), (8, 10), (10, 10), (12, 10), (13, 15),
    (1_002, 1_000), (1_003, 1_005),
  ])
  func `a figure is rounded to the nearest multiple of five`(count: Int, shown: Int) {
    #expect(Suppression.rounded(count) == shown)
  }

  @Test func `a safe difference between two figures is zero or at least ten people`() {
    #expect(Suppression.isSafe(0))
    #expect(!Suppression.isSafe(1))
    #expect(!Suppression.isSafe(9))
    #expect(Suppression.isSafe(10))
  }

  private func people(_ range: Range<Int64>) -> Set<Int64> { Set(range) }

  @Test func `a group is recounted when ten joined or left, and not when nine did`() {
    let group = PublishedGroup(members: people(0..<20))
    #expect(!group.isRenewed(by: people(0..<29)))
    #expect(group.isRenewed(by: people(0..<30)))
    #expect(!group.isRenewed(by: people(5..<24)))
    #expect(group.isRenewed(by: people(5..<25)))
  }

  @Test func `a person who leaves a group and returns counts once`() {
    let group = PublishedGroup(members: people(5..<20), gone: 5)
    #expect(!group.isRenewed(by: people(0..<20)))
    #expect(!group.isRenewed(by: people(0..<24)))
    #expect(group.isRenewed(by: people(0..<25).subtracting([18, 19])))
  }

  @Test func `outcomes of nine are hidden, and of ten are rounded`() {
    let nine = [OutcomeStanding](repeating: .honoured, count: 9)
    #expect(OutcomeFigures(nine, days: []) == nil)
    let twelve = nine + [.refused, .refused, .overdue]
    let figures = OutcomeFigures(twelve, days: Array(1...9))
    #expect(figures?.asked == 10)
    #expect(figures?.honoured == 10)
    #expect(figures?.refused == 0)
    #expect(figures?.overdue == 0)
    #expect(figures?.medianDays == nil)
    #expect(OutcomeFigures(twelve, days: Array(1...10))?.medianDays == 6)
    #expect(OutcomeFigures(twelve, days: Array(1...11))?.medianDays == 6)
  }
}

/// One figure over successive publications: people join, leave and change in groups of ten or more.
@Suite struct CrossedCellTests {
  private typealias Cell = CrossedCell<String>

  private func people(_ range: Range<Int64>, _ standing: String = "a") -> [Int64: String] {
    Dictionary(uniqueKeysWithValues: range.map { ($0, standing) })
  }

  private func cell(_ range: Range<Int64>, since day: Int32 = 1) -> Cell {
    Cell(members: people(range).mapValues { .init($0, since: day) })
  }

  @Test func `nine new people are not counted yet, ten are`() {
    #expect(cell(1..<21).taking(people(1..<30), on: 2) == cell(1..<21))
    #expect(cell(1..<21).taking(people(1..<31), on: 2)?.members.count == 30)
  }

  @Test func `nine people who left stay counted, ten are removed`() {
    #expect(cell(1..<31).taking(people(10..<31), on: 2) == cell(1..<31))
    #expect(cell(1..<31).taking(people(11..<31), on: 2) == cell(11..<31))
  }

  @Test func `nine changed standings are not counted yet, ten are`() {
    let nine = people(1..<21).merging(people(1..<10, "b")) { $1 }
    #expect(cell(1..<21).taking(nine, on: 2) == cell(1..<21))
    let ten = people(1..<21).merging(people(1..<11, "b")) { $1 }
    let next = cell(1..<21).taking(ten, on: 2)
    #expect(next?.members.values.count { $0.standing == "b" } == 10)
  }

  @Test func `people who leave and people who join do not block each other`() {
    // Two left and fourteen joined: the issue of a figure that stayed outdated.
    let next = cell(1..<11).taking(people(3..<25), on: 2)
    #expect(next?.members.count == 24)
    let changed = people(1..<21).merging(people(1..<11, "b")) { $1 }.merging(people(21..<26)) { $1 }
    let other = cell(1..<21).taking(changed, on: 2)
    #expect(other?.members.count == 20)
    #expect(other?.members.values.count { $0.standing == "b" } == 10)
  }

  @Test func `one new person is not counted among ten who change or leave`() {
    let changed = people(1..<22).merging(people(1..<11, "b")) { $1 }
    #expect(cell(1..<21).taking(changed, on: 2)?.members[21] == nil)
    #expect(cell(1..<31).taking(people(11..<32), on: 2)?.members[31] == nil)
  }

  @Test func `a remainder of fewer than ten people is hidden`() {
    #expect(cell(1..<20).taking(people(11..<20), on: 2) == nil)
    #expect(cell(1..<21).taking(people(11..<21), on: 2) == cell(11..<21))
  }

  @Test func `two traces of one person do not count as two people who left`() {
    var members = cell(1..<21).members
    for place in Int64(1)...5 {
      members[-place] = .init("a", since: 1)
      members[-place - 5] = .init("a", since: 2)
    }
    // Ten traces of people who left, five of each day: perhaps five people.
    #expect(Cell(members: members).taking(people(1..<21), on: 3)?.members.count == 30)
    for place in Int64(11)...15 { members[-place] = .init("a", since: 2) }
    // Ten traces of one day are ten people.
    #expect(Cell(members: members).taking(people(1..<21), on: 3)?.members.count == 20)
  }
}

/// Operators and categories, published next to each other.
@Suite struct CrossedCellsTests {
  private typealias Cells = CrossedCells<String, Bool>

  private func people(_ ranges: Range<Int64>...) -> [Int64: Bool] {
    var people: [Int64: Bool] = [:]
    for range in ranges { for person in range { people[person] = true } }
    return people
  }

  @Test func `the few people of a hidden operator are not in the category`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<20), "small": people(20..<23)],
      columns: ["camera": people(0..<23)], on: 1)
    #expect(next.rows.keys.sorted() == ["metro"])
    #expect(next.columns["camera"]?.members.count == 20)
  }

  @Test func `enough people of hidden operators are in the category`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<20), "small": people(20..<25), "other": people(25..<30)],
      columns: ["camera": people(0..<30)], on: 1)
    #expect(next.columns["camera"]?.members.count == 30)
  }

  @Test func `a category that would reveal the rest of an operator is hidden`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<23)],
      columns: ["camera": people(0..<20), "beacon": people(20..<23)], on: 1)
    #expect(next.rows["metro"]?.members.count == 23)
    #expect(next.columns.isEmpty)
  }

  @Test func `the few people of both operators are not revealed by subtraction`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<13), "bank": people(10..<23)],
      columns: ["camera": people(0..<23)], on: 1)
    // The sum of both less the category would be the three in both.
    #expect(next.rows.count == 2)
    #expect(next.columns.isEmpty)
  }

  @Test func `the same people again change nothing`() {
    let rows = ["metro": people(0..<20)]
    let columns = ["camera": people(0..<20)]
    let first = Cells().renewed(rows: rows, columns: columns, on: 1)
    let second = first.renewed(rows: rows, columns: columns, on: 8)
    #expect(second.rows == first.rows)
    #expect(second.columns == first.columns)
  }

  @Test func `two people who left do not block a category that fourteen joined`() {
    let first = Cells().renewed(
      rows: ["metro": people(1..<11)], columns: ["camera": people(1..<11)], on: 1)
    // The effect of erasure on the members: their places get numbers without a person.
    func gone(_ cell: CrossedCell<Bool>?) -> CrossedCell<Bool> {
      var members = cell?.members ?? [:]
      for person in Int64(1)...2 { members[-person] = members.removeValue(forKey: person) }
      return CrossedCell(members: members)
    }
    let published = Cells(
      rows: first.rows.mapValues { gone($0) }, columns: first.columns.mapValues { gone($0) })
    let next = published.renewed(
      rows: ["metro": people(3..<11)], columns: ["camera": people(3..<25)], on: 8)
    #expect(next.rows["metro"]?.members.count == 10)
    #expect(next.columns["camera"]?.members.count == 24)
  }

  /// Any subtraction of published cells, over many worlds in which people join, change, erase their
  /// requests and leave.
  @Test(arguments: 0..<60)
  func `no difference of published cells is of one to nine people`(seed: UInt64) {
    var random = Numbers(state: seed)
    var state = Cells()
    var rows: [String: [Int64: Bool]] = [:]
    var columns: [String: [Int64: Bool]] = [:]
    var shown = 0
    var ghosts: Int64 = 0
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let person = Int64.random(in: 1..<150, using: &random)
        let row = ["a", "a", "a", "b", "b", "c", "d"].randomElement(using: &random) ?? "a"
        let column = ["x", "x", "y", row].randomElement(using: &random) ?? "x"
        rows[row, default: [:]][person] = Bool.random(using: &random)
        columns[column, default: [:]][person] = Bool.random(using: &random)
      }
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let person = Int64.random(in: 1..<150, using: &random)
        for row in rows.keys { rows[row]?[person] = nil }
        for column in columns.keys { columns[column]?[person] = nil }
        guard Bool.random(using: &random) else { continue }
        ghosts -= 1
        state = Self.replacing(person, by: ghosts, in: state)
      }
      let next = state.renewed(rows: rows, columns: columns, on: Int32(round))
      for (before, after) in [(state.rows, next.rows), (state.columns, next.columns)] {
        for (key, cell) in after {
          #expect(cell.members.count >= 10)
          guard let old = before[key] else { continue }
          expectTens(old, cell, "\(round) \(key)")
        }
      }
      expectSafe(next.columns, less: next.rows)
      expectSafe(next.rows, less: next.columns)
      shown += next.rows.count + next.columns.count
      state = next
    }
    #expect(shown > 0)
  }

  /// The effect of erasure on the published cells.
  private static func replacing(_ person: Int64, by ghost: Int64, in cells: Cells) -> Cells {
    func replaced(_ cell: CrossedCell<Bool>) -> CrossedCell<Bool> {
      var members = cell.members
      if let member = members.removeValue(forKey: person) { members[ghost] = member }
      return CrossedCell(members: members)
    }
    return Cells(
      rows: cells.rows.mapValues(replaced), columns: cells.columns.mapValues(replaced))
  }

  /// Checks that between publications either no or at least ten people joined, left or changed
  /// their standing.
  private func expectTens(
    _ old: CrossedCell<Bool>, _ new: CrossedCell<Bool>, _ name: String
  ) {
    let (before, after) = (Set(old.members.keys), Set(new.members.keys))
    let changed = before.intersection(after).count {
      old.members[$0]?.standing != new.members[$0]?.standing
    }
    for count in [before.subtracting(after).count, after.subtracting(before).count, changed] {
      #expect(Suppression.isSafe(count), "\(name): \(count)")
    }
  }

  private func expectSafe(_ cells: Cells.Cells, less others: Cells.Cells) {
    let keys = others.keys.sorted()
    for (name, cell) in cells {
      for choice in 0..<(1 << keys.count) {
        var rest = Set(cell.members.keys)
        for (place, key) in keys.enumerated() where choice & (1 << place) != 0 {
          rest.subtract((others[key]?.members ?? [:]).keys)
        }
        #expect(Suppression.isSafe(rest.count), "\(name) less \(choice) of \(keys)")
      }
    }
  }
}

/// People grouped in several ways.
@Suite struct PeopleGroupsTests {
  private func groups(_ counts: KeyValuePairs<String, Int>) -> [String] {
    counts.flatMap { Array(repeating: $0.key, count: $0.value) }
  }

  @Test func `groups under the minimum are hidden, and one more to prevent subtraction`() {
    let people = PeopleGroups(
      ["role": groups(["contributor": 80, "operator": 15, "admin": 5])], minimum: 10)
    #expect(people.shown("role") == ["contributor"])
  }

  @Test func `several small groups with a large sum protect each other`() {
    let people = PeopleGroups(
      ["year": groups(["2024": 80, "2025": 6, "2026": 4])], minimum: 10)
    #expect(people.shown("year") == ["2024"])
    #expect(people.hidesEnough("year", ["2024"]))
  }

  @Test func `nothing is shown when all groups are small`() {
    let people = PeopleGroups(["year": groups(["2024": 9, "2025": 3])], minimum: 10)
    #expect(people.shown("year") == [])
  }

  @Test func `a group is not revealed by smaller groups of another grouping`() {
    // People with nothing, edits or photos have no country: 50 less 30 less 14 are the 6 with
    // photos.
    let people = PeopleGroups(
      [
        "contribution": groups(["devices": 40, "edits": 30, "nothing": 14, "photos": 6]),
        "country": groups(["PT": 40, "none": 50]),
      ], minimum: 10)
    #expect(people.shown("contribution") == ["devices", "edits"])
    #expect(
      !people.areSafe(
        "contribution", ["devices", "edits", "nothing"], beside: "country", ["PT", "none"]))
    #expect(
      people.areSafe("contribution", ["devices", "edits"], beside: "country", ["PT", "none"]))
  }

  @Test func `the complement of a group is not revealed either`() {
    let people = PeopleGroups(
      ["one": groups(["a": 50, "b": 50]), "other": groups(["x": 50, "y": 45, "z": 5])],
      minimum: 10)
    #expect(!people.areSafe("one", ["a"], beside: "other", ["x", "y"]))
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
