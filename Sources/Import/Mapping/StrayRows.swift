import PrivacyMap

/// Finds single rows whose coordinates are exchanged or have lost a sign, by the other rows of their list.
///
/// Such a row is far from all others and would be among them if it were turned. It is refused and not turned, because
/// it may also be right. Lists over several continents are not checked: they do not show where a single row belongs.
/// Lists whose mapping states `bounds` are not checked either: the bounds decide.
package struct StrayRows {
  /// A cell of the grid, in four bytes, because a long list occupies many cells.
  private struct Cell: Hashable {
    private let number: Int32

    /// `parts` cells for each degree.
    init(_ place: Coordinate, parts: Double) {
      self.init(
        x: Int((place.longitude * parts).rounded(.down)),
        y: Int((place.latitude * parts).rounded(.down)))
    }

    init(x: Int, y: Int) { number = Int32(truncatingIfNeeded: (x + 1_024) << 11 | (y + 1_024)) }

    var x: Int { Int(number >> 11) - 1_024 }
    var y: Int { Int(number & 0x7FF) - 1_024 }
  }

  private var isOff: Bool
  /// Rows that wait until enough others are known.
  private var waiting: [ImportOutcome] = []
  private var isWaiting = true
  /// The number of devices in each square of a degree.
  private var counts: [Cell: Int] = [:]
  private var total = 0
  /// The occupied quarters of a degree.
  private var occupied: Set<Cell> = []

  private static let maxWaiting = 1_000
  /// A row is far away if no other is within these degrees.
  private static let farAway = 5
  /// Degrees around a compact list.
  private static let reach = 20
  private static let minOthers = 3
  /// A list with more occupied cells is spread too far to be checked.
  private static let maxOccupied = 30_000

  package init(_ mapping: ImportMapping) { isOff = mapping.bounds != nil || mapping.isWhole }

  /// Takes a row and passes on the ones that are decided.
  package mutating func take(
    _ outcome: ImportOutcome, _ body: (ImportOutcome) throws -> Void
  ) rethrows {
    guard !isOff else { return try body(outcome) }
    add(outcome)
    if !isWaiting { return try body(decided(outcome)) }
    waiting.append(outcome)
    if waiting.count >= Self.maxWaiting { try finish(body) }
  }

  /// Passes on the rows that wait.
  package mutating func finish(_ body: (ImportOutcome) throws -> Void) rethrows {
    isWaiting = false
    let rows = waiting
    waiting = []
    for row in rows { try body(decided(row)) }
  }

  private mutating func add(_ outcome: ImportOutcome) {
    guard case .device(let device) = outcome else { return }
    counts[Cell(device.coordinate, parts: 1), default: 0] += 1
    occupied.insert(Cell(device.coordinate, parts: 4))
    total += 1
    guard occupied.count > Self.maxOccupied else { return }
    isOff = true
    (counts, occupied) = ([:], [])
  }

  private func decided(_ outcome: ImportOutcome) -> ImportOutcome {
    guard !isOff, total > Self.minOthers, case .device(let device) = outcome,
      let reason = reason(device.coordinate)
    else { return outcome }
    var refusal = ImportRefusal(
      row: device.row, line: device.line, part: device.part, sourceKey: device.sourceKey,
      reason: reason)
    refusal.notes = device.notes
    return .refused(refusal)
  }

  private func reason(_ place: Coordinate) -> ImportNote? {
    // Most rows have others in their square.
    guard let here = counts[Cell(place, parts: 1)], here * 10 <= total else { return nil }
    let (longitude, latitude) = (place.longitude, place.latitude)
    let ways: [(x: Double, y: Double, code: String, words: String)] = [
      (latitude, longitude, "exchanged", "with latitude and longitude exchanged"),
      (-longitude, latitude, "other_sign", "with the other sign of the longitude"),
      (longitude, -latitude, "other_sign", "with the other sign of the latitude"),
    ]
    // Hardly any row passes this test, and counting its neighbours takes longer.
    let turned = ways.filter { isOccupied(longitude: $0.x, latitude: $0.y) }
    guard !turned.isEmpty else { return nil }
    let near = count(around: place, Self.farAway)
    guard near * 10 <= total else { return nil }
    for one in turned {
      guard let other = try? Coordinate(longitude: one.x, latitude: one.y),
        count(around: other, Self.farAway) >= Self.minOthers
      else { continue }
      let others = count(around: other, Self.reach)
      // The row itself may be within the reach of the others.
      guard others * 10 >= (total - near) * 9, others >= near * 10 else { continue }
      return ImportNote(
        .refused, field: nil, code: one.code,
        detail: "The position is far from the other rows; \(one.words) it would be among them.")
    }
    return nil
  }

  /// Whether a device is within about a quarter of a degree.
  private func isOccupied(longitude: Double, latitude: Double) -> Bool {
    guard let place = try? Coordinate(longitude: longitude, latitude: latitude) else {
      return false
    }
    let cell = Cell(place, parts: 4)
    return (-1...1).contains { x in
      (-1...1).contains { y in occupied.contains(Cell(x: cell.x + x, y: cell.y + y)) }
    }
  }

  private func count(around place: Coordinate, _ degrees: Int) -> Int {
    let cell = Cell(place, parts: 1)
    // The fewer of both ways to count.
    if counts.count < (2 * degrees + 1) * (2 * degrees + 1) {
      return counts.reduce(0) { sum, entry in
        abs(entry.key.x - cell.x) <= degrees && abs(entry.key.y - cell.y) <= degrees
          ? sum + entry.value : sum
      }
    }
    var sum = 0
    for x in -degrees...degrees {
      for y in -degrees...degrees { sum += counts[Cell(x: cell.x + x, y: cell.y + y)] ?? 0 }
    }
    return sum
  }
}
