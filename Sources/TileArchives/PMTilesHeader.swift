/// The first 127 bytes of a PMTiles file (PMTiles specification, version 3, chapter 3).
///
/// All numbers are little-endian.
package struct PMTilesHeader {
  static let magic = Array("PMTiles".utf8)
  static let size = 127

  /// A section of the file, in bytes.
  struct Section {
    let offset: UInt64
    let length: UInt64
  }

  enum Compression: UInt8 {
    case none = 1
    case gzip = 2
  }

  let root: Section
  let metadata: Section
  let leaves: Section
  let tiles: Section
  let internalCompression: Compression
  let zooms: ClosedRange<Int>
  let bounds: TileBounds?
  let mediaType: String

  /// - Parameters:
  ///   - bytes: the beginning of the file, at least ``size`` bytes.
  ///   - path: named in errors.
  /// - Throws: ``UnreadableArchive`` for another version, and for compressions and tile types that
  ///   browsers cannot read without a library.
  init(_ bytes: [UInt8], path: String) throws {
    guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else {
      throw UnreadableArchive(path, "is not a PMTiles file")
    }
    guard bytes[7] == 3 else {
      throw UnreadableArchive(path, "is PMTiles version \(bytes[7]); only version 3 is supported")
    }
    func number(_ place: Int, _ width: Int) -> UInt64 {
      (0..<width).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }
    func section(_ place: Int) -> Section {
      Section(offset: number(place, 8), length: number(place + 8, 8))
    }
    func degrees(_ place: Int) -> Double {
      Double(Int32(truncatingIfNeeded: number(place, 4))) / 10_000_000
    }
    root = section(8)
    metadata = section(24)
    leaves = section(40)
    tiles = section(56)
    guard let inner = Compression(rawValue: bytes[97]),
      Compression(rawValue: bytes[98]) != nil
    else {
      throw UnreadableArchive(path, "uses a compression other than gzip")
    }
    internalCompression = inner
    guard let mediaType = Self.mediaTypes[bytes[99]] else {
      throw UnreadableArchive(path, "contains tiles of an unknown type")
    }
    self.mediaType = mediaType
    let (lowest, highest) = (Int(bytes[100]), Int(bytes[101]))
    guard lowest <= highest, lowest <= TileDescription.deepest else {
      throw UnreadableArchive(path, "has invalid zoom levels")
    }
    zooms = lowest...min(highest, TileDescription.deepest)
    bounds = TileBounds(
      west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
  }

  /// The bytes of the header of a file with tiles in the order of their numbers, each with its own content. All
  /// is compressed with gzip. Viewers begin with the whole area at the lowest zoom.
  static func written(
    root: Section, metadata: Section, leaves: Section, tiles: Section, count: UInt64,
    zooms: ClosedRange<Int>, bounds: TileBounds, content: Content
  ) -> [UInt8] {
    var bytes = magic + [3]
    func append(_ number: UInt64, _ width: Int) {
      for place in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
      }
    }
    func append(degrees: Double) {
      append(UInt64(UInt32(bitPattern: Int32((degrees * 10_000_000).rounded()))), 4)
    }
    for section in [root, metadata, leaves, tiles] {
      append(section.offset, 8)
      append(section.length, 8)
    }
    // Tiles that have an address, entries, contents.
    for _ in 0..<3 { append(count, 8) }
    let isClustered: UInt8 = 1
    let gzip = Compression.gzip.rawValue
    let (lowest, highest) = (UInt8(clamping: zooms.lowerBound), UInt8(clamping: zooms.upperBound))
    bytes += [isClustered, gzip, gzip, content.rawValue, lowest, highest]
    for edge in [bounds.west, bounds.south, bounds.east, bounds.north] { append(degrees: edge) }
    bytes.append(lowest)
    append(degrees: (bounds.west + bounds.east) / 2)
    append(degrees: (bounds.south + bounds.north) / 2)
    return bytes
  }

  /// The kind of the tiles in a written file.
  package enum Content: UInt8 {
    /// Not an image or a map: the pieces of a street graph.
    case unknown = 0
    case vectorTiles = 1
  }

  private static let mediaTypes: [UInt8: String] = [
    0: "application/octet-stream", 1: VectorLayers.mediaType, 2: "image/png", 3: "image/jpeg",
    4: "image/webp", 5: "image/avif",
  ]
}
