import Foundation
import PrivacyMap
import Testing

/// The coarse cells of feeds of changes.
@Suite struct WatchCellTests {
  private func cell(_ longitude: Double, _ latitude: Double) throws -> WatchCell {
    WatchCell(of: try Coordinate(longitude: longitude, latitude: latitude))
  }

  /// Corners and middles of all rows, where zones begin and end.
  private static let latitudes = stride(from: -90.0, through: 90, by: 0.125)
  private static let longitudes = [
    -180, -179.75, -44.125, -0.25, 0, 0.249_999_9, 6.143_2, 179.999_999_9,
  ]

  @Test func `a place lies in the box of its cell, and the number leads back to the cell`() throws {
    for latitude in Self.latitudes {
      for longitude in Self.longitudes {
        let place = try Coordinate(longitude: longitude, latitude: latitude)
        let cell = WatchCell(of: place)
        #expect(cell.box.contains(place), "\(place) \(cell)")
        #expect(WatchCell(number: cell.number) == cell)
      }
    }
  }

  /// Metres of a degree of longitude on a parallel of the ellipsoid of WGS 84.
  private func metresOfDegree(at latitude: Double) -> Double {
    let angle = latitude * .pi / 180
    let flattening = 0.006_694_38 * sin(angle) * sin(angle)
    return .pi / 180 * 6_378_137 * cos(angle) / (1 - flattening).squareRoot()
  }

  @Test func `no side of a cell is shorter than 20 km`() throws {
    for latitude in Self.latitudes {
      let box = try cell(10.1, latitude).box
      // The shortest degree of latitude, at the equator.
      #expect((box.north - box.south) * 110_574 >= 20_000)
      let isCap = box.east - box.west == 360
      let narrowest = isCap ? 87 : max(abs(box.south), abs(box.north))
      #expect((box.east - box.west) * metresOfDegree(at: narrowest) >= 20_000, "\(box)")
    }
  }

  @Test func `an edge belongs to the cell north and east of it`() throws {
    #expect(try cell(0, 0) == cell(0.249_999_9, 0.249_999_9))
    #expect(try cell(0, 0) != cell(-0.000_000_1, 0))
    #expect(try cell(0, 0) != cell(0, -0.000_000_1))
    #expect(try cell(0, 0) != cell(0.25, 0))
    #expect(try cell(0, 0) != cell(0, 0.25))
  }

  @Test func `cells are twice as wide beyond 44 degrees, on both sides of the equator`() throws {
    #expect(try cell(0.1, 43.999_999_9) != cell(0.4, 43.999_999_9))
    #expect(try cell(0.1, 44) == cell(0.4, 44))
    #expect(try cell(0.1, -44) != cell(0.4, -44))
    #expect(try cell(0.1, -44.000_000_1) == cell(0.4, -44.000_000_1))
  }

  @Test func `the antimeridian is an edge with one cell on each side`() throws {
    #expect(try cell(180, 10) == cell(-180, 10))
    #expect(try cell(180, 10) == cell(-179.8, 10))
    #expect(try cell(179.999_999_9, 10) != cell(180, 10))
    #expect(try cell(180, 60) == cell(-179.6, 60))
  }

  @Test func `each cap is one cell`() throws {
    #expect(try cell(0, 90) == cell(179, 87))
    #expect(try cell(0, 90).number == 1_035_360)
    #expect(try cell(0, 87) != cell(0, 86.999_999_9))
    #expect(try cell(0, -90).number == 0)
    #expect(try cell(0, -90) == cell(-179, -87.000_000_1))
    #expect(try cell(0, -87) != cell(0, -87.000_000_1))
  }

  @Test(arguments: [
    -1, 1, 1_440, 184 * 1_440 - 1, 183 * 1_440 + 720, 1_035_361, 1_036_800, .min, .max,
  ])
  func `a number between the cells names none`(number: Int) {
    #expect(WatchCell(number: number) == nil)
  }

  @Test(arguments: [
    0, 12 * 1_440, 12 * 1_440 + 89, 183 * 1_440 + 719, 184 * 1_440 + 1_439, 1_035_360,
  ])
  func `the last cell of a row exists`(number: Int) {
    #expect(WatchCell(number: number)?.number == number)
  }
}
