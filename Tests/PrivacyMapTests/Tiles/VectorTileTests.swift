import Testing

@testable import PrivacyMap

@Suite struct VectorTileTests {
  private let vocabulary = TileVocabulary(
    categories: ["camera_fixed", "câmara", "beacon"], statuses: ["reported", "confirmed"],
    precisions: ["exact", "1km"])

  private let device = TileDevice(
    rowid: 300, id: DeviceID(high: 0x0190_1234_5678_7abc, low: 0x8def_0123_4567_89ab), x: 0,
    y: 4_095, category: 1, status: 0, precision: 1, bearing: IndexedPoint.noBearing)

  private let cluster = TileCluster(
    id: 1 << 51 | 7, count: 1_000_000, x: 4_095, y: 0,
    box: FixedBox(west: -1_800_000_000, south: -1, east: 1, north: 900_000_000), isStack: false,
    leading: [CategoryCount(category: 2, count: 300), CategoryCount(category: 0, count: 2)])

  private func encode(_ clusters: [TileCluster], _ devices: [TileDevice]) -> [UInt8] {
    VectorTile.encode(TileContent(clusters: clusters, devices: devices), vocabulary)
  }

  @Test func `an empty tile has no bytes`() {
    #expect(encode([], []).isEmpty)
  }

  @Test func `a layer without features is left out`() throws {
    #expect(try VectorTileReader.layers(encode([], [device])).keys.sorted() == ["devices"])
    #expect(try VectorTileReader.layers(encode([cluster], [])).keys.sorted() == ["clusters"])
    #expect(
      try VectorTileReader.layers(encode([cluster], [device])).keys.sorted() == [
        "clusters", "devices",
      ])
  }

  @Test func `layers have version 2 and extent 4096`() throws {
    for layer in try VectorTileReader.layers(encode([cluster], [device])).values {
      #expect(layer.version == 2)
      #expect(layer.extent == 4_096)
    }
  }

  @Test func `a device reads back unchanged`() throws {
    var other = device
    other.bearing = 359
    other.x = 4_095
    let layer = try #require(try VectorTileReader.layers(encode([], [device, other]))["devices"])
    let first = layer.features[0]
    #expect(first.id == 300)
    #expect(first.x == 0)
    #expect(first.y == 4_095)
    #expect(
      first.properties == [
        "id": .text(device.id.text), "category": .text("câmara"), "status": .text("reported"),
        "precision": .text("1km"),
      ])
    #expect(layer.features[1].properties["bearing"] == .unsigned(359))
    #expect(layer.features[1].x == 4_095)
  }

  @Test func `an id has the same text as in other responses`() throws {
    let layer = try #require(try VectorTileReader.layers(encode([], [device]))["devices"])
    #expect(
      layer.features[0].properties["id"] == .text("01901234-5678-7abc-8def-0123456789ab"))
  }

  @Test func `a cluster reads back unchanged`() throws {
    var stack = cluster
    stack.id = 8
    stack.isStack = true
    let layer = try #require(try VectorTileReader.layers(encode([cluster, stack], []))["clusters"])
    let first = layer.features[0]
    #expect(first.id == 1 << 51 | 7)
    #expect(first.x == 4_095)
    #expect(first.y == 0)
    #expect(
      first.properties == [
        "count": .unsigned(1_000_000), "category_1": .text("beacon"), "count_1": .unsigned(300),
        "category_2": .text("camera_fixed"), "count_2": .unsigned(2), "west": .double(-180),
        "south": .double(-0.000_000_1), "east": .double(0.000_000_1), "north": .double(90),
      ])
    #expect(layer.features[1].properties["stack"] == .bool(true))
  }

  @Test func `keys and values are written once`() throws {
    let devices = (0..<50).map { row in
      var device = device
      device.rowid = UInt32(row)
      device.id = DeviceID(high: 1, low: UInt64(row))
      return device
    }
    let layer = try #require(try VectorTileReader.layers(encode([], devices))["devices"])
    #expect(layer.features.count == 50)
    #expect(Set(layer.keys).count == layer.keys.count)
    #expect(Set(layer.values).count == layer.values.count)
    // One identifier each, and one category, status and precision for all.
    #expect(layer.values.count == 53)
  }

  @Test func `a code without a term is left out`() throws {
    var device = device
    device.category = 3
    device.status = 255
    let layer = try #require(try VectorTileReader.layers(encode([], [device]))["devices"])
    #expect(layer.features[0].properties.keys.sorted() == ["id", "precision"])
  }

  @Test func `the same content gives the same bytes, whatever its order in the index`() throws {
    var world = RandomWorld(seed: 71, count: 400, mergeFloor: 20)
    for _ in 0..<30 { world.change(3) }
    var rebuilt = PointIndex.Builder()
    for point in world.points.values { rebuilt.append(point) }
    let fresh = rebuilt.finish(sequence: 0)
    for (z, x, y) in [(0, 0, 0), (12, 2_048, 2_048), (16, 32_768, 32_768)] {
      let address = try #require(TileAddress(z: z, x: x, y: y))
      let one = VectorTile.encode(world.index.tile(address, matching: PointFilter()), vocabulary)
      let other = VectorTile.encode(fresh.tile(address, matching: PointFilter()), vocabulary)
      #expect(one == other)
    }
  }

  @Test(
    arguments: [(0, 0), (-1, 1), (1, 2), (.max, 0xFFFF_FFFE), (.min, 0xFFFF_FFFF)]
      as [(Int32, UInt64)])
  func `signed numbers are zigzag-encoded`(value: Int32, folded: UInt64) {
    #expect(ProtobufWriter.zigzag(value) == folded)
  }
}
