private import Glibc

extension CountryMap {
  /// The distance from a border or a coast, in metres, within which a country is uncertain.
  package static let uncertainWithin = 5_000.0

  /// Returns the country at a point.
  ///
  /// A pier or a bridge a little outside all territorial waters takes the country of the nearest
  /// border or shore line. A point in the open sea has no country.
  package func country(at point: Coordinate) -> Answer {
    var look = Look(point, areas: areas)
    records.withUnsafeBufferPointer { records in
      look.read(records, from: Int(index[look.cell]))
    }
    return look.answer
  }

  /// Whether a point is on land, and not in territorial waters.
  package func isLand(at point: Coordinate) -> Bool {
    var look = Look(point, areas: areas)
    records.withUnsafeBufferPointer { records in
      look.read(records, from: Int(index[look.cell]))
    }
    return look.isOnLand
  }

  /// The countries that have a border within ``uncertainWithin`` of a point, or contain it, sorted by
  /// code. Near a coast alone this is the country of the coast.
  package func countries(near point: Coordinate) -> [String] {
    var look = Look(point, areas: areas)
    records.withUnsafeBufferPointer { records in
      look.read(records, from: Int(index[look.cell]))
    }
    return look.possible
  }
}

/// The position of a point within its cell.
private struct CellPlace {
  let cell: Int
  /// Offset from the centre of the cell, in units of 1/50,000 degree.
  let x: Double
  let y: Double
  /// Length of one unit eastwards, in metres.
  let metresEast: Double

  static let unitsPerDegree = 50_000.0
  /// The offset from the centre to which the “around” list in the file applies.
  static let middle = (x: 7.0, y: 11.0)
  /// Length of one unit northwards, in metres, on a sphere of radius 6,371 km.
  static let metresNorth = 111_195 / unitsPerDegree

  init(_ point: Coordinate) {
    let perDegree = Double(CountryMap.cellsPerDegree)
    let column = min(Int((point.longitude + 180) * perDegree), CountryMap.columns - 1)
    let row = min(Int((point.latitude + 90) * perDegree), CountryMap.rows - 1)
    cell = row * CountryMap.columns + column
    x = (point.longitude + 180 - (Double(column) + 0.5) / perDegree) * Self.unitsPerDegree
    y = (point.latitude + 90 - (Double(row) + 0.5) / perDegree) * Self.unitsPerDegree
    metresEast = Self.metresNorth * max(0, cos(point.latitude * .pi / 180))
  }
}

/// Reads the record of one cell for one lookup.
private struct Look {
  private let place: CellPlace
  private let areas: [CountryMap.Area]
  private let isAntarctic: Bool
  private let isPolar: Bool
  /// The areas that contain the point, in the order in which they were entered.
  private var within: [Int16] = []
  private var isNear = false
  private var isNearCoast = false
  /// The nearest line of a country, and its squared distance in square metres.
  private var nearest: (area: Int16, square: Double)?
  /// The countries on both sides of the lines nearby.
  private var bordering: Set<Int16> = []

  init(_ point: Coordinate, areas: [CountryMap.Area]) {
    place = CellPlace(point)
    self.areas = areas
    // The area of the Antarctic Treaty. Territorial claims there do not count as countries.
    isAntarctic = point.latitude < -60
    // There is no sea further south, and the lines where shapes meet at the pole are not borders.
    isPolar = point.latitude < -80
  }

  var cell: Int { place.cell }

  /// Reads the record at `start`. ``CountryMap/init(_:)`` has checked that it ends within the file.
  mutating func read(_ records: UnsafeBufferPointer<Int16>, from start: Int) {
    let around = Int(records[start])
    within.append(contentsOf: records[(start + 1)..<(start + 1 + around)])
    var next = start + 1 + around
    let pieces = records[next]
    next += 1
    for _ in 0..<pieces {
      let areaCount = Int(records[next])
      let areas = UnsafeBufferPointer(rebasing: records[(next + 1)..<(next + 1 + areaCount)])
      next += 1 + areaCount
      let count = Int(records[next])
      let line = UnsafeBufferPointer(rebasing: records[(next + 1)..<(next + 1 + count * 2)])
      next += 1 + count * 2
      follow(line, between: areas)
    }
  }

  private mutating func follow(
    _ line: UnsafeBufferPointer<Int16>, between areas: UnsafeBufferPointer<Int16>
  ) {
    let kind = self.areas[Int(areas[0])].kind
    // Only borders and coasts make a country uncertain.
    let isBorder = kind == .country || kind == .overlay
    let tellsDistance = isBorder || kind == .land
    let (midX, midY) = CellPlace.middle
    let (dx, dy) = (place.x - midX, place.y - midY)
    func side(_ x: Double, _ y: Double) -> Bool { dx * (y - midY) - dy * (x - midX) >= 0 }
    var (ax, ay) = (Double(line[0]), Double(line[1]))
    var aSide = side(ax, ay)
    var isOdd = false
    var least = Double.infinity
    for point in stride(from: 2, to: line.count, by: 2) {
      let (bx, by) = (Double(line[point]), Double(line[point + 1]))
      let bSide = side(bx, by)
      if aSide != bSide {
        // The segment from the centre to the point crosses this line if its ends are on different sides.
        let middleSide = (bx - ax) * (midY - ay) - (by - ay) * (midX - ax) >= 0
        let pointSide = (bx - ax) * (place.y - ay) - (by - ay) * (place.x - ax) >= 0
        if middleSide != pointSide { isOdd.toggle() }
      }
      if tellsDistance { least = min(least, square(ax, ay, bx, by)) }
      (ax, ay, aSide) = (bx, by, bSide)
    }
    if isOdd { areas.forEach { cross($0) } }
    guard tellsDistance, least <= CountryMap.uncertainWithin * CountryMap.uncertainWithin else {
      return
    }
    isNear = true
    if kind == .land { isNearCoast = true }
    if isBorder {
      bordering.formUnion(areas)
      if least < nearest?.square ?? .infinity { nearest = (areas[0], least) }
    }
  }

  /// The squared distance from the point to a line, in square metres.
  private func square(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Double {
    let x = (ax - place.x) * place.metresEast
    let y = (ay - place.y) * CellPlace.metresNorth
    let dx = (bx - ax) * place.metresEast
    let dy = (by - ay) * CellPlace.metresNorth
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(1, max(0, -(x * dx + y * dy) / length)) : 0
    let (nearX, nearY) = (x + share * dx, y + share * dy)
    return nearX * nearX + nearY * nearY
  }

  private mutating func cross(_ area: Int16) {
    if let known = within.firstIndex(of: area) {
      within.remove(at: known)
    } else {
      within.append(area)
    }
  }

  var isOnLand: Bool { isPolar || AreasAround(within.sorted(), of: areas).isOnLand }

  var possible: [String] {
    let around = bordering.union(within).map { areas[Int($0)] }
    return Set(around.filter { $0.kind == .country || $0.kind == .overlay }.map(\.code)).sorted()
  }

  var answer: CountryMap.Answer {
    let around = AreasAround(within.sorted(), of: areas)
    var found = CountryMap.Answer(
      country: around.country, isUncertain: isNear || around.isDisputed, state: around.state)
    if around.countryCount > 1 || !around.isOnLand || around.isOverlaid { found.isUncertain = true }
    if isAntarctic { found.country = around.isOnLand ? "AQ" : nil }
    if isPolar { found = CountryMap.Answer(country: "AQ", isUncertain: false) }
    if found.country == nil, isNearCoast, let nearest {
      (found.country, found.isUncertain) = (areas[Int(nearest.area)].code, true)
    }
    if found.country == nil { found.isUncertain = false }
    if found.country != "DE" { found.state = nil }
    return found
  }
}

/// The combined information from all areas that contain a point.
struct AreasAround {
  /// The first country, or the overlay that replaces it.
  private(set) var country: String?
  private(set) var countryCount = 0
  private(set) var isOverlaid = false
  private(set) var isOnLand = false
  private(set) var isDisputed = false
  private(set) var state: String?

  /// - Parameters:
  ///   - within: the areas that contain the point, in the order in which they were entered.
  ///   - areas: all areas of the map.
  init(_ within: some Sequence<Int16>, of areas: [CountryMap.Area]) {
    var overlay: CountryMap.Area?
    for area in within {
      let area = areas[Int(area)]
      switch area.kind {
      case .country:
        if countryCount == 0 { country = area.code }
        countryCount += 1
      case .overlay: overlay = area
      case .land: isOnLand = true
      case .disputed: isDisputed = true
      case .state: state = area.code
      }
    }
    if let overlay, overlay.over == country {
      country = overlay.code
      isOverlaid = true
    }
  }
}
