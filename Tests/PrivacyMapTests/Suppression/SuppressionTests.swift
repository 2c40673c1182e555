import PrivacyMap
import Testing

/// The rules of docs/suppression.md, without a database.
@Suite struct SuppressionTests {
  @Test(arguments: [
    (-3, 0), (0, 0), (1, 0), (2, 0), (3, 5), (7, 5), (8, 10), (10, 10), (12, 10), (13, 15),
    (1_002, 1_000), (1_003, 1_005),
  ])
  func `a figure is the nearest multiple of five`(count: Int, shown: Int) {
    #expect(Suppression.rounded(count) == shown)
  }

  @Test func `between two figures is nobody, or at least ten`() {
    #expect(Suppression.isSafe(0))
    #expect(!Suppression.isSafe(1))
    #expect(!Suppression.isSafe(9))
    #expect(Suppression.isSafe(10))
  }

  private func people(_ range: Range<Int64>, _ standing: String = "a") -> [Int64: String] {
    Dictionary(uniqueKeysWithValues: range.map { ($0, standing) })
  }

  @Test func `a cell is renewed by ten who came, and not by nine`() {
    let cell = PublishedCell(members: people(0..<20))
    #expect(!cell.isRenewed(by: people(0..<29)))
    #expect(cell.isRenewed(by: people(0..<30)))
  }

  @Test func `ten who stand otherwise renew it, nine do not`() {
    let cell = PublishedCell(members: people(0..<20))
    #expect(!cell.isRenewed(by: people(9..<20).merging(people(0..<9, "b")) { $1 }))
    #expect(cell.isRenewed(by: people(10..<20).merging(people(0..<10, "b")) { $1 }))
  }

  @Test func `one who comes does not slip in among ten who stand otherwise`() {
    let cell = PublishedCell(members: people(0..<20))
    let changed = people(10..<21).merging(people(0..<10, "b")) { $1 }
    #expect(!cell.isRenewed(by: changed))
  }

  @Test func `who left and comes back is one person, not two`() {
    let cell = PublishedCell(members: people(5..<20), gone: 5)
    #expect(!cell.isRenewed(by: people(0..<20)))
    #expect(!cell.isRenewed(by: people(0..<24)))
    #expect(cell.isRenewed(by: people(0..<25).filter { $0.key != 19 }.filter { $0.key != 18 }))
  }

  @Test func `outcomes of nine are none, and of ten are rounded`() {
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

/// Operators and categories, published side by side.
@Suite struct CrossedCellsTests {
  private typealias Cells = CrossedCells<String, Bool>

  private func people(_ ranges: Range<Int64>...) -> [Int64: Bool] {
    var people: [Int64: Bool] = [:]
    for range in ranges { for person in range { people[person] = true } }
    return people
  }

  @Test func `the few of a hidden operator are not in the category`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<20), "small": people(20..<23)],
      columns: ["camera": people(0..<23)])
    #expect(next.rows.keys.sorted() == ["metro"])
    #expect(next.columns["camera"]?.members.count == 20)
  }

  @Test func `enough people of hidden operators are in the category`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<20), "small": people(20..<25), "other": people(25..<30)],
      columns: ["camera": people(0..<30)])
    #expect(next.columns["camera"]?.members.count == 30)
  }

  @Test func `a category that would tell the rest of an operator is not shown`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<23)],
      columns: ["camera": people(0..<20), "beacon": people(20..<23)])
    #expect(next.rows["metro"]?.members.count == 23)
    #expect(next.columns.isEmpty)
  }

  @Test func `the few who asked two operators are not told by subtracting both`() {
    let next = Cells().renewed(
      rows: ["metro": people(0..<13), "bank": people(10..<23)], columns: ["camera": people(0..<23)])
    // The sum of both less the category would be the three in both.
    #expect(next.rows.count == 2)
    #expect(next.columns.isEmpty)
  }

  @Test func `the same people once more change nothing`() {
    let rows = ["metro": people(0..<20)]
    let columns = ["camera": people(0..<20)]
    let first = Cells().renewed(rows: rows, columns: columns)
    let published = Cells(
      rows: first.rows.mapValues { PublishedCell(members: $0.members) },
      columns: first.columns.mapValues { PublishedCell(members: $0.members) })
    let second = published.renewed(rows: rows, columns: columns)
    #expect(second.rows.values.allSatisfy { !$0.isNew })
    #expect(second.columns.values.allSatisfy { !$0.isNew })
  }

  /// Whatever is subtracted from whatever, over many worlds that grow.
  @Test(arguments: 0..<40)
  func `no difference of published cells is of one to nine people`(seed: UInt64) {
    var random = Numbers(state: seed)
    var state = Cells()
    var rows: [String: [Int64: Bool]] = [:]
    var columns: [String: [Int64: Bool]] = [:]
    var shown = 0
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let person = Int64.random(in: 0..<150, using: &random)
        let row = ["a", "a", "a", "b", "b", "c", "d"].randomElement(using: &random) ?? "a"
        let column = ["x", "x", "y", row].randomElement(using: &random) ?? "x"
        rows[row, default: [:]][person] = Bool.random(using: &random)
        columns[column, default: [:]][person] = Bool.random(using: &random)
      }
      let next = state.renewed(rows: rows, columns: columns)
      for (before, after) in [(state.rows, next.rows), (state.columns, next.columns)] {
        for (key, cell) in after {
          #expect(cell.members.count >= 10)
          guard let old = before[key] else { continue }
          let moved = Set(old.members.keys).symmetricDifference(cell.members.keys).count
          #expect(Suppression.isSafe(moved), "\(round) \(key) moved \(moved)")
        }
      }
      expectSafe(next.columns, less: next.rows)
      expectSafe(next.rows, less: next.columns)
      shown += next.rows.count + next.columns.count
      state = Cells(
        rows: next.rows.mapValues { PublishedCell(members: $0.members) },
        columns: next.columns.mapValues { PublishedCell(members: $0.members) })
    }
    #expect(shown > 0)
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

/// People divided in several ways.
@Suite struct PeopleGroupsTests {
  private func groups(_ counts: KeyValuePairs<String, Int>) -> [String] {
    counts.flatMap { Array(repeating: $0.key, count: $0.value) }
  }

  @Test func `groups under the minimum are hidden, and one more where that alone would tell them`()
  {
    let people = PeopleGroups(
      ["role": groups(["contributor": 80, "operator": 15, "admin": 5])], minimum: 10)
    #expect(people.shown("role") == ["contributor"])
  }

  @Test func `several small groups that are many together hide one another`() {
    let people = PeopleGroups(
      ["year": groups(["2024": 80, "2025": 6, "2026": 4])], minimum: 10)
    #expect(people.shown("year") == ["2024"])
    #expect(people.hidesEnough("year", ["2024"]))
  }

  @Test func `nothing is shown where all is small`() {
    let people = PeopleGroups(["year": groups(["2024": 9, "2025": 3])], minimum: 10)
    #expect(people.shown("year") == [])
  }

  @Test func `a group is not told by groups of another grouping that lie within it`() {
    // Who gave nothing, edits or photos has no country: 50 less 30 less 14 are the 6 with photos.
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

  @Test func `all but a group is not told either`() {
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
