import Import

/// Reads the records of `farol-formats` about streets, which come in pieces of any size (Sources/C/OSMExtract). The
/// program reads untrusted files, so its output is untrusted, too.
struct StreetRecords {
  /// A record.
  enum Record {
    /// Tags of a node, by its number.
    case node(Int, [String: String])
    /// The places of the next nodes, in ten-millionths of a degree.
    case places([(longitude: Int32, latitude: Int32)])
    /// The numbers of the nodes of a way, and its tags.
    case way([UInt32], [String: String])
  }

  private var waiting: [UInt8] = []
  private var isComplete = false

  /// OpenStreetMap allows 2,000 nodes for a way.
  private static let maxNodes: UInt32 = 100_000
  private static let maxText: UInt32 = 1 << 20
  private static let damaged = ImportFailure("the program that reads extracts wrote something else")

  /// Passes on the records that are complete with the next bytes.
  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Record) throws -> Void
  ) throws {
    waiting.append(contentsOf: bytes)
    var place = 0
    let complete = try waiting.withUnsafeBufferPointer { buffer in
      while let next = try Self.record(buffer, at: &place) {
        guard !isComplete else { throw Self.damaged }
        if let record = next.record { try body(record) } else { isComplete = true }
      }
      return place
    }
    waiting.removeFirst(complete)
  }

  /// - Throws: ``ImportFailure`` if the last record is missing.
  func finish() throws {
    guard isComplete, waiting.isEmpty else { throw Self.damaged }
  }

  /// The record at a place, which moves behind it; nil if the record is not complete. The end has no record.
  private static func record(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: inout Int
  ) throws -> (record: Record?, Void)? {
    guard place < bytes.count else { return nil }
    var reader = Words(bytes: bytes, place: place + 1)
    switch bytes[place] {
    case UInt8(ascii: "E"):
      place += 1
      return (nil, ())
    case UInt8(ascii: "P"):
      guard let count = reader.word() else { return nil }
      guard count <= maxNodes else { throw damaged }
      guard reader.has(8 * Int(count)) else { return nil }
      let places = (0..<count).map { _ in
        (Int32(bitPattern: reader.word() ?? 0), Int32(bitPattern: reader.word() ?? 0))
      }
      place = reader.place
      return (.places(places), ())
    case UInt8(ascii: "N"), UInt8(ascii: "W"):
      guard let number = reader.word(), let size = reader.word() else { return nil }
      let isWay = bytes[place] == UInt8(ascii: "W")
      guard size <= maxText, !isWay || number <= maxNodes else { throw damaged }
      guard reader.has((isWay ? 4 * Int(number) : 0) + Int(size)) else { return nil }
      let nodes = isWay ? (0..<number).map { _ in reader.word() ?? 0 } : []
      let tags = try tags(reader.take(Int(size)))
      place = reader.place
      return (isWay ? .way(nodes, tags) : .node(Int(number), tags), ())
    default: throw damaged
    }
  }

  /// Pairs of texts that end with a zero byte.
  private static func tags(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws -> [String: String] {
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    // The last byte is zero, so an empty text follows.
    guard texts.last?.isEmpty ?? true, texts.count % 2 == 1 || bytes.isEmpty else { throw damaged }
    var tags: [String: String] = [:]
    var index = 0
    while index + 1 < texts.count {
      tags[String(decoding: texts[index], as: UTF8.self)] = String(
        decoding: texts[index + 1], as: UTF8.self)
      index += 2
    }
    return tags
  }

  /// Numbers of 32 bits, the lowest byte first.
  private struct Words {
    let bytes: UnsafeBufferPointer<UInt8>
    var place: Int

    func has(_ count: Int) -> Bool { count <= bytes.count - place }

    mutating func word() -> UInt32? {
      guard has(4) else { return nil }
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
      place += 4
      return word
    }

    mutating func take(_ count: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
      defer { place += count }
      return bytes[place..<place + count]
    }
  }
}
