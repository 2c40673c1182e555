/// A directory of a PMTiles file: the positions of tiles or of further directories (specification,
/// version 3, chapter 4).
struct PMTilesDirectory: Sendable {
  struct Entry: Sendable {
    /// The number of the first tile of the entry.
    let tile: UInt64
    /// From the start of the tile section, or of the leaf directory section.
    let offset: UInt64
    let length: UInt32
    /// The number of consecutive tiles with this content; 0 for a leaf directory.
    let run: UInt32
  }

  private let entries: [Entry]
  var count: Int { entries.count }

  /// - Parameters:
  ///   - bytes: the decompressed directory.
  ///   - path: named in errors.
  /// - Throws: ``UnreadableArchive`` if the bytes are not a valid directory.
  init(_ bytes: [UInt8], path: String) throws {
    var numbers = Varints(bytes)
    let damaged = UnreadableArchive(path, "has a damaged directory")
    // Each entry has four numbers of at least a byte, so a small file cannot cause a large allocation.
    guard let count = numbers.next().flatMap(Int.init(exactly:)), count <= bytes.count / 4 else {
      throw damaged
    }
    func column() throws -> [UInt64] {
      try (0..<count).map { _ in
        guard let number = numbers.next() else { throw damaged }
        return number
      }
    }
    let (steps, runs, lengths, offsets) = (
      try column(), try column(), try column(), try column()
    )
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    var tile: UInt64 = 0
    for index in 0..<count {
      let (next, overflows) = tile.addingReportingOverflow(steps[index])
      guard !overflows, let length = UInt32(exactly: lengths[index]), length > 0,
        let run = UInt32(exactly: runs[index]),
        let offset = Self.offset(offsets[index], after: entries.last)
      else { throw damaged }
      tile = next
      entries.append(Entry(tile: tile, offset: offset, length: length, run: run))
    }
    self.entries = entries
  }

  /// 0 means "directly after the previous entry"; any other number is the offset plus one.
  private static func offset(_ number: UInt64, after last: Entry?) -> UInt64? {
    guard number == 0 else { return number - 1 }
    guard let last else { return nil }
    let (sum, overflows) = last.offset.addingReportingOverflow(UInt64(last.length))
    return overflows ? nil : sum
  }

  /// The entry for a tile: its own entry, its run's entry, or the leaf directory that contains it.
  func entry(for tile: UInt64) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let found = entries[low - 1]
    return found.run == 0 || tile - found.tile < UInt64(found.run) ? found : nil
  }
}

extension PMTilesDirectory {
  /// The bytes of a directory, not compressed: the steps between the numbers of the entries, their runs, lengths and
  /// offsets, each as a column (specification, §4.2).
  static func written(_ entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    Varints.append(UInt64(entries.count), to: &bytes)
    var last: UInt64 = 0
    for entry in entries {
      Varints.append(entry.tile - last, to: &bytes)
      last = entry.tile
    }
    for entry in entries { Varints.append(UInt64(entry.run), to: &bytes) }
    for entry in entries { Varints.append(UInt64(entry.length), to: &bytes) }
    var before: Entry?
    for entry in entries {
      let isNext = before.map { $0.offset + UInt64($0.length) == entry.offset } ?? false
      Varints.append(isNext ? 0 : entry.offset + 1, to: &bytes)
      before = entry
    }
    return bytes
  }
}

/// Variable-length numbers with seven bits per byte, lowest first, as in Protocol Buffers.
private struct Varints {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Nil at the end, inside a number, and for a number of more than 64 bits.
  mutating func next() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      let part = UInt64(byte & 0x7F)
      guard shift < 63 || part <= 1 else { return nil }
      number |= part << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
    return nil
  }
}

/// The number of a tile in a PMTiles file: all tiles of lower zooms first, then in the order of the
/// Hilbert curve of its zoom (specification, version 3, §4.1).
package enum PMTilesNumber {
  /// - Parameters:
  ///   - z: at most ``TileDescription/deepest``.
  ///   - x: below 2^z.
  ///   - y: below 2^z, from the north.
  /// - Returns: the number, counted from 0.
  package static func number(z: Int, x: Int, y: Int) -> UInt64 {
    var number = ((UInt64(1) << UInt64(2 * z)) - 1) / 3
    var (x, y) = (UInt64(x), UInt64(y))
    var side = (UInt64(1) << UInt64(z)) / 2
    while side > 0 {
      let isEast = x & side != 0
      let isSouth = y & side != 0
      number += side * side * (isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0))
      (x, y) = (x & (side - 1), y & (side - 1))
      if !isSouth {
        if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
        swap(&x, &y)
      }
      side >>= 1
    }
    return number
  }
}
