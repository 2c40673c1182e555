import PrivacyMap
import Testing

/// The public point of a place reveals no more than its precision allows.
@Suite struct PublicPointTests {
  private static let places: [Coordinate] = {
    var state: UInt64 = 5
    func number(_ limit: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * limit
    }
    return (0..<500).map { _ in Coordinate.clamped(longitude: number(180), latitude: number(90)) }
  }()

  @Test func `an exact place is published with seven decimals`() throws {
    let place = try Coordinate(longitude: 7.123456789, latitude: -46.987654321)
    let shown = Precision.exact.publicPoint(for: place)
    #expect(shown.longitude == 7.1234568 && shown.latitude == -46.9876543)
  }

  @Test(arguments: Precision.allCases)
  func `the same place always has the same public point`(precision: Precision) {
    for place in Self.places {
      let point = precision.publicPoint(for: place)
      #expect(precision.publicPoint(for: place) == point)
      #expect(precision.publicPoint(for: point) == point)
    }
  }

  @Test(arguments: Precision.allCases.filter { $0.cellSize != nil })
  func `the public point is within half a cell's diagonal`(precision: Precision) {
    let size = precision.cellSize ?? 0
    for place in Self.places where abs(place.latitude) < 89 {
      let distance = place.distance(to: precision.publicPoint(for: place))
      // Cells of a row are equal and a little wider than the size, but less than twice as wide.
      #expect(distance < size * 1.5, "\(place)")
    }
  }

  @Test(arguments: Precision.allCases.filter { $0.cellSize != nil })
  func `places in the same cell have the same public point`(precision: Precision) throws {
    let size = precision.cellSize ?? 0
    for place in Self.places.prefix(100) where abs(place.latitude) < 80 {
      let centre = precision.publicPoint(for: place)
      let step = size / 2 * 0.9 / 111_195
      for (east, north) in [(step, 0.0), (-step, 0), (0, step), (0, -step)] {
        let neighbour = Coordinate.clamped(
          longitude: centre.longitude + east, latitude: centre.latitude + north)
        #expect(precision.publicPoint(for: neighbour) == centre)
      }
    }
  }

  @Test(arguments: Precision.allCases)
  func `a coarser point follows from a finer one, so both reveal only the finer`(
    finer: Precision
  ) {
    for coarser in Precision.allCases where finer.isFiner(than: coarser) {
      for place in Self.places {
        let seen = finer.publicPoint(for: place)
        #expect(coarser.publicPoint(for: seen) == coarser.publicPoint(for: place), "\(place)")
      }
    }
  }

  @Test func `places at the edge of a cell have the public point of their cell`() throws {
    // The edge of a cell, and a place nearer to it than seven decimals show.
    let place = try Coordinate(longitude: 7.4391827, latitude: 46.9518273)
    for precision in Precision.allCases {
      guard let cell = precision.cell(of: place) else { continue }
      for step in [-4e-8, -1e-8, 0, 1e-8, 4e-8] {
        for (longitude, latitude) in [
          (cell.west + step, place.latitude), (place.longitude, cell.north + step),
        ] {
          let near = try Coordinate(longitude: longitude, latitude: latitude)
          let published = Precision.exact.publicPoint(for: near)
          #expect(precision.publicPoint(for: near) == precision.publicPoint(for: published))
        }
      }
    }
  }

  @Test(arguments: Precision.allCases)
  func `a place is inside its cell, and the point at the centre`(precision: Precision) throws {
    for place in Self.places {
      let point = precision.publicPoint(for: place)
      guard let cell = precision.cell(of: place) else {
        #expect(precision == .exact)
        continue
      }
      #expect(cell.contains(Precision.exact.publicPoint(for: place)) && cell.contains(point))
      #expect(precision.cell(of: point) == cell)
      #expect(abs((cell.west + cell.east) / 2 - point.longitude) < 1e-7)
      #expect(abs((cell.south + cell.north) / 2 - point.latitude) < 1e-7)
    }
  }

  @Test func `the coarser of two precisions is the one with the larger cell`() {
    for (position, one) in Precision.allCases.enumerated() {
      for (other, precision) in Precision.allCases.enumerated() {
        #expect(one.coarser(precision) == Precision.allCases[max(position, other)])
        #expect(one.isFiner(than: precision) == (position < other))
      }
    }
  }

  @Test(arguments: Precision.allCases)
  func `the poles and the antimeridian have points inside the world`(precision: Precision) throws {
    for (longitude, latitude) in [
      (180.0, 90.0), (-180, 90), (180, -90), (-180, -90), (0, 90), (180, 0), (-180, 0),
    ] {
      let point = precision.publicPoint(
        for: try Coordinate(longitude: longitude, latitude: latitude))
      #expect(abs(point.longitude) <= 180 && abs(point.latitude) <= 90)
    }
  }

  @Test func `a coarse point contains no digits of the true place`() throws {
    let one = try Coordinate(longitude: 7.4391827, latitude: 46.9518273)
    let other = try Coordinate(longitude: 7.4391001, latitude: 46.9518999)
    for precision in [Precision.kilometre, .area] {
      #expect(precision.publicPoint(for: one) == precision.publicPoint(for: other))
    }
  }
}
