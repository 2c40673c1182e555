import Compression
import Foundation
import JSON
import Testing

@testable import TileArchives

/// Written files, read by ``TileArchive``, which other tests compare with the specification.
@Suite struct PMTilesWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.url.appendingPathComponent("written.pmtiles").path }

  private static let metadata: JSONValue = [
    "attribution": "© Example", "vector_layers": [["id": "devices", "fields": [:]]],
  ]

  private func tile(_ number: Int) -> [UInt8] { Gzip.compress(Array("tile \(number)".utf8)) }

  /// A file with tiles of one zoom, in the order of their numbers.
  private func write(z: Int, side: Int) throws -> [(x: Int, y: Int)] {
    let places = (0..<side).flatMap { x in (0..<side).map { (x: x, y: $0) } }.sorted {
      PMTilesNumber.number(z: z, x: $0.x, y: $0.y) < PMTilesNumber.number(z: z, x: $1.x, y: $1.y)
    }
    var writer = try PMTilesWriter(path: path)
    for (number, place) in places.enumerated() {
      try writer.add(z: z, x: place.x, y: place.y, tile(number))
    }
    try writer.finish(metadata: Self.metadata, bounds: .world)
    return places
  }

  @Test func `tiles, metadata, zooms and bounds are read again`() throws {
    let bounds = try #require(TileBounds(west: -17.3, south: 32.4, east: -16.2, north: 33.2))
    var writer = try PMTilesWriter(path: path)
    try writer.add(z: 1, x: 0, y: 0, tile(0))
    try writer.add(z: 2, x: 1, y: 1, tile(1))
    #expect(writer.count == 2)
    try writer.finish(metadata: Self.metadata, bounds: bounds)
    let archive = try TileArchive(path: path)
    #expect(try archive.tile(z: 1, x: 0, y: 0) == tile(0))
    #expect(try archive.tile(z: 2, x: 1, y: 1) == tile(1))
    #expect(try archive.tile(z: 2, x: 0, y: 0) == nil)
    #expect(archive.zooms == 1...2)
    #expect(archive.bounds == bounds)
    #expect(archive.attribution == "© Example")
    #expect(archive.layers == ["devices"])
    #expect(archive.mediaType == "application/vnd.mapbox-vector-tile")
  }

  /// 16,384 entries do not have room in the root directory.
  @Test(arguments: [1, 64, 128])
  func `files of any number of tiles are read again`(side: Int) throws {
    let places = try write(z: 9, side: side)
    let archive = try TileArchive(path: path)
    for number in stride(from: 0, to: places.count, by: max(1, places.count / 200)) {
      let place = places[number]
      #expect(try archive.tile(z: 9, x: place.x, y: place.y) == tile(number))
    }
    #expect(try archive.tile(z: 9, x: side, y: 0) == nil)
  }

  @Test func `a file is replaced as a whole`() throws {
    _ = try write(z: 9, side: 64)
    _ = try write(z: 3, side: 1)
    let archive = try TileArchive(path: path)
    #expect(archive.zooms == 3...3)
    #expect(try archive.tile(z: 3, x: 0, y: 0) == tile(0))
  }

  @Test(arguments: [(1, 0, 0), (0, 0, 0)])
  func `a tile that does not follow the one before is refused`(z: Int, x: Int, y: Int) throws {
    var writer = try PMTilesWriter(path: path)
    try writer.add(z: 1, x: 0, y: 0, tile(0))
    #expect(throws: UnwritableArchive.self) { try writer.add(z: z, x: x, y: y, tile(1)) }
  }

  @Test func `a folder that does not exist is named`() {
    #expect(throws: UnwritableArchive.self) {
      _ = try PMTilesWriter(path: folder.url.path + "/none/file.pmtiles")
    }
  }
}
