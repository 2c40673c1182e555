/// Builds one layer. Features refer to keys and values by number, and each key and value is written
/// once.
struct VectorTileLayer {
  /// The value of a property.
  enum Value: Hashable {
    case text(String)
    case unsigned(UInt64)
    case double(Double)
    case bool(Bool)
  }

  /// The geometry type of a feature (Vector Tile 2.1, §4.3.4).
  enum Kind: UInt64 {
    case point = 1
    case line = 2
    case polygon = 3
  }

  private let name: String
  private var keys: [String] = []
  private var features = ProtobufWriter()
  private var values = ProtobufWriter()
  private var valueCount: UInt64 = 0
  private var numbers: [Value: UInt64] = [:]

  private var feature = ProtobufWriter()
  private var tags = ProtobufWriter()
  private var geometry = ProtobufWriter()
  private var scratch = ProtobufWriter()
  private var id: UInt64 = 0

  init(name: String) {
    self.name = name
  }

  /// Adds a key and returns its number. Call it once per key.
  mutating func key(_ key: String) -> UInt64 {
    keys.append(key)
    return UInt64(keys.count - 1)
  }

  /// Starts a feature.
  mutating func begin(id: UInt64) {
    self.id = id
    tags.removeAll()
  }

  mutating func tag(_ key: UInt64, _ value: Value) {
    tags.varint(key)
    tags.varint(number(value))
  }

  /// Adds a tag with an identifier. Identifiers are unique, so there is no search for an equal
  /// value.
  mutating func tag(_ key: UInt64, uuid: DeviceID) {
    scratch.removeAll()
    scratch.field(VectorTile.Tag.valueText, uuid: uuid)
    tags.varint(key)
    tags.varint(appendValue())
  }

  /// Ends a point feature. The position is in tile units.
  mutating func end(x: Int, y: Int) {
    geometry.removeAll()
    geometry.varint(1 << 3 | 1)  // one MoveTo, from the tile's corner
    geometry.varint(ProtobufWriter.zigzag(Int32(truncatingIfNeeded: x)))
    geometry.varint(ProtobufWriter.zigzag(Int32(truncatingIfNeeded: y)))
    end(.point, geometry.bytes)
  }

  mutating func end(_ kind: Kind, _ commands: TileCommands) { end(kind, commands.bytes) }

  private mutating func end(_ kind: Kind, _ commands: [UInt8]) {
    feature.removeAll()
    feature.field(VectorTile.Tag.featureID, id)
    feature.field(VectorTile.Tag.featureTags, tags.bytes)
    feature.field(VectorTile.Tag.featureType, kind.rawValue)
    feature.field(VectorTile.Tag.featureGeometry, commands)
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
