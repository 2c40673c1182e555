import Compression
import Foundation

/// Writes small PMTiles files, valid according to the specification (version 3) or invalid.
struct PMTilesBuilder {
  /// A row of a directory; `run` 0 is a leaf directory.
  struct Entry {
    var tile: UInt64
    var offset: UInt64
    var length: UInt64
    var run: UInt64 = 1
  }

  var version: UInt8 = 3
  var root: [Entry] = []
  var leaves: [UInt8] = []
  var tiles: [UInt8] = []
  var metadata =
    #"{"attribution": "© Example", "vector_layers": [{"id": "roads"}, {"id": "water"}]}"#
  var internalCompression: UInt8 = 2
  var tileCompression: UInt8 = 2
  var tileType: UInt8 = 1
  var zooms: (UInt8, UInt8) = (0, 14)
  /// West, south, east, north in ten-millionths of a degree.
  var bounds: [Int32] = [94_000_000, 467_800_000, 96_700_000, 475_200_000]
  /// The offset of the tiles; 0: right after the other sections.
  var tilesAt: UInt64 = 0

  static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// A directory, not compressed.
  static func directory(_ entries: [Entry]) -> [UInt8] {
    var bytes = varint(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      bytes += varint(entry.tile - last)
      last = entry.tile
    }
    for entry in entries { bytes += varint(entry.run) }
    for entry in entries { bytes += varint(entry.length) }
    for (index, entry) in entries.enumerated() {
      let follows =
        index > 0 && entry.offset == entries[index - 1].offset + entries[index - 1].length
      bytes += varint(follows ? 0 : entry.offset + 1)
    }
    return bytes
  }

  func packed(_ bytes: [UInt8]) -> [UInt8] {
    internalCompression == 2 ? Gzip.compress(bytes) : bytes
  }

  /// The file up to its tiles.
  func head(root given: [UInt8]? = nil) -> [UInt8] {
    let directory = given ?? packed(Self.directory(root))
    let words = packed(Array(metadata.utf8))
    let rootAt: UInt64 = 127
    let metadataAt = rootAt + UInt64(directory.count)
    let leavesAt = metadataAt + UInt64(words.count)
    let tilesAt = self.tilesAt == 0 ? leavesAt + UInt64(leaves.count) : self.tilesAt
    var bytes = Array("PMTiles".utf8) + [version]
    for number in [
      rootAt, UInt64(directory.count), metadataAt, UInt64(words.count), leavesAt,
      UInt64(leaves.count), tilesAt, UInt64(tiles.count), 0, 0, 0,
    ] { bytes += Self.little(number, 8) }
    bytes += [1, internalCompression, tileCompression, tileType, zooms.0, zooms.1]
    for edge in bounds { bytes += Self.little(UInt64(UInt32(bitPattern: edge)), 4) }
    bytes += [0] + Self.little(0, 8)
    return bytes + directory + words + leaves
  }

  func file(root given: [UInt8]? = nil) -> [UInt8] { head(root: given) + tiles }

  private static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}

/// A folder that is deleted together with the value.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "farol-tiles-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ bytes: [UInt8], to name: String = "map.pmtiles") throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }
}
