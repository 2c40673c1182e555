private import Compression
private import Glibc
package import JSON

/// Writes tiles to a file in the PMTiles format, version 3.
///
/// The directory of the tiles is known last, but a reader expects the root directory in the first 16 KiB. So these are
/// kept free, the tiles follow in the order of their numbers, and then the metadata and the leaf directories. Memory
/// holds one leaf directory, and the others compressed: some three bytes for each tile.
package struct PMTilesWriter: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// The number of tiles.
  package private(set) var count = 0
  private var last: UInt64?
  /// The tiles of the leaf directory that is not complete yet.
  private var part: [PMTilesDirectory.Entry] = []
  private let partSize: Int
  /// The complete leaf directories, compressed, and their entries in the root directory.
  private var leaves: [UInt8] = []
  private var roots: [PMTilesDirectory.Entry] = []
  private var lowest = TileDescription.deepest
  private var highest = 0
  /// Bytes that are not written yet.
  private var waiting: [UInt8] = []
  /// The bytes of all tiles.
  private var size: UInt64 = 0

  /// The header and the root directory end before this place (specification, §4.2).
  private static let tilesStart = 16_384
  private static let bufferSize = 1 << 20
  /// The usual number of tiles in a leaf directory, and the number of leaf directories for which the root directory
  /// has room: an entry takes 16 bytes at most.
  private static let (leafSize, maxLeaves) = (4_096, 1_000)

  /// Creates the file, or replaces its content.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - expectedCount: at least as many as the tiles will be, if they are more than four million.
  /// - Throws: ``UnwritableArchive``.
  package init(path: String, expectedCount: Int = 0) throws {
    self.path = path
    partSize = max(Self.leafSize, expectedCount / Self.maxLeaves + 1)
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, lseek(descriptor, off_t(Self.tilesStart), SEEK_SET) >= 0 else {
      throw UnwritableArchive(path: path)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Adds a tile that is not empty.
  ///
  /// - Parameters:
  ///   - z: the zoom.
  ///   - x: the column, from the west.
  ///   - y: the row, from the north.
  ///   - bytes: the tile, compressed with gzip.
  /// - Throws: ``UnwritableArchive``, also if the number of the tile is not greater than the previous tile's number,
  ///   see ``PMTilesNumber``.
  package mutating func add(z: Int, x: Int, y: Int, _ bytes: [UInt8]) throws {
    let tile = PMTilesNumber.number(z: z, x: x, y: y)
    guard last.map({ tile > $0 }) ?? true, !bytes.isEmpty, let length = UInt32(exactly: bytes.count)
    else { throw UnwritableArchive(path: path) }
    part.append(PMTilesDirectory.Entry(tile: tile, offset: size, length: length, run: 1))
    last = tile
    count += 1
    if part.count == partSize { endLeaf() }
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
  ///   - content: the kind of the tiles.
  /// - Throws: ``UnwritableArchive``.
  package consuming func finish(
    metadata: JSONValue, bounds: TileBounds, content: PMTilesHeader.Content = .vectorTiles
  ) throws {
    try flush()
    let root = endDirectories()
    guard root.count <= Self.rootRoom else { throw UnwritableArchive(path: path) }
    var writer = JSONWriter()
    writer.value(metadata)
    let words = Gzip.compress(writer.bytes)
    try write(words + leaves)
    let tilesEnd = UInt64(Self.tilesStart) + size
    let header = PMTilesHeader.written(
      root: .init(offset: UInt64(PMTilesHeader.size), length: UInt64(root.count)),
      metadata: .init(offset: tilesEnd, length: UInt64(words.count)),
      leaves: .init(offset: tilesEnd + UInt64(words.count), length: UInt64(leaves.count)),
      tiles: .init(offset: UInt64(Self.tilesStart), length: size), count: UInt64(count),
      zooms: min(lowest, highest)...highest, bounds: bounds,
      content: content)
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw UnwritableArchive(path: path) }
    try write(header + root)
    guard fsync(descriptor) == 0 else { throw UnwritableArchive(path: path) }
  }

  private static let rootRoom = tilesStart - PMTilesHeader.size

  /// The compressed root directory. It lists the tiles themselves if they have room in it, otherwise the leaves.
  private mutating func endDirectories() -> [UInt8] {
    if roots.isEmpty {
      let whole = Gzip.compress(PMTilesDirectory.written(part))
      if whole.count <= Self.rootRoom { return whole }
    }
    endLeaf()
    return Gzip.compress(PMTilesDirectory.written(roots))
  }

  private mutating func endLeaf() {
    guard let first = part.first else { return }
    let leaf = Gzip.compress(PMTilesDirectory.written(part))
    roots.append(
      PMTilesDirectory.Entry(
        tile: first.tile, offset: UInt64(leaves.count), length: UInt32(clamping: leaf.count), run: 0
      ))
    leaves += leaf
    part.removeAll(keepingCapacity: true)
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
