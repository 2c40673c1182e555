import Foundation

/// Writes small OpenStreetMap extracts (wiki.openstreetmap.org/wiki/PBF_Format), not compressed.
struct TestExtract {
  struct Way {
    var nodes: [Int]
    var tags: [String: String]
  }

  /// By id, in degrees.
  var nodes: [Int: (longitude: Double, latitude: Double)] = [:]
  var nodeTags: [Int: [String: String]] = [:]
  var ways: [Way] = []

  /// A grid of streets 100 metres apart, whose node in a column and row is 100 · row + column + 1.
  static func grid(columns: Int, rows: Int) -> TestExtract {
    var extract = TestExtract()
    for row in 0..<rows {
      for column in 0..<columns {
        extract.nodes[100 * row + column + 1] = (
          9.5 + Double(column) * 0.001_315, 47.1 + Double(row) * 0.000_899
        )
      }
    }
    for row in 0..<rows {
      extract.ways.append(
        Way(
          nodes: (0..<columns).map { 100 * row + $0 + 1 },
          tags: ["highway": "residential", "name": "Street \(row)"]))
    }
    for column in 0..<columns {
      extract.ways.append(
        Way(
          nodes: (0..<rows).map { 100 * $0 + column + 1 },
          tags: ["highway": "residential", "name": "Avenue \(column)"]))
    }
    return extract
  }

  var bytes: [UInt8] {
    var texts = [""]
    var numbers: [String: Int] = [:]
    func number(_ text: String) -> Int {
      if let known = numbers[text] { return known }
      numbers[text] = texts.count
      texts.append(text)
      return texts.count - 1
    }
    func tags(_ tags: [String: String]) -> Message {
      let sorted = tags.sorted { $0.key < $1.key }
      var message = Message()
      message.packed(2, sorted.map { number($0.key) })
      message.packed(3, sorted.map { number($0.value) })
      return message
    }
    var group = Message()
    for (id, place) in nodes.sorted(by: { $0.key < $1.key }) {
      var node = Message()
      node.number(1, Message.zigzag(id))
      node.bytes += tags(nodeTags[id] ?? [:]).bytes
      node.number(8, Message.zigzag(Int((place.latitude * 10_000_000).rounded())))
      node.number(9, Message.zigzag(Int((place.longitude * 10_000_000).rounded())))
      group.part(1, node.bytes)
    }
    var wayGroup = Message()
    for (index, each) in ways.enumerated() {
      var way = Message()
      way.number(1, index + 1)
      way.bytes += tags(each.tags).bytes
      let steps = each.nodes.enumerated().map { place, node in
        Message.zigzag(node - (place > 0 ? each.nodes[place - 1] : 0))
      }
      way.packed(8, steps)
      wayGroup.part(3, way.bytes)
    }
    var strings = Message()
    for text in texts { strings.part(1, Array(text.utf8)) }
    var block = Message()
    block.part(1, strings.bytes)
    block.part(2, group.bytes)
    block.part(2, wayGroup.bytes)
    var header = Message()
    header.part(4, Array("OsmSchema-V0.6".utf8))
    return Self.blob("OSMHeader", header.bytes) + Self.blob("OSMData", block.bytes)
  }

  private static func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var blob = Message()
    blob.part(1, content)
    blob.number(2, content.count)
    var header = Message()
    header.part(1, Array(type.utf8))
    header.number(3, blob.bytes.count)
    let length = UInt32(header.bytes.count)
    let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * $0)) }
    return size + header.bytes + blob.bytes
  }
}

/// A message of Protocol Buffers.
private struct Message {
  var bytes: [UInt8] = []

  static func zigzag(_ number: Int) -> Int { (number << 1) ^ (number >> 63) }

  mutating func number(_ field: Int, _ value: Int) {
    varint(field << 3)
    varint(value)
  }

  mutating func part(_ field: Int, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(content.count)
    bytes += content
  }

  mutating func packed(_ field: Int, _ values: [Int]) {
    guard !values.isEmpty else { return }
    var content = Message()
    for value in values { content.varint(value) }
    part(field, content.bytes)
  }

  private mutating func varint(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
