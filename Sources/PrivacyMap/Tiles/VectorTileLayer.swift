/// One layer of points in the making: features refer to keys and values by number, and each key
/// and value is written once.
struct VectorTileLayer {
  /// What a property can hold here.
  enum Value: Hashable {
    case text(String)
    case unsigned(UInt64)
    case double(Double)
    case bool(Bool)
  }

  private let name: String
  private var keys: [String] = []
  private var features = ProtobufWriter()
  private var values = ProtobufWriter()
  private var valueCount: UInt64 = 0
  private var numbers: [Value: UInt64] = [:]

  private var feature = ProtobufWriter()
  private var tags = ProtobufWriter()
  private var scratch = ProtobufWriter()
  private var spot: (id: UInt64, x: Int32, y: Int32) = (0, 0, 0)

  init(name: String) {
    self.name = name
  }

  /// The number of a key; ask once for each.
  mutating func key(_ key: String) -> UInt64 {
    keys.append(key)
    return UInt64(keys.count - 1)
  }

  /// Starts a feature at a point, in units of the tile.
  mutating func begin(id: UInt64, x: Int, y: Int) {
    spot = (id, Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y))
    tags.removeAll()
  }

  mutating func tag(_ key: UInt64, _ value: Value) {
    tags.varint(key)
    tags.varint(number(value))
  }

  /// Tags with an identifier: no two are alike, so none is looked for.
  mutating func tag(_ key: UInt64, uuid: DeviceID) {
    scratch.removeAll()
    scratch.field(VectorTile.Tag.valueText, uuid: uuid)
    tags.varint(key)
    tags.varint(appendValue())
  }

  mutating func end() {
    feature.removeAll()
    feature.field(VectorTile.Tag.featureID, spot.id)
    feature.field(VectorTile.Tag.featureTags, tags.bytes)
    feature.field(VectorTile.Tag.featureType, 1 as UInt64)  // POINT
    tags.removeAll()
    tags.varint(1 << 3 | 1)  // one MoveTo, from the tile's corner
    tags.varint(ProtobufWriter.zigzag(spot.x))
    tags.varint(ProtobufWriter.zigzag(spot.y))
    feature.field(VectorTile.Tag.featureGeometry, tags.bytes)
    features.field(VectorTile.Tag.layerFeature, feature.bytes)
  }

  consuming func encoded() -> [UInt8] {
    var layer = ProtobufWriter()
    layer.field(VectorTile.Tag.layerVersion, 2 as UInt64)
    layer.field(VectorTile.Tag.layerName, name)
    layer.append(features)
    for key in keys { layer.field(VectorTile.Tag.layerKey, key) }
    layer.append(values)
    layer.field(VectorTile.Tag.layerExtent, UInt64(TileContent.extent))
    return layer.bytes
  }

  private mutating func number(_ value: Value) -> UInt64 {
    if let number = numbers[value] { return number }
    scratch.removeAll()
    switch value {
    case .text(let text): scratch.field(VectorTile.Tag.valueText, text)
    case .unsigned(let number): scratch.field(VectorTile.Tag.valueUnsigned, number)
    case .double(let number): scratch.field(VectorTile.Tag.valueDouble, number)
    case .bool(let isTrue): scratch.field(VectorTile.Tag.valueBool, isTrue ? 1 as UInt64 : 0)
    }
    let number = appendValue()
    numbers[value] = number
    return number
  }

  private mutating func appendValue() -> UInt64 {
    values.field(VectorTile.Tag.layerValue, scratch.bytes)
    valueCount += 1
    return valueCount - 1
  }
}
