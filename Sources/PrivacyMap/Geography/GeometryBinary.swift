extension Geometry {
  /// Reads well-known binary in either byte order (OGC 06-103r4). ISO and EWKB flags for heights and measures are
  /// accepted; these values are ignored.
  ///
  /// - Returns: nil if the input is truncated, has trailing bytes, is nested more than 8 levels deep, or has a type
  ///   other than the seven supported ones.
  package init?(wellKnownBinary bytes: some Collection<UInt8>) {
    var reader = BinaryReader(bytes: Array(bytes))
    guard let geometry = reader.geometry(depth: 0), reader.isAtEnd else { return nil }
    self = geometry
  }
}

/// Reads numbers in sequence. Returns nil at the end of the bytes or for an invalid value.
private struct BinaryReader {
  let bytes: [UInt8]
  private var place = 0
  private var isLittleEndian = true

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  /// The header of a geometry before its positions.
  private struct Head {
    let type: UInt32
    /// Numbers per position.
    let dimensions: Int
  }

  mutating func geometry(depth: Int) -> Geometry? {
    guard depth < 8, let head = head() else { return nil }
    switch head.type {
    case 1: return position(head.dimensions).map { .point($0) }
    case 2: return line(head.dimensions).map { .lineString($0) }
    case 3: return lines(head.dimensions).map { .polygon($0) }
    case 4...7: return parts(of: head.type, depth: depth)
    default: return nil
    }
  }

  private mutating func head() -> Head? {
    guard let order = byte(), order <= 1 else { return nil }
    isLittleEndian = order == 1
    guard let code = number(UInt32.self) else { return nil }
    // ISO adds 1000 for heights and 2000 for measures. EWKB sets high bits, the third of which
    // announces a reference system number.
    let plain = code & 0x0FFF_FFFF
    let marks = plain / 1_000
    guard marks <= 3 else { return nil }
    let hasHeight = marks & 1 == 1 || code & 0x8000_0000 != 0
    let hasMeasure = marks & 2 == 2 || code & 0x4000_0000 != 0
    if code & 0x2000_0000 != 0, number(UInt32.self) == nil { return nil }
    return Head(type: plain % 1_000, dimensions: 2 + (hasHeight ? 1 : 0) + (hasMeasure ? 1 : 0))
  }

  private mutating func parts(of type: UInt32, depth: Int) -> Geometry? {
    guard let count = count(atLeast: 5) else { return nil }
    var parts: [Geometry] = []
    for _ in 0..<count {
      guard let part = geometry(depth: depth + 1) else { return nil }
      parts.append(part)
    }
    switch type {
    case 4:
      let points = parts.compactMap { part -> Geometry.Position? in
        if case .point(let position) = part { position } else { nil }
      }
      return points.count == count ? .multiPoint(points) : nil
    case 5:
      let lines = parts.compactMap { part -> [Geometry.Position]? in
        if case .lineString(let line) = part { line } else { nil }
      }
      return lines.count == count ? .multiLineString(lines) : nil
    case 6:
      let polygons = parts.compactMap { part -> [[Geometry.Position]]? in
        if case .polygon(let rings) = part { rings } else { nil }
      }
      return polygons.count == count ? .multiPolygon(polygons) : nil
    default: return .collection(parts)
    }
  }

  private mutating func lines(_ dimensions: Int) -> [[Geometry.Position]]? {
    guard let count = count(atLeast: 4) else { return nil }
    var lines: [[Geometry.Position]] = []
    for _ in 0..<count {
      guard let line = line(dimensions) else { return nil }
      lines.append(line)
    }
    return lines
  }

  private mutating func line(_ dimensions: Int) -> [Geometry.Position]? {
    guard let count = count(atLeast: 8 * dimensions) else { return nil }
    var line: [Geometry.Position] = []
    line.reserveCapacity(count)
    for _ in 0..<count {
      guard let position = position(dimensions) else { return nil }
      line.append(position)
    }
    return line
  }

  private mutating func position(_ dimensions: Int) -> Geometry.Position? {
    guard let x = number(UInt64.self), let y = number(UInt64.self) else { return nil }
    for _ in 2..<dimensions where number(UInt64.self) == nil { return nil }
    return Geometry.Position(Double(bitPattern: x), Double(bitPattern: y))
  }

  /// Reads a count of items of `size` bytes each. Nil if the remaining bytes cannot hold that many.
  private mutating func count(atLeast size: Int) -> Int? {
    guard let count = number(UInt32.self), Int(count) <= (bytes.count - place) / size else {
      return nil
    }
    return Int(count)
  }

  private mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard bytes.count - place >= size else { return nil }
    var number: Number = 0
    for offset in 0..<size {
      let shift = 8 * (isLittleEndian ? offset : size - 1 - offset)
      number |=
        Number(truncatingIfNeeded: bytes[place + offset]) << Number(truncatingIfNeeded: shift)
    }
    place += size
    return number
  }
}
