import JSON
import PrivacyMap
import Service
import SpatialDatabase

extension DeviceProperty.Entry {
  /// The value of the column of a plain property.
  func column(_ fields: DeviceFields, _ vocabulary: Vocabulary) -> SQLValue {
    switch self {
    case .text(let path, _, _), .code(let path, _), .word(let path, _), .duration(let path),
      .date(let path):
      SQLValue(fields.value(at: path))
    case .codes(let path, let scheme, let keepsOrder):
      Self.list(fields.value(at: path)) { codes in
        JSONText.strings(keepsOrder ? codes : vocabulary.canonical(codes, in: scheme))
      }
    case .integer(let path, _): SQLValue(fields.value(at: path))
    case .number(let path, _): SQLValue(fields.value(at: path))
    case .day(let path): SQLValue(fields.value(at: path)?.text)
    case .bearings: Self.list(fields.bearings, JSONText.numbers)
    case .own, .computed: .null
    }
  }

  /// Most devices have none.
  private static func list<T>(_ values: [T], _ text: ([T]) -> String) -> SQLValue {
    .text(values.isEmpty ? "[]" : text(values))
  }
}

extension DeviceFields {
  /// The value of a property. The subscript with a key path copies all fields for each of them.
  fileprivate func value<Value>(at path: KeyPath<DeviceFields, Value>) -> Value {
    guard let offset = MemoryLayout<DeviceFields>.offset(of: path) else {
      return self[keyPath: path]
    }
    return withUnsafeBytes(of: self) { $0.load(fromByteOffset: offset, as: Value.self) }
  }
}

extension DeviceProperty {
  /// Reads `properties=`: names separated by commas, in addition to the properties of lists, or `*` for all.
  static func selection(_ text: String) throws(InvalidInput) -> [DeviceProperty] {
    if text == "*" { return all }
    var wanted = Set(ofLists.map(\.name))
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard named(name) != nil else { throw .unknownCode("properties", name) }
      wanted.insert(name)
    }
    return all.filter { wanted.contains($0.name) }
  }
}
