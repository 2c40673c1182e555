/// The polygons of a border, with corners in the units of ``FixedPosition``.
///
/// Border files store them in this form, all numbers little-endian:
///
///     number of polygons  UInt32
///       number of rings   UInt32, the outer ring first
///         number of corners UInt32, at least 3; the first corner is not repeated
///           longitude, latitude  Int32 each
package struct RegionShape: Hashable, Sendable {
  package typealias Ring = [FixedPosition]

  /// The rings of each polygon, the outer ring first.
  package let polygons: [[Ring]]

  package init(polygons: [[Ring]]) {
    self.polygons = polygons
  }

  /// Reads the form of border files. Nil if the bytes are not in this form.
  package init?(bytes: [UInt8]) {
    var reader = ShapeReader(bytes: bytes)
    guard let count = reader.count(ofAtLeast: 4 + 4 + 24) else { return nil }
    var polygons: [[Ring]] = []
    for _ in 0..<count {
      guard let ringCount = reader.count(ofAtLeast: 4 + 24), ringCount > 0 else { return nil }
      var rings: [Ring] = []
      for _ in 0..<ringCount {
        guard let ring = reader.ring() else { return nil }
        rings.append(ring)
      }
      polygons.append(rings)
    }
    guard reader.isAtEnd else { return nil }
    self.polygons = polygons
  }

  /// The form of border files.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: UInt32) {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
      }
    }
    append(UInt32(clamping: polygons.count))
    for rings in polygons {
      append(UInt32(clamping: rings.count))
      for ring in rings {
        append(UInt32(clamping: ring.count))
        for corner in ring {
          append(UInt32(bitPattern: corner.longitude))
          append(UInt32(bitPattern: corner.latitude))
        }
      }
    }
    return bytes
  }

  /// The box around all corners. Empty without corners.
  package var bounds: FixedBox {
    var box = FixedBox.nothing
    for ring in polygons.joined() {
      for corner in ring { box.formUnion(FixedBox(corner)) }
    }
    return box
  }

  /// The well-known binary form of a multipolygon (OGC 06-103r4) whose coordinates are whole units, so that a database
  /// calculates with exact numbers.
  package var wellKnownBinary: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func header(_ kind: UInt32, _ count: Int) {
      bytes.append(1)
      append(kind)
      append(UInt32(clamping: count))
    }
    header(6, polygons.count)
    for rings in polygons {
      header(3, rings.count)
      for ring in rings {
        append(UInt32(clamping: ring.count + 1))
        for corner in ring + ring.prefix(1) {
          append(Double(corner.longitude).bitPattern)
          append(Double(corner.latitude).bitPattern)
        }
      }
    }
    return bytes
  }
}

/// Reads little-endian numbers.
private struct ShapeReader {
  let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  private mutating func number() -> UInt32? {
    guard bytes.count - offset >= 4 else { return nil }
    defer { offset += 4 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// A number of parts that have at least `size` bytes each. Nil if the rest is too short for them.
  mutating func count(ofAtLeast size: Int) -> Int? {
    guard let count = number().map(Int.init), count <= (bytes.count - offset) / size else {
      return nil
    }
    return count
  }

  mutating func ring() -> RegionShape.Ring? {
    guard let count = count(ofAtLeast: 8), count >= 3 else { return nil }
    var ring = RegionShape.Ring()
    ring.reserveCapacity(count)
    for _ in 0..<count {
      guard let x = number(), let y = number() else { return nil }
      let corner = FixedPosition(
        longitude: Int32(bitPattern: x), latitude: Int32(bitPattern: y))
      guard FixedBox.world.contains(corner) else { return nil }
      ring.append(corner)
    }
    return ring
  }
}
