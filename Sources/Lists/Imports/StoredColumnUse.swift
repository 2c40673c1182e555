import Import
import JSON
import Service

extension ColumnUse {
  /// The columns as in the interface and in `import_run.columns`.
  static let shape = JSONShape<ColumnUse>(
    nil, .texts("used", \.used), .texts("unused", \.unused),
    .list(
      "missing",
      of: JSONShape<Missing>(nil, .text("name", \.name), .texts("nearest", \.nearest)), \.missing))

  /// The value of `import_run.columns`.
  var stored: String {
    var json = JSONWriter()
    json.value(Self.shape.json(self))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Reads ``stored``; nil if the text is invalid.
  init?(stored: String) {
    guard let json = try? JSONValue(parsing: Array(stored.utf8)) else { return nil }
    func texts(_ value: JSONValue?) -> [String] {
      (value?.arrayValue ?? []).compactMap(\.stringValue)
    }
    self.init(
      used: texts(json["used"]), unused: texts(json["unused"]),
      missing: (json["missing"]?.arrayValue ?? []).compactMap { one in
        one["name"]?.stringValue.map { Missing(name: $0, nearest: texts(one["nearest"])) }
      })
  }
}
