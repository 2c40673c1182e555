#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

extension CountryMap {
  /// How large the land of a country is, in square kilometres, rivers and lakes with it; nil for a
  /// code that the map does not know.
  ///
  /// Where a line runs through a cell, the cell is read along lines from west to east, the more of
  /// them the fewer such cells the country has. So what is lost is less than what the map itself
  /// simplifies, which is nothing to speak of for most countries and a third for Monaco.
  /// It reads the whole map, in a tenth of a second for the largest.
  package func landArea(of country: String) -> Double? {
    guard codes.contains(country) else { return nil }
    let known = areas.map { $0.code == country || $0.over == country }
    let cells = (0..<Self.columns * Self.rows).filter { cell in
      // The record of a cell by the pole names no country (``CellRecord/isLand``).
      names(known, cell: cell) || country == "AQ" && cell < 60 * Self.columns
    }.map { CellRecord(self, cell: $0) }
    let crossed = cells.count { !$0.lines.isEmpty }
    let count = min(400, max(24, 6_000 / max(1, crossed)))
    return cells.reduce(0) { $0 + $1.landArea(of: country, lines: count) }
  }

  /// Whether one of some areas is around the middle of a cell or has an edge in it.
  private func names(_ known: [Bool], cell: Int) -> Bool {
    records.withUnsafeBufferPointer { records in
      var next = Int(index[cell])
      func isNamed() -> Bool {
        let list = next + 1..<next + 1 + Int(records[next])
        next = list.upperBound
        return list.contains { known[Int(records[$0])] }
      }
      if isNamed() { return true }
      let pieces = Int(records[next])
      next += 1
      for _ in 0..<pieces {
        if isNamed() { return true }
        next += 1 + Int(records[next]) * 2
      }
      return false
    }
  }
}

/// The record of a cell, read whole.
private struct CellRecord {
  /// A line between two points of the cell, with the areas that it is the edge of.
  struct Line {
    let ax, ay, bx, by: Double
    let areas: [Int16]
  }

  private let map: CountryMap
  private let row: Int
  /// The areas around the middle.
  private let around: [Int16]
  let lines: [Line]

  /// Half the side of a cell, in the units of its lines.
  private static let half = 12_500.0
  /// The point that ``around`` is true of.
  private static let middle = (x: 7.0, y: 11.0)

  init(_ map: CountryMap, cell: Int) {
    self.map = map
    row = cell / CountryMap.columns
    let records = map.records
    var next = Int(map.index[cell])
    func list() -> [Int16] {
      let count = Int(records[next])
      defer { next += 1 + count }
      return Array(records[next + 1..<next + 1 + count])
    }
    around = list()
    let pieces = Int(records[next])
    next += 1
    var lines: [Line] = []
    for _ in 0..<pieces {
      let areas = list()
      let count = Int(records[next])
      let first = next + 1
      for point in 1..<max(1, count) {
        let place = first + point * 2
        lines.append(
          Line(
            ax: Double(records[place - 2]), ay: Double(records[place - 1]),
            bx: Double(records[place]), by: Double(records[place + 1]), areas: areas))
      }
      next = first + count * 2
    }
    self.lines = lines
  }

  /// The part of it that is land of a country, read along so many lines.
  func landArea(of country: String, lines count: Int) -> Double {
    let south = -90 + Double(row) / Double(CountryMap.cellsPerDegree)
    let height = 1 / Double(CountryMap.cellsPerDegree)
    if lines.isEmpty {
      guard isLand(Set(around), of: country, latitude: south + height / 2) else { return 0 }
      return Self.strip(south: south, north: south + height, share: 1)
    }
    return (0..<count).reduce(0) { sum, place in
      // Between two whole units, where no line can end.
      let y = ((Double(place) + 0.5) / Double(count) * 2 - 1) * Self.half
      let below = south + height * Double(place) / Double(count)
      let share = share(of: country, at: y.rounded(.down) + 0.5, latitude: below)
      return sum
        + Self.strip(south: below, north: below + height / Double(count), share: share)
    }
  }

  /// How much of the line from west to east at `y` is land of a country.
  private func share(of country: String, at y: Double, latitude: Double) -> Double {
    var within = Set(around)
    var crossings: [(x: Double, line: Int)] = []
    for (number, line) in lines.enumerated() {
      if (line.ax > Self.middle.x) != (line.bx > Self.middle.x) {
        let part = (Self.middle.x - line.ax) / (line.bx - line.ax)
        let crossed = line.ay + part * (line.by - line.ay)
        if (crossed > Self.middle.y) != (crossed > y) { Self.cross(line, &within) }
      }
      if (line.ay > y) != (line.by > y) {
        let part = (y - line.ay) / (line.by - line.ay)
        crossings.append((line.ax + part * (line.bx - line.ax), number))
      }
    }
    crossings.sort { $0.x < $1.x }
    // Back from the middle to the western edge, and from there to the eastern one.
    for crossing in crossings where crossing.x > -Self.half && crossing.x <= Self.middle.x {
      Self.cross(lines[crossing.line], &within)
    }
    var inside = 0.0
    var x = -Self.half
    for crossing in crossings where crossing.x > -Self.half && crossing.x < Self.half {
      if isLand(within, of: country, latitude: latitude) { inside += crossing.x - x }
      x = crossing.x
      Self.cross(lines[crossing.line], &within)
    }
    if isLand(within, of: country, latitude: latitude) { inside += Self.half - x }
    return inside / (2 * Self.half)
  }

  private func isLand(_ within: Set<Int16>, of country: String, latitude: Double) -> Bool {
    let around = AreasAround(within.sorted(), of: map.areas)
    // Where the Antarctic Treaty holds.
    if latitude < -60 { return country == "AQ" && (around.isOnLand || latitude < -80) }
    return around.isOnLand && around.country == country
  }

  private static func cross(_ line: Line, _ within: inout Set<Int16>) {
    for area in line.areas where within.remove(area) == nil { within.insert(area) }
  }

  /// The size of a part of a strip half a degree wide, in square kilometres.
  private static func strip(south: Double, north: Double, share: Double) -> Double {
    let width = Double.pi / 180 / Double(CountryMap.cellsPerDegree)
    let height = sin(north * .pi / 180) - sin(south * .pi / 180)
    return width * height * share * Earth.authalicRadius * Earth.authalicRadius / 1e6
  }
}
