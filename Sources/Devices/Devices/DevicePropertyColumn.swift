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
      SQLValue(fields[keyPath: path])
    case .codes(let path, let scheme, let keepsOrder):
      .text(
        JSONText.strings(
          keepsOrder
            ? fields[keyPath: path] : vocabulary.canonical(fields[keyPath: path], in: scheme)))
    case .integer(let path, _): SQLValue(fields[keyPath: path])
    case .number(let path, _): SQLValue(fields[keyPath: path])
    case .day(let path): SQLValue(fields[keyPath: path]?.text)
    case .bearings: .text(JSONText.numbers(fields.bearings))
    case .own, .computed: .null
    }
  }
}

extension DeviceProperty {
  /// Reads `properties=`: names separated by commas, in addition to those of lists, or `*` for all.
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
