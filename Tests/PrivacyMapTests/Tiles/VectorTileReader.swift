/// Reads vector tiles by their specification (Mapbox Vector Tile 2.1), independently of the writer.
struct VectorTileReader {
  enum Value: Hashable {
    case text(String)
    case double(Double)
    case unsigned(UInt64)
    case bool(Bool)
  }

  struct Feature {
    var id: UInt64 = 0
    var type: UInt64 = 0
    var tags: [UInt64] = []
    var geometry: [UInt64] = []
    var properties: [String: Value] = [:]
    var x = 0
    var y = 0
    /// Lines and rings, each from its MoveTo on; the first point of a ring is not repeated.
    var paths: [[[Int]]] = []
    /// The number of closed paths.
    var rings = 0
  }

  struct Layer {
    var name = ""
    var version: UInt64 = 0
    var extent: UInt64 = 0
    var keys: [String] = []
    var values: [Value] = []
    var features: [Feature] = []
  }

  struct Malformed: Error {
    var what: String
  }

  private enum Field {
    case number(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  /// The layers of a tile by name.
  static func layers(_ bytes: [UInt8]) throws -> [String: Layer] {
    var layers: [String: Layer] = [:]
    for case (3, .bytes(let message)) in try fields(bytes[...]) {
      let layer = try layer(message)
      guard layers.updateValue(layer, forKey: layer.name) == nil else {
        throw Malformed(what: "two layers \(layer.name)")
      }
    }
    return layers
  }

  private static func layer(_ bytes: ArraySlice<UInt8>) throws -> Layer {
    var layer = Layer()
    for (number, field) in try fields(bytes) {
      switch (number, field) {
      case (15, .number(let version)): layer.version = version
      case (1, .bytes(let text)): layer.name = String(decoding: text, as: UTF8.self)
      case (2, .bytes(let message)): layer.features.append(try feature(message))
      case (3, .bytes(let text)): layer.keys.append(String(decoding: text, as: UTF8.self))
      case (4, .bytes(let message)): layer.values.append(try value(message))
      case (5, .number(let extent)): layer.extent = extent
      default: throw Malformed(what: "layer field \(number)")
      }
    }
    for place in layer.features.indices { try resolve(&layer.features[place], layer) }
    return layer
  }

  private static func resolve(_ feature: inout Feature, _ layer: Layer) throws {
    guard feature.tags.count % 2 == 0 else { throw Malformed(what: "odd tags") }
    for pair in stride(from: 0, to: feature.tags.count, by: 2) {
      let key = Int(feature.tags[pair])
      let value = Int(feature.tags[pair + 1])
      guard layer.keys.indices.contains(key), layer.values.indices.contains(value) else {
        throw Malformed(what: "tag out of range")
      }
      feature.properties[layer.keys[key]] = layer.values[value]
    }
    guard feature.type == 1 else { return try follow(&feature) }
    guard feature.geometry.count == 3, feature.geometry[0] == 9 else {
      throw Malformed(what: "not one point")
    }
    feature.x = signed(feature.geometry[1])
    feature.y = signed(feature.geometry[2])
  }

  /// Draws lines and polygons.
  private static func follow(_ feature: inout Feature) throws {
    var rest = feature.geometry[...]
    var pen = [0, 0]
    while let command = rest.popFirst() {
      if command & 7 == 7 {
        guard command >> 3 == 1 else { throw Malformed(what: "closed more than once") }
        feature.rings += 1
        continue
      }
      for step in 0..<(command >> 3) {
        guard let x = rest.popFirst(), let y = rest.popFirst() else {
          throw Malformed(what: "an open end")
        }
        pen = [pen[0] + signed(x), pen[1] + signed(y)]
        switch command & 7 {
        case 1 where step == 0: feature.paths.append([pen])
        case 2 where !feature.paths.isEmpty: feature.paths[feature.paths.count - 1].append(pen)
        default: throw Malformed(what: "command \(command & 7)")
        }
      }
    }
    if feature.type == 3, feature.rings != feature.paths.count {
      throw Malformed(what: "an open ring")
    }
  }

  private static func signed(_ value: UInt64) -> Int {
    value & 1 == 0 ? Int(value / 2) : -Int(value / 2) - 1
  }

  private static func feature(_ bytes: ArraySlice<UInt8>) throws -> Feature {
    var feature = Feature()
    for (number, field) in try fields(bytes) {
      switch (number, field) {
      case (1, .number(let id)): feature.id = id
      case (2, .bytes(let packed)): feature.tags = try varints(packed)
      case (3, .number(let type)): feature.type = type
      case (4, .bytes(let packed)): feature.geometry = try varints(packed)
      default: throw Malformed(what: "feature field \(number)")
      }
    }
    return feature
  }

  private static func value(_ bytes: ArraySlice<UInt8>) throws -> Value {
    let all = try fields(bytes)
    guard all.count == 1, let (number, field) = all.first else {
      throw Malformed(what: "a value of \(all.count) parts")
    }
    switch (number, field) {
    case (1, .bytes(let text)): return .text(String(decoding: text, as: UTF8.self))
    case (3, .fixed64(let bits)): return .double(Double(bitPattern: bits))
    case (5, .number(let number)): return .unsigned(number)
    case (7, .number(let number)): return .bool(number != 0)
    default: throw Malformed(what: "value field \(number)")
    }
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) throws -> [(UInt64, Field)] {
    var rest = bytes
    var fields: [(UInt64, Field)] = []
    while !rest.isEmpty {
      let tag = try varint(&rest)
      switch tag & 7 {
      case 0: fields.append((tag >> 3, .number(try varint(&rest))))
      case 1:
        let bits = try take(8, &rest).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        fields.append((tag >> 3, .fixed64(bits)))
      case 2:
        let count = Int(try varint(&rest))
        fields.append((tag >> 3, .bytes(try take(count, &rest))))
      default: throw Malformed(what: "wire type \(tag & 7)")
      }
    }
    return fields
  }

  private static func varints(_ bytes: ArraySlice<UInt8>) throws -> [UInt64] {
    var rest = bytes
    var numbers: [UInt64] = []
    while !rest.isEmpty { numbers.append(try varint(&rest)) }
    return numbers
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw Malformed(what: "an open end") }
      number |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte & 0x80 == 0 { return number }
    }
    throw Malformed(what: "a number over 64 bits")
  }

  private static func take(
    _ count: Int, _ rest: inout ArraySlice<UInt8>
  ) throws -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw Malformed(what: "an open end") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
