@testable import PrivacyMap

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// An index together with the plain list of its expected content.
struct RandomWorld {
  var generator: SeededGenerator
  var index: PointIndex
  var points: [UInt32: IndexedPoint] = [:]
  private var sequence: Int64 = 0
  private var spots: [FixedPosition] = []

  /// A first load of `count` points; changes are merged into it from `mergeFloor` on.
  init(seed: UInt64, count: Int, mergeFloor: Int = 4_096) {
    generator = SeededGenerator(seed: seed)
    index = PointIndex()
    var builder = PointIndex.Builder(expectedCount: count, mergeFloor: mergeFloor)
    for rowid in 0..<UInt32(count) {
      let point = makePoint(rowid: rowid * 3)
      points[point.rowid] = point
      builder.append(point)
    }
    index = builder.finish(sequence: 0)
  }

  /// Inserts, replacements and removals, some of rows that never existed, in one commit.
  mutating func change(_ count: Int) {
    var changes: [PointChange] = []
    for _ in 0..<count {
      let rowid = UInt32.random(in: 0...20_000, using: &generator)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        changes.append(.remove(rowid: rowid))
        points[rowid] = nil
      } else {
        let point = makePoint(rowid: rowid)
        changes.append(.put(point))
        points[rowid] = point
      }
    }
    sequence += 1
    index.apply(changes, sequence: sequence)
    if index.isOutgrown { index.merge() }
  }

  mutating func makePoint(rowid: UInt32) -> IndexedPoint {
    IndexedPoint(
      rowid: rowid, id: DeviceID(high: generator.next(), low: generator.next()),
      position: position(), profile: profile(),
      dueDay: UInt16.random(in: 0...40, using: &generator),
      country: IndexedPoint.packedCountry(pick(["", "PT", "DE", "CV"])),
      bearing: Bool.random(using: &generator)
        ? IndexedPoint.noBearing : UInt16.random(in: 0..<360, using: &generator),
      operatorRow: UInt32.random(in: 0..<5, using: &generator),
      addedDay: UInt16.random(in: 1...60, using: &generator),
      confirmedDay: chance(2) ? 0 : UInt16.random(in: 1...60, using: &generator),
      endedDay: chance(3) ? UInt16.random(in: 1...60, using: &generator) : 0)
  }

  private mutating func position() -> FixedPosition {
    let kind = Int.random(in: 0..<10, using: &generator)
    if kind < 2, let known = spots.randomElement(using: &generator) { return known }
    var position = FixedPosition(
      longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator),
      latitude: Int32.random(in: -900_000_000...900_000_000, using: &generator))
    switch kind {
    case 2: position.longitude = pick([-1_800_000_000, 1_800_000_000])
    case 3: position.latitude = pick([-900_000_000, 900_000_000])
    case 4...7:
      // A town on the western side of the antimeridian, one on a tile corner, one at an ordinary
      // place.
      let towns: [(Int32, Int32)] = [
        (1_799_000_000, -160_000_000), (0, 0), (-86_110_000, 411_500_000),
      ]
      let town = pick(towns)
      position.longitude = town.0 + Int32.random(in: -900_000...900_000, using: &generator)
      position.latitude = town.1 + Int32.random(in: -900_000...900_000, using: &generator)
    default: break
    }
    spots.append(position)
    return position
  }

  private mutating func profile() -> DeviceProfile {
    DeviceProfile(
      category: UInt8.random(in: 0..<6, using: &generator),
      status: UInt8.random(in: 0..<5, using: &generator),
      setting: pick([0, 1, 255]),
      operatorKind: UInt8.random(in: 0..<4, using: &generator),
      precision: UInt8.random(in: 0..<4, using: &generator),
      zone: UInt8.random(in: 0..<3, using: &generator),
      legalBasis: UInt8.random(in: 0..<3, using: &generator),
      facts: DisclosedFacts(rawValue: UInt8.random(in: 0..<4, using: &generator)),
      data: 1 << UInt32.random(in: 0..<4, using: &generator) | 1 << 31,
      choices: UInt32.random(in: 0..<4, using: &generator),
      source: UInt32.random(in: 0..<3, using: &generator))
  }

  /// The points that the index must find.
  func matching(_ filter: PointFilter) -> [IndexedPoint] {
    points.values.filter { filter.accepts($0) }.sorted { $0.rowid < $1.rowid }
  }

  /// A filter of random conditions, with box edges that often run through points.
  mutating func filter() -> PointFilter {
    var filter = PointFilter()
    if chance(2) { filter.statuses = [0, 1, 2] }
    if chance(4) { filter.categories = CodeSet([UInt8.random(in: 0..<7, using: &generator)]) }
    if chance(8) { filter.settings = [0, 255] }
    if chance(8) { filter.operatorKinds = [] }
    if chance(8) { filter.dataAny = 3 }
    if chance(8) { filter.choicesAny = 1 }
    if chance(8) { filter.countries = [0, IndexedPoint.packedCountry("PT")] }
    if chance(8) { filter.dueDays = [0...0, 10...20] }
    if chance(2) { filter.boxes = boxes() }
    if chance(6) {
      filter.rows = RowSet(points.keys.filter { $0 % 3 == 0 } + [5, 70_000])
    }
    if chance(4), let region = region() { filter = filter.narrowed(to: region) }
    return filter
  }

  /// A quadrilateral, which may cross itself, with corners at points.
  private mutating func region() -> Region? {
    guard spots.count > 3 else { return nil }
    return Region(RegionShape(polygons: [[(0..<4).map { _ in pick(spots) }]]))
  }

  private mutating func boxes() -> [FixedBox] {
    let one = pick(spots)
    let other = pick(spots)
    let south = min(one.latitude, other.latitude)
    let north = max(one.latitude, other.latitude)
    if one.longitude <= other.longitude {
      return [
        FixedBox(west: one.longitude, south: south, east: other.longitude, north: north)
      ]
    }
    return [
      FixedBox(west: one.longitude, south: south, east: 1_800_000_000, north: north),
      FixedBox(west: -1_800_000_000, south: south, east: other.longitude, north: north),
    ]
  }

  mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &generator)]
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
}
