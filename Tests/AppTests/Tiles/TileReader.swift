import PrivacyMap

/// Counts the devices in a vector tile (Mapbox Vector Tile 2.1).
enum TileReader {
  /// The devices of the layer `devices` and the sum of `count` of the layer `clusters`.
  static func deviceCount(_ tile: [UInt8]) throws -> Int {
    var sum = 0
    for field in try fields(tile[...]) where field.number == 3 {
      let layer = try fields(field.bytes)
      let name = layer.first { $0.number == 1 }.map { String(decoding: $0.bytes, as: UTF8.self) }
      let features = layer.filter { $0.number == 2 }
      if name == "devices" {
        sum += features.count
        continue
      }
      let keys = layer.filter { $0.number == 3 }.map { String(decoding: $0.bytes, as: UTF8.self) }
      let values = layer.filter { $0.number == 4 }
      guard let count = keys.firstIndex(of: "count") else { continue }
      for feature in features {
        guard let packed = try fields(feature.bytes).first(where: { $0.number == 2 }) else {
          continue
        }
        let tags = try varints(packed.bytes)
        for pair in stride(from: 0, to: tags.count - 1, by: 2) where tags[pair] == count {
          sum += Int(try fields(values[tags[pair + 1]].bytes).first?.value ?? 0)
        }
      }
    }
    return sum
  }

  struct Malformed: Error {}

  private struct Field {
    var number: Int
    var value: UInt64 = 0
    var bytes: ArraySlice<UInt8> = []
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) throws -> [Field] {
    var rest = bytes
    var fields: [Field] = []
    while !rest.isEmpty {
      let tag = try varint(&rest)
      var field = Field(number: Int(tag >> 3))
      switch tag & 7 {
      case 0: field.value = try varint(&rest)
      case 1: rest = rest.dropFirst(8)
      case 2:
        let count = Int(try varint(&rest))
        guard count <= rest.count else { throw Malformed() }
        field.bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
      default: throw Malformed()
      }
      fields.append(field)
    }
    return fields
  }

  private static func varints(_ bytes: ArraySlice<UInt8>) throws -> [Int] {
    var rest = bytes
    var numbers: [Int] = []
    while !rest.isEmpty { numbers.append(Int(try varint(&rest))) }
    return numbers
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw Malformed() }
      number |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte & 0x80 == 0 { return number }
    }
    throw Malformed()
  }
}
