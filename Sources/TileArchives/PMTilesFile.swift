import Compression
import JSON
import Locking

/// A file in the PMTiles format, version 3.
///
/// The root directory stays in memory, and recently used leaf directories are cached; a tile takes one
/// read of the file.
final class PMTilesFile: TileContentSource {
  /// The maximum depth of directories, so that a damaged file cannot cause an endless loop. The
  /// specification recommends two.
  private static let deepest = 4
  /// The maximum size of a directory, the metadata or a tile in bytes, compressed or not. Leaf
  /// directories of a planet have about 4,096 entries of 24 bytes.
  private static let largestPart = 16 << 20
  /// The maximum number of cached leaf directories, about 100 kB each.
  private static let keptLeaves = 32

  private let file: RandomAccessFile
  private let header: PMTilesHeader
  private let root: PMTilesDirectory
  private let leaves = Locked(RecentDirectories(limit: keptLeaves))
  let description: TileDescription

  init(_ file: RandomAccessFile) throws {
    self.file = file
    guard file.size >= PMTilesHeader.size else {
      throw UnreadableArchive(file.path, "is not a PMTiles file")
    }
    header = try PMTilesHeader(try file.bytes(at: 0, count: PMTilesHeader.size), path: file.path)
    root = try PMTilesDirectory(Self.part(header.root, of: file, header), path: file.path)
    guard root.count > 0 else { throw UnreadableArchive(file.path, "contains no tiles") }
    let metadata = try? JSONValue(parsing: Self.part(header.metadata, of: file, header))
    description = TileDescription(
      attribution: metadata?["attribution"]?.stringValue ?? "", zooms: header.zooms,
      bounds: header.bounds, mediaType: header.mediaType,
      layers: metadata.map(VectorLayers.names) ?? [], metadata: metadata ?? .null)
  }

  func tile(z: Int, x: Int, y: Int) throws -> [UInt8]? {
    let number = PMTilesNumber.number(z: z, x: x, y: y)
    var directory = root
    for _ in 0..<Self.deepest {
      guard let entry = directory.entry(for: number) else { return nil }
      if entry.run > 0 {
        guard entry.length <= Self.largestPart else {
          throw UnreadableArchive(file.path, "has a tile above the size limit")
        }
        return try file.bytes(at: place(entry, in: header.tiles), count: Int(entry.length))
      }
      directory = try leaf(entry)
    }
    throw UnreadableArchive(file.path, "has a cycle of directories")
  }

  private func leaf(_ entry: PMTilesDirectory.Entry) throws -> PMTilesDirectory {
    if let kept = leaves.withLock({ $0.directory(at: entry.offset) }) { return kept }
    let section = PMTilesHeader.Section(
      offset: UInt64(try place(entry, in: header.leaves)), length: UInt64(entry.length))
    let read = try PMTilesDirectory(Self.part(section, of: file, header), path: file.path)
    leaves.withLock { $0.keep(read, at: entry.offset) }
    return read
  }

  /// The position of an entry's content in the file.
  private func place(
    _ entry: PMTilesDirectory.Entry, in section: PMTilesHeader.Section
  ) throws -> Int {
    let (sum, overflows) = section.offset.addingReportingOverflow(entry.offset)
    guard !overflows, let place = Int(exactly: sum) else {
      throw UnreadableArchive(file.path, "is shorter than its directory requires")
    }
    return place
  }

  /// A directory or the metadata, decompressed.
  private static func part(
    _ section: PMTilesHeader.Section, of file: RandomAccessFile, _ header: PMTilesHeader
  ) throws -> [UInt8] {
    guard let offset = Int(exactly: section.offset), let length = Int(exactly: section.length),
      length <= largestPart
    else { throw UnreadableArchive(file.path, "has a directory above the size limit") }
    let bytes = try file.bytes(at: offset, count: length)
    guard header.internalCompression == .gzip, length > 0 else { return bytes }
    do { return try Gzip.decompress(bytes, limit: largestPart) } catch {
      throw UnreadableArchive(file.path, "has a damaged directory")
    }
  }
}

/// A cache of the most recently used leaf directories.
private struct RecentDirectories {
  private let limit: Int
  private var kept: [UInt64: PMTilesDirectory] = [:]
  /// Offsets, the most recently used last.
  private var order: [UInt64] = []

  init(limit: Int) { self.limit = limit }

  mutating func directory(at offset: UInt64) -> PMTilesDirectory? {
    guard let found = kept[offset] else { return nil }
    if order.last != offset, let place = order.lastIndex(of: offset) {
      order.remove(at: place)
      order.append(offset)
    }
    return found
  }

  mutating func keep(_ directory: PMTilesDirectory, at offset: UInt64) {
    if kept.updateValue(directory, forKey: offset) == nil { order.append(offset) }
    while order.count > limit { kept[order.removeFirst()] = nil }
  }
}
