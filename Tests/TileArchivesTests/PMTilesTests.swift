import Compression
import Foundation
import Testing

@testable import TileArchives

@Suite struct PMTilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ builder: PMTilesBuilder, root: [UInt8]? = nil) throws -> TileArchive {
    try TileArchive(path: try folder.write(builder.file(root: root)))
  }

  /// The examples of the specification (version 3, §4.1), and the corners of a zoom level.
  @Test(arguments: [
    (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
    (3, 0, 0, 21), (12, 3423, 1763, 19_078_479),
  ])
  func `tiles have the ids of the specification`(z: Int, x: Int, y: Int, number: Int) {
    #expect(PMTilesNumber.number(z: z, x: x, y: y) == UInt64(number))
  }

  @Test func `every tile of a zoom has a unique id, next to that of a neighbour`() {
    let side = 32
    let first = PMTilesNumber.number(z: 5, x: 0, y: 0)
    var places: [UInt64: (Int, Int)] = [:]
    for x in 0..<side {
      for y in 0..<side { places[PMTilesNumber.number(z: 5, x: x, y: y)] = (x, y) }
    }
    for number in first..<(first + UInt64(side * side) - 1) {
      guard let here = places[number], let next = places[number + 1] else {
        Issue.record("no tile has the number \(number) or the next")
        return
      }
      #expect(abs(here.0 - next.0) + abs(here.1 - next.1) == 1)
    }
    #expect(places.count == side * side)
  }

  @Test func `a tile and the metadata of the file are read`() throws {
    let tile = Gzip.compress([1, 2, 3])
    let archive = try open(
      PMTilesBuilder(
        root: [.init(tile: 1, offset: 0, length: UInt64(tile.count))], tiles: tile))
    #expect(try archive.tile(z: 1, x: 0, y: 0) == tile)
    #expect(try archive.tile(z: 0, x: 0, y: 0) == nil)
    #expect(try archive.tile(z: 1, x: 0, y: 1) == nil)
    #expect(archive.zooms == 0...14)
    #expect(archive.layers == ["roads", "water"])
    #expect(archive.schema == .protomaps)
    #expect(archive.attribution == "© Example")
    #expect(archive.mediaType == "application/vnd.mapbox-vector-tile")
    #expect(archive.bounds == TileBounds(west: 9.4, south: 46.78, east: 9.67, north: 47.52))
  }

  @Test(arguments: [(-1, 0, 0), (15, 0, 0), (1, 2, 0), (1, 0, 2), (1, -1, 0)])
  func `a tile outside the zoom levels or the world is missing`(z: Int, x: Int, y: Int) throws {
    let archive = try open(
      PMTilesBuilder(root: [.init(tile: 0, offset: 0, length: 1, run: 5)], tiles: [7]))
    #expect(try archive.tile(z: z, x: x, y: y) == nil)
    #expect(try archive.tile(z: 1, x: 1, y: 0) == [7])
  }

  @Test func `a run of equal tiles has the declared length`() throws {
    let archive = try open(
      PMTilesBuilder(root: [.init(tile: 2, offset: 0, length: 1, run: 2)], tiles: [9]))
    #expect(try archive.tile(z: 1, x: 0, y: 0) == nil)  // 1
    #expect(try archive.tile(z: 1, x: 0, y: 1) == [9])  // 2
    #expect(try archive.tile(z: 1, x: 1, y: 1) == [9])  // 3
    #expect(try archive.tile(z: 1, x: 1, y: 0) == nil)  // 4
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `tiles are found through leaf directories`(compression: UInt8) throws {
    var builder = PMTilesBuilder(tiles: [1, 2, 3], internalCompression: compression)
    let near = builder.packed(
      PMTilesBuilder.directory([
        .init(tile: 1, offset: 0, length: 1), .init(tile: 2, offset: 1, length: 1),
      ]))
    let far = builder.packed(PMTilesBuilder.directory([.init(tile: 21, offset: 2, length: 1)]))
    builder.leaves = near + far
    builder.root = [
      .init(tile: 1, offset: 0, length: UInt64(near.count), run: 0),
      .init(tile: 21, offset: UInt64(near.count), length: UInt64(far.count), run: 0),
    ]
    let archive = try open(builder)
    for _ in 1...2 {  // from the file, then from memory
      #expect(try archive.tile(z: 1, x: 0, y: 0) == [1])
      #expect(try archive.tile(z: 1, x: 0, y: 1) == [2])
      #expect(try archive.tile(z: 1, x: 1, y: 0) == nil)
      #expect(try archive.tile(z: 3, x: 0, y: 0) == [3])
    }
  }

  @Test func `a file of 130 GB is read like a small one`() throws {
    let planet: UInt64 = 130_000_000_000
    var builder = PMTilesBuilder(tilesAt: 1 << 20)
    builder.root = [
      .init(tile: 0, offset: 0, length: 3), .init(tile: 21, offset: planet, length: 3),
    ]
    let path = try folder.write(builder.head())
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for offset in [0, planet] {
      try file.seek(toOffset: 1 << 20 + offset)
      try file.write(contentsOf: [4, 5, 6])
    }
    try file.close()
    let archive = try TileArchive(path: path)
    #expect(try archive.tile(z: 3, x: 0, y: 0) == [4, 5, 6])
    #expect(try archive.tile(z: 0, x: 0, y: 0) == [4, 5, 6])
  }

  @Test func `a directory that refers to itself is an error, not an endless loop`() throws {
    var builder = PMTilesBuilder(internalCompression: 1)
    let loop = PMTilesBuilder.directory([.init(tile: 0, offset: 0, length: 5, run: 0)])
    builder.leaves = loop
    builder.root = [.init(tile: 0, offset: 0, length: UInt64(loop.count), run: 0)]
    let archive = try open(builder)
    #expect(throws: UnreadableArchive.self) { try archive.tile(z: 0, x: 0, y: 0) }
  }

  @Test func `a tile past the end of the file is an error`() throws {
    let archive = try open(
      PMTilesBuilder(root: [.init(tile: 0, offset: .max - 300, length: 1)], tiles: [1]))
    #expect(throws: UnreadableArchive.self) { try archive.tile(z: 0, x: 0, y: 0) }
  }

  @Test(arguments: [
    PMTilesBuilder(version: 2), PMTilesBuilder(root: []), PMTilesBuilder(internalCompression: 3),
    PMTilesBuilder(tileCompression: 4), PMTilesBuilder(tileType: 9),
    PMTilesBuilder(zooms: (5, 4)), PMTilesBuilder(zooms: (27, 30)),
  ])
  func `an unsupported file is refused when it is opened`(builder: PMTilesBuilder) throws {
    var builder = builder
    if builder.version == 3, builder.tileType != 1 || builder.tileCompression != 2 {
      builder.root = [.init(tile: 0, offset: 0, length: 1)]
    }
    #expect(throws: UnreadableArchive.self) { try open(builder) }
  }

  @Test(
    arguments: [
      [], [1], [0x80], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
      [255, 255, 255, 255, 255, 255, 255, 255, 255, 2], [1, 0, 1, 0, 1], [1, 0, 1, 1, 0],
      [2, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 1, 1, 1, 1, 1],
    ] as [[UInt8]])
  func `bytes that are not a directory are refused`(root: [UInt8]) throws {
    #expect(throws: UnreadableArchive.self) {
      try open(PMTilesBuilder(internalCompression: 1), root: root)
    }
  }

  @Test func `a truncated file is refused or lacks tiles, and never ends the program`() throws {
    let whole = PMTilesBuilder(
      root: [.init(tile: 0, offset: 0, length: 4)], tiles: [1, 2, 3, 4]
    ).file()
    for length in 0..<whole.count {
      let path = try folder.write(Array(whole.prefix(length)), to: "cut.pmtiles")
      #expect(throws: (any Error).self) {
        _ = try TileArchive(path: path).tile(z: 0, x: 0, y: 0)
      }
    }
  }

  @Test func `any byte of the header may have any value`() throws {
    let whole = PMTilesBuilder(
      root: [.init(tile: 0, offset: 0, length: 4)], tiles: [1, 2, 3, 4], internalCompression: 1
    ).file()
    for place in whole.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = whole
        damaged[place] = value
        let path = try folder.write(damaged, to: "damaged.pmtiles")
        _ = try? TileArchive(path: path).tile(z: 0, x: 0, y: 0)
      }
    }
  }
}
