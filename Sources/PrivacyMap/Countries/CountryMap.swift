/// The countries of the world, read from the file that set-up creates (`data/countries.bin`,
/// docs/explanation/countries.md).
///
/// The world is divided into cells of half a degree. Each cell stores the areas that contain its centre and the lines
/// that run through it or within 5.5 km of it. A lookup therefore reads one cell: it follows the line from the
/// centre to the point and notes which areas it enters and leaves.
package struct CountryMap: Sendable {
  /// The kind of an area.
  package enum Kind: String, Sendable {
    /// A country or territory with its territorial waters.
    case country
    /// A country drawn over another.
    case overlay
    /// Land. All other area is sea.
    case land
    /// An area whose sovereignty is disputed.
    case disputed
    /// A part of a country with its own ISO 3166-2 code.
    case state
  }

  /// An area in the file.
  struct Area: Sendable {
    let kind: Kind
    let code: String
    /// For an overlay: the country over which it is drawn. An overlay is drawn larger than the territory so that it
    /// touches its other neighbours.
    let over: String?
  }

  /// The result of a lookup.
  package struct Answer: Equatable, Sendable {
    /// ISO 3166-1 alpha-2, and `XK` for Kosovo; nil in the open sea.
    package var country: String?
    /// Whether another country is possible: near a border or a coast, at sea, or in a disputed
    /// area.
    package var isUncertain: Bool
    /// ISO 3166-2 code, where the map contains it: the states of Germany.
    package var state: String? = nil
  }

  /// The file is not a valid country map.
  package struct InvalidFile: Error {}

  /// Differs for every map file.
  package let digest: String
  /// Attribution of the map data.
  package let attribution: String
  let areas: [Area]
  /// Where the record of each cell begins.
  let index: [UInt32]
  private(set) var records: [Int16]

  static let cellsPerDegree = 2
  static let columns = 720
  static let rows = 360
  /// The largest accepted file, in bytes.
  private static let limit = 32 << 20

  /// Reads a file written by set-up.
  ///
  /// - Throws: ``InvalidFile`` when the format is wrong, or a record points outside the file.
  package init(_ file: [UInt8]) throws(InvalidFile) {
    guard file.count <= Self.limit else { throw InvalidFile() }
    var offset = 0
    func line() -> String? {
      let rest = file[offset...]
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      offset = end + 1
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    guard line() == "farol-countries 1", let digest = line(), let attribution = line(),
      let counts = line()?.split(separator: " ").map({ Int($0) }), counts.count == 3,
      let areaCount = counts[0], let cellCount = counts[1], let recordCount = counts[2],
      (1...1_000).contains(areaCount), cellCount == Self.columns * Self.rows,
      (1...Self.limit).contains(recordCount)
    else { throw InvalidFile() }
    var areas: [Area] = []
    for _ in 0..<areaCount {
      let parts = line()?.split(separator: " ") ?? []
      guard let name = parts.first, let kind = Kind(rawValue: String(name)) else {
        throw InvalidFile()
      }
      let codes = parts.dropFirst().map(String.init)
      areas.append(Area(kind: kind, code: codes.first ?? "", over: codes.dropFirst().first))
    }
    guard file.count == offset + cellCount * 4 + recordCount * 2 else { throw InvalidFile() }
    index = Self.numbers(file[offset..<offset + cellCount * 4]).map { UInt32(littleEndian: $0) }
    records = Self.numbers(file[(offset + cellCount * 4)...])
    if Int16(littleEndian: 1) != 1 { records = records.map { Int16(littleEndian: $0) } }
    self.digest = digest
    self.attribution = attribution
    self.areas = areas
    guard Set(index).allSatisfy({ Self.isRecord($0, in: records, areaCount) }) else {
      throw InvalidFile()
    }
  }

  /// Decodes the bytes as numbers.
  private static func numbers<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> [Number] {
    let size = MemoryLayout<Number>.size
    let count = bytes.count / size
    return [Number](unsafeUninitializedCapacity: count) { numbers, filled in
      UnsafeMutableRawBufferPointer(numbers).copyBytes(from: bytes.prefix(count * size))
      filled = count
    }
  }

  /// Whether a record starts at `start`, ends within the file and refers only to existing areas.
  /// Lookups rely on this check.
  private static func isRecord(_ start: UInt32, in records: [Int16], _ areaCount: Int) -> Bool {
    var place = Int(start)
    func number() -> Int? {
      guard place < records.count else { return nil }
      defer { place += 1 }
      return Int(records[place])
    }
    func hasAreas() -> Bool {
      guard let count = number(), count >= 0 else { return false }
      for _ in 0..<count {
        guard let area = number(), (0..<areaCount).contains(area) else { return false }
      }
      return true
    }
    guard hasAreas(), let pieces = number(), pieces >= 0 else { return false }
    for _ in 0..<pieces {
      guard hasAreas(), let points = number(), points >= 2 else { return false }
      place += points * 2
    }
    return place <= records.count
  }

  /// The country codes that lookups can return.
  package var codes: Set<String> {
    Set(areas.filter { [.country, .overlay].contains($0.kind) }.map(\.code))
  }
}
