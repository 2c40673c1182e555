import PrivacyMap
import Testing

@Suite struct BoundingBoxTests {
  @Test func `four numbers are the edges, six include heights`() throws {
    let box = try BoundingBox(bbox: "-10,-20,30,40")
    #expect(box.west == -10 && box.south == -20 && box.east == 30 && box.north == 40)
    #expect(try BoundingBox(bbox: "-10,-20,0,30,40,99") == box)
  }

  @Test func `every edge is inside and one step past each is not`() throws {
    let box = try BoundingBox(west: 1, south: 2, east: 3, north: 4)
    for (longitude, latitude) in [(1.0, 2.0), (1, 4), (3, 2), (3, 4), (2, 3)] {
      #expect(box.contains(try Coordinate(longitude: longitude, latitude: latitude)))
    }
    for (longitude, latitude) in [
      (1.0.nextDown, 3), (3.0.nextUp, 3), (2, 2.0.nextDown), (2, 4.0.nextUp),
    ] {
      #expect(!box.contains(try Coordinate(longitude: longitude, latitude: latitude)))
    }
  }

  @Test func `a west greater than the east crosses the antimeridian`() throws {
    let box = try BoundingBox(west: 170, south: -10, east: -170, north: 10)
    #expect(box.crossesAntimeridian && box.halves.count == 2)
    for longitude in [170.0, 180, -180, -170] {
      let place = try Coordinate(longitude: longitude, latitude: 0)
      #expect(box.contains(place))
      #expect(box.halves.contains { $0.contains(place) })
    }
    for longitude in [169.9, -169.9, 0] {
      let place = try Coordinate(longitude: longitude, latitude: 0)
      #expect(!box.contains(place))
      #expect(!box.halves.contains { $0.contains(place) })
    }
    #expect(try BoundingBox(west: -10, south: 0, east: 10, north: 1).halves.count == 1)
  }

  @Test func `an error names the first fault`() {
    func fault(_ text: String) -> InvalidLocation? {
      do throws(InvalidLocation) {
        _ = try BoundingBox(bbox: text)
        return nil
      } catch { return error }
    }
    #expect(fault("1,2,3") == .wrongCount(3, expected: "4 or 6"))
    #expect(fault("1,2,3,4,5") == .wrongCount(5, expected: "4 or 6"))
    #expect(fault("1,x,3,4") == .notANumber("x"))
    #expect(fault("181,0,0,1") == .longitude("181.0"))
    #expect(fault("0,0,-180.5,1") == .longitude("-180.5"))
    #expect(fault("0,-91,0,1") == .latitude("-91.0"))
    #expect(fault("0,10,0,5") == .swappedLatitudes(south: 10, north: 5))
    #expect(fault("0,nan,0,1") == .notANumber("nan"))
    #expect(fault("180,-90,-180,90") == nil)
  }
}
