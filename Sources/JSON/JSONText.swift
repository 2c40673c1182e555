/// JSON for columns that hold lists.
package enum JSONText {
  package static func strings(_ texts: [String]) -> String {
    if texts.isEmpty { return "[]" }
    var json = JSONWriter()
    json.strings(texts)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The codes in a column that holds a list of them, without parsing it: codes need no escapes.
  package static func codes(_ json: String) -> [String] {
    json.split { "[]\", ".contains($0) }.map(String.init)
  }

  package static func numbers(_ numbers: [Double]) -> String {
    if numbers.isEmpty { return "[]" }
    var json = JSONWriter()
    json.beginArray()
    for number in numbers { json.double(number) }
    json.endArray()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// An array of texts.
  package mutating func strings(_ texts: some Sequence<String>) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  package mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    string(text)
  }

  package mutating func member(_ name: StaticString, _ number: Int64) {
    key(name)
    integer(number)
  }

  package mutating func member(_ name: StaticString, _ number: Int) { member(name, Int64(number)) }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    key(name)
    bool(flag)
  }

  package mutating func member(_ name: StaticString, _ value: JSONValue) {
    key(name)
    self.value(value)
  }
}

extension JSONValue {
  /// The serialised JSON.
  package var text: String {
    var json = JSONWriter()
    json.value(self)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
