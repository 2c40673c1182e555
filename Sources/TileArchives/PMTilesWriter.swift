private import Compression
private import Glibc
package import JSON

/// Writes vector tiles to a file in the PMTiles format, version 3.
///
/// The directory of the tiles is known last, but a reader expects the root directory in the first 16 KiB. So these are
/// kept free, the tiles follow in the order of their numbers, and then the metadata and the other directories. A tile
/// takes 12 bytes of memory.
package struct PMTilesWriter: ~Copyable {
  private struct Entry {
    let tile: UInt64
    let length: UInt32
  }

  private let descriptor: Int32
  private let path: String
  private var entries: [Entry] = []
  private var lowest = TileDescription.deepest
  private var highest = 0
  /// Bytes that are not written yet.
  private var waiting: [UInt8] = []
  /// The bytes of all tiles.
  private var size: UInt64 = 0

  /// The header and the root directory end before this place (specification, §4.2).
  private static let tilesStart = 16_384
  private static let bufferSize = 1 << 20

  /// Creates the file, or replaces its content.
  ///
  /// - Throws: ``UnwritableArchive``.
  package init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, lseek(descriptor, off_t(Self.tilesStart), SEEK_SET) >= 0 else {
      throw UnwritableArchive(path: path)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The number of tiles.
  package var count: Int { entries.count }

  /// Adds a tile that is not empty.
  ///
  /// - Parameters:
  ///   - z: the zoom.
  ///   - x: the column, from the west.
  ///   - y: the row, from the north.
  ///   - bytes: the vector tile, compressed with gzip.
  /// - Throws: ``UnwritableArchive``, also if the number of the tile is not greater than that of the tile before, see
  ///   ``PMTilesNumber``.
  package mutating func add(z: Int, x: Int, y: Int, _ bytes: [UInt8]) throws {
    let tile = PMTilesNumber.number(z: z, x: x, y: y)
    guard tile > entries.last?.tile ?? 0 || entries.isEmpty, !bytes.isEmpty,
      let length = UInt32(exactly: bytes.count)
    else { throw UnwritableArchive(path: path) }
    entries.append(Entry(tile: tile, length: length))
    (lowest, highest) = (min(lowest, z), max(highest, z))
    size += UInt64(length)
    waiting += bytes
    if waiting.count >= Self.bufferSize { try flush() }
  }

  /// Writes the directories, the metadata and the header, and syncs the file to the disk.
  ///
  /// - Parameters:
  ///   - metadata: a JSON object; vector tiles need `vector_layers` (specification, chapter 5).
  ///   - bounds: the area of the content.
  /// - Throws: ``UnwritableArchive``.
  package consuming func finish(metadata: JSONValue, bounds: TileBounds) throws {
    try flush()
    let (root, leaves) = directories()
    var writer = JSONWriter()
    writer.value(metadata)
    let words = Gzip.compress(writer.bytes)
    try write(words + leaves)
    let tilesEnd = UInt64(Self.tilesStart) + size
    let header = PMTilesHeader.written(
      root: .init(offset: UInt64(PMTilesHeader.size), length: UInt64(root.count)),
      metadata: .init(offset: tilesEnd, length: UInt64(words.count)),
      leaves: .init(offset: tilesEnd + UInt64(words.count), length: UInt64(leaves.count)),
      tiles: .init(offset: UInt64(Self.tilesStart), length: size), count: UInt64(entries.count),
      zooms: min(lowest, highest)...highest, bounds: bounds)
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw UnwritableArchive(path: path) }
    try write(header + root)
    guard fsync(descriptor) == 0 else { throw UnwritableArchive(path: path) }
  }

  /// The compressed root directory, and the leaf directories one after another. The root directory lists the tiles
  /// themselves if they have room in it, otherwise leaf directories, as long as are necessary.
  private func directories() -> (root: [UInt8], leaves: [UInt8]) {
    let room = Self.tilesStart - PMTilesHeader.size
    if entries.count <= room / 2 {
      let whole = Gzip.compress(directory(of: entries[...], from: 0))
      if whole.count <= room { return (whole, []) }
    }
    var leafCount = 4_096
    while true {
      let (root, leaves) = directories(leafCount: leafCount)
      if root.count <= room { return (root, leaves) }
      leafCount *= 2
    }
  }

  private func directories(leafCount: Int) -> (root: [UInt8], leaves: [UInt8]) {
    var (leaves, offset) = ([UInt8](), UInt64(0))
    var roots: [PMTilesDirectory.Entry] = []
    for start in stride(from: 0, to: entries.count, by: leafCount) {
      let part = entries[start..<min(start + leafCount, entries.count)]
      let leaf = Gzip.compress(directory(of: part, from: offset))
      roots.append(
        PMTilesDirectory.Entry(
          tile: part[start].tile, offset: UInt64(leaves.count),
          length: UInt32(clamping: leaf.count), run: 0))
      offset += part.reduce(0) { $0 + UInt64($1.length) }
      leaves += leaf
    }
    return (Gzip.compress(PMTilesDirectory.written(roots)), leaves)
  }

  /// A directory of tiles that are stored one after another; the first is `offset` bytes after the first of the file.
  private func directory(of part: ArraySlice<Entry>, from offset: UInt64) -> [UInt8] {
    var offset = offset
    return PMTilesDirectory.written(
      part.map { entry in
        defer { offset += UInt64(entry.length) }
        return PMTilesDirectory.Entry(
          tile: entry.tile, offset: offset, length: entry.length, run: 1)
      })
  }

  private mutating func flush() throws {
    try write(waiting)
    waiting.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw UnwritableArchive(path: path) }
      rest = rest.dropFirst(count)
    }
  }
}

/// A tile archive cannot be written.
package struct UnwritableArchive: Error, CustomStringConvertible {
  let path: String

  package var description: String {
    "\(path) cannot be written: the disk is full, or Farol may not write to the folder"
  }
}
