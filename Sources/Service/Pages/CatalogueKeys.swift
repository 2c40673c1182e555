internal import JSON

/// The sentences that the scripts of a page can use, so that a page loads only those before it appears.
enum CatalogueKeys {
  /// The texts in quotes in a script or page that can be a key of the catalogue, or the beginning of one that ends
  /// with a dot, as in `term.${code}`.
  static func names(in source: String) -> Set<String> {
    var names: Set<String> = []
    let bytes = Array(source.utf8)
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      if isPart(byte) { continue }
      if let begin = start, begin < index, isQuote(byte) || byte == 0x24 {
        names.insert(String(decoding: bytes[begin..<index], as: UTF8.self))
      }
      start = isQuote(byte) ? index + 1 : nil
    }
    return names
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte == 0x27 || byte == 0x60
  }

  /// A letter or digit of a key, or a mark between its words.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  /// Whether scripts with these names can use a key: they contain it, its beginning with the dot, or the key
  /// without its last word, such as a plural form.
  static func areUsed(_ key: String, _ names: Set<String>) -> Bool {
    if names.contains(key) { return true }
    var begin = key[...]
    while let dot = begin.lastIndex(of: ".") {
      if names.contains(String(begin[...dot])) { return true }
      begin = begin[..<dot]
    }
    guard let dot = key.lastIndex(of: ".") else { return false }
    let parent = key[..<dot]
    let isForm = plurals.contains(String(key[key.index(after: dot)...]))
    return (isForm || parent.contains(".")) && names.contains(String(parent))
  }

  /// The plural categories of CLDR.
  private static let plurals: Set = ["zero", "one", "two", "few", "many", "other"]

  /// The sentences of a catalogue that scripts with these names can use.
  ///
  /// - Parameters:
  ///   - catalogue: a flat JSON object of texts.
  ///   - names: from ``names(in:)``.
  /// - Returns: the same kind of object; nil if the bytes are not a catalogue.
  static func part(of catalogue: [UInt8], for names: Set<String>) -> [UInt8]? {
    guard let object = try? JSONValue(parsing: catalogue).objectValue else { return nil }
    var json = JSONWriter(capacity: catalogue.count / 4)
    json.beginObject()
    for member in object.members where areUsed(member.key, names) {
      guard let text = member.value.stringValue else { return nil }
      json.key(member.key)
      json.string(text)
    }
    json.endObject()
    return json.bytes
  }
}
