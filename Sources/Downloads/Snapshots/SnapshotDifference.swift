/// The changes between two snapshots, one device per line.
///
/// Keeps 24 bytes in memory for each device of the earlier snapshot: its id and a hash of its content.
struct SnapshotDifference {
  let folder: SnapshotFolder
  let earlier: NightlyFile
  let later: NightlyFile

  private struct Known {
    let high: UInt64
    let low: UInt64
    let hash: Int

    func precedes(_ other: Known) -> Bool {
      high == other.high ? low < other.low : high < other.high
    }
  }

  func write(to sink: ([UInt8]) throws -> Void) throws {
    var known: [Known] = []
    try folder.forEachRecord(earlier, .geojson) { record in
      if let device = Self.device(record) { known.append(device) }
    }
    known.sort { $0.precedes($1) }
    var isSeen = [Bool](repeating: false, count: known.count)
    var piece: [UInt8] = []
    func add(_ parts: [UInt8]...) throws {
      for part in parts { piece += part }
      piece.append(0x0A)
      guard piece.count >= 65_536 else { return }
      try sink(piece)
      piece.removeAll(keepingCapacity: true)
    }
    try folder.forEachRecord(later, .geojson) { record in
      guard let device = Self.device(record) else { return }
      let feature = Array(SnapshotRecord.bare(record))
      guard let place = Self.place(of: device, in: known) else {
        return try add(Self.added, feature, Self.end)
      }
      isSeen[place] = true
      if known[place].hash != device.hash { try add(Self.changed, feature, Self.end) }
    }
    for (place, device) in known.enumerated() where !isSeen[place] {
      try add(Array("{\"change\":\"removed\",\"id\":\"\(Self.text(device))\"}".utf8))
    }
    try sink(piece)
  }

  private static let added = Array("{\"change\":\"added\",\"feature\":".utf8)
  private static let changed = Array("{\"change\":\"changed\",\"feature\":".utf8)
  private static let end = Array("}".utf8)

  private static func device(_ record: ArraySlice<UInt8>) -> Known? {
    guard let id = SnapshotRecord.id(record, .geojson) else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    var digits = 0
    for byte in id {
      guard let digit = digit(byte) else { continue }
      if digits < 16 {
        halves.0 = halves.0 << 4 | digit
      } else {
        halves.1 = halves.1 << 4 | digit
      }
      digits += 1
    }
    guard digits == 32 else { return nil }
    var hasher = Hasher()
    SnapshotRecord.bare(record).withUnsafeBytes { hasher.combine(bytes: $0) }
    return Known(high: halves.0, low: halves.1, hash: hasher.finalize())
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }

  private static func place(of device: Known, in known: [Known]) -> Int? {
    var range = known.startIndex..<known.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if known[middle].precedes(device) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    let place = range.lowerBound
    guard place < known.endIndex, !device.precedes(known[place]) else { return nil }
    return place
  }

  /// A formatted id.
  private static func text(_ device: Known) -> String {
    func hexadecimal(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    let all = Array(hexadecimal(device.high) + hexadecimal(device.low))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }
      .joined(separator: "-")
  }
}
