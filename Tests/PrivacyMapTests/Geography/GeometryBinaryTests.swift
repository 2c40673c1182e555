import Testing

@testable import PrivacyMap

/// Geometries as well-known binary.
@Suite struct GeometryBinaryTests {
  private static func position(_ x: Double, _ y: Double) -> Geometry.Position { .init(x, y) }
  private static let ring = [(0.0, 0.0), (4, 0), (4, 4), (0, 0)].map { position($0.0, $0.1) }

  static let shapes: [Geometry] = [
    .point(position(-7.5, 46.25)), .lineString([position(0, 0), position(1, 2)]),
    .polygon([ring, ring]), .multiPoint([position(1, 2), position(3, 4)]),
    .multiLineString([[position(0, 0), position(1, 2)], [position(5, 6), position(7, 8)]]),
    .multiPolygon([[ring], [ring, ring]]),
    .collection([.point(position(1, 2)), .collection([.polygon([ring])])]),
  ]

  @Test(arguments: shapes)
  func `a written geometry reads back unchanged`(shape: Geometry) {
    #expect(Geometry(wellKnownBinary: shape.wellKnownBinary) == shape)
  }

  @Test(arguments: shapes)
  func `truncated binary and extra bytes are refused`(shape: Geometry) {
    let bytes = shape.wellKnownBinary
    for length in 0..<bytes.count {
      #expect(Geometry(wellKnownBinary: bytes.prefix(length)) == nil, "\(length)")
    }
    #expect(Geometry(wellKnownBinary: bytes + [0]) == nil)
  }

  /// A point with any byte order and type flags.
  private func point(
    _ type: UInt32, _ numbers: [Double], isLittle: Bool = true, before: [UInt8] = []
  ) -> [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
      return isLittle ? little : little.reversed()
    }
    return [isLittle ? 1 : 0] + bytes(UInt64(type), 4) + before
      + numbers.flatMap { bytes($0.bitPattern, 8) }
  }

  @Test func `both byte orders are read`() {
    let expected = Geometry.point(Self.position(1.5, -2))
    #expect(Geometry(wellKnownBinary: point(1, [1.5, -2])) == expected)
    #expect(Geometry(wellKnownBinary: point(1, [1.5, -2], isLittle: false)) == expected)
    #expect(Geometry(wellKnownBinary: [2] + point(1, [1.5, -2]).dropFirst()) == nil)
  }

  @Test func `heights, measures and the SRID are ignored`() {
    let expected = Geometry.point(Self.position(1, 2))
    for type: UInt32 in [1_001, 2_001, 0x8000_0001, 0x4000_0001] {
      #expect(Geometry(wellKnownBinary: point(type, [1, 2, 3])) == expected, "\(type)")
      #expect(Geometry(wellKnownBinary: point(type, [1, 2])) == nil, "\(type)")
    }
    #expect(Geometry(wellKnownBinary: point(3_001, [1, 2, 3, 4])) == expected)
    #expect(Geometry(wellKnownBinary: point(0xC000_0001, [1, 2, 3, 4])) == expected)
    let marked = point(0x2000_0001, [1, 2], before: [0xE6, 0x10, 0, 0])
    #expect(Geometry(wellKnownBinary: marked) == expected)
  }

  @Test(arguments: [UInt32(0), 8, 15, 4_001, 1_000, .max])
  func `another type is refused`(type: UInt32) {
    #expect(Geometry(wellKnownBinary: point(type, [1, 2])) == nil)
  }

  @Test func `a count beyond the data allocates no memory`() {
    for type: UInt8 in 2...7 {
      #expect(
        Geometry(wellKnownBinary: [1, type, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + [0, 0, 0]) == nil)
    }
  }

  @Test func `the nesting of collections is limited`() {
    var shape = Geometry.collection([.point(Self.position(1, 2))])
    for _ in 0..<6 { shape = .collection([shape]) }
    #expect(Geometry(wellKnownBinary: shape.wellKnownBinary) == shape)
    #expect(Geometry(wellKnownBinary: Geometry.collection([shape]).wellKnownBinary) == nil)
  }

  @Test func `the parts of a multi-geometry have its type`() {
    var bytes = Geometry.multiPoint([Self.position(1, 2)]).wellKnownBinary
    bytes[1] = 5
    #expect(Geometry(wellKnownBinary: bytes) == nil)
  }
}
