private import Glibc

extension CountryMap {
  /// The land area of a country in square kilometres, including rivers and lakes. Nil for a code
  /// that is not in the map.
  ///
  /// A cell with border lines is sampled along lines from west to east. The fewer such cells a
  /// country has, the more lines are used. The sampling error is therefore smaller than the map's
  /// own simplification, which is negligible for most countries and a third for Monaco.
  /// The method reads the whole map and takes a tenth of a second for the largest country.
  package func landArea(of country: String) -> Double? {
    guard codes.contains(country) else { return nil }
    let known = areas.map { $0.code == country || $0.over == country }
    let cells = (0..<Self.columns * Self.rows).filter { cell in
      // The record of a cell near a pole names no country (``CellRecord/isLand``).
      names(known, cell: cell) || country == "AQ" && cell < 60 * Self.columns
    }.map { CellRecord(self, cell: $0) }
    let crossed = cells.count { !$0.lines.isEmpty }
    let count = min(400, max(24, 6_000 / max(1, crossed)))
    return cells.reduce(0) { $0 + $1.landArea(of: country, lines: count) }
  }

  /// Whether one of the given areas contains the centre of a cell or has an edge in it.
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

/// The complete record of a cell.
private struct CellRecord {
  /// A line between two points of the cell, with the areas that it bounds.
  struct Line {
    let ax, ay, bx, by: Double
    let areas: [Int16]
  }

  private let map: CountryMap
  private let row: Int
  /// The areas that contain the centre.
  private let around: [Int16]
  let lines: [Line]

  /// Half the side of a cell, in the units of its lines.
  private static let half = 12_500.0
  /// The point to which ``around`` applies.
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

  /// The part of the cell that is land of a country, in square kilometres, sampled along `count`
  /// lines.
  func landArea(of country: String, lines count: Int) -> Double {
    let south = -90 + Double(row) / Double(CountryMap.cellsPerDegree)
    let height = 1 / Double(CountryMap.cellsPerDegree)
    if lines.isEmpty {
      guard isLand(Set(around), of: country, latitude: south + height / 2) else { return 0 }
      return Self.strip(south: south, north: south + height, share: 1)
    }
    return (0..<count).reduce(0) { sum, place in
      // The line runs between two whole units, so no border line can end on it.
      let y = ((Double(place) + 0.5) / Double(count) * 2 - 1) * Self.half
      let below = south + height * Double(place) / Double(count)
      let share = share(of: country, at: y.rounded(.down) + 0.5, latitude: below)
      return sum
        + Self.strip(south: below, north: below + height / Double(count), share: share)
    }
  }

  /// The fraction of the west-east line at `y` that is land of a country.
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
    // Walks back from the centre to the western edge, and from there to the eastern edge.
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
    // The area of the Antarctic Treaty.
    if latitude < -60 { return country == "AQ" && (around.isOnLand || latitude < -80) }
    return around.isOnLand && around.country == country
  }

  private static func cross(_ line: Line, _ within: inout Set<Int16>) {
    for area in line.areas where within.remove(area) == nil { within.insert(area) }
  }

  /// The area in square kilometres of a part of a strip that is half a degree wide.
  private static func strip(south: Double, north: Double, share: Double) -> Double {
    let width = Double.pi / 180 / Double(CountryMap.cellsPerDegree)
    let height = sin(north * .pi / 180) - sin(south * .pi / 180)
    return width * height * share * Earth.authalicRadius * Earth.authalicRadius / 1e6
  }
}
