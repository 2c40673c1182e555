/// Extensions and restrictions of the parser, relative to RFC 8259.
package struct JSONReadingOptions: Equatable, Sendable {
  /// The treatment of duplicate member names.
  package enum DuplicateKeys: Equatable, Sendable {
    /// The document is rejected.
    case refused
    /// The last value counts, in the position of the first, as in most parsers.
    case keepLast
  }

  /// Duplicate member names.
  package var duplicateKeys: DuplicateKeys = .refused

  /// Whether a UTF-8 byte order mark may precede the value.
  package var allowsByteOrderMark = false

  /// Whether `\u0000` and lone surrogates become U+FFFD instead of errors.
  package var replacesUnencodable = false

  /// Whether `NaN` and `Infinity`, as programs for statistics write them, are null instead of errors.
  package var readsNotANumber = false

  /// Whether a whole number beyond the range of 64 bits becomes a text with all of its digits: it is an id.
  package var keepsLongNumbers = false

  /// Maximum nesting depth of arrays and objects.
  package var maximumDepth = 64

  /// Maximum number of members in one object.
  package var maximumMembers = Int.max

  /// Maximum number of values in a document, including arrays and objects.
  package var maximumValues = Int.max

  /// Maximum number of consecutive combining marks in a text.
  ///
  /// Comparing and hashing a text sorts the marks of each letter. Swift needs quadratic time for that: four minutes
  /// for 1 MiB of marks.
  package var maximumMarks = Int.max

  package init() {}

  /// For Farol's own files: no duplicates, no byte order mark, no replacements, 64 levels.
  package static let strict = JSONReadingOptions()

  /// For requests: like ``strict``, with at most 1,000 members per object and 100,000 values in total, several times
  /// the maximum that any request needs. At most 30 consecutive marks, more than any language needs (UAX #15,
  /// Stream-Safe Text Format).
  package static let request = {
    var options = JSONReadingOptions()
    options.maximumMembers = 1_000
    options.maximumValues = 100_000
    options.maximumMarks = 30
    return options
  }()

  /// For files of other sources: the last duplicate counts, a byte order mark is skipped, invalid Unicode becomes
  /// U+FFFD, `NaN` is null, and long whole numbers keep their digits. Still at most 64 levels and only finite numbers.
  package static let lenient = {
    var options = JSONReadingOptions()
    options.duplicateKeys = .keepLast
    options.allowsByteOrderMark = true
    options.replacesUnencodable = true
    options.readsNotANumber = true
    options.keepsLongNumbers = true
    return options
  }()
}

/// The reason why bytes are not valid JSON.
package struct InvalidJSON: Error, Equatable, CustomStringConvertible {
  /// Byte offset of the error from the start of the input.
  package var offset: Int
  /// The error as the end of a sentence, such as “expected a comma or the end of the array”.
  package var reason: String

  package var description: String { "byte \(offset): \(reason)" }
}

extension JSONValue {
  /// Reads one value that takes up all of `bytes`, by RFC 8259.
  ///
  /// - Throws: ``InvalidJSON`` with the offset of the first error: invalid UTF-8, numbers beyond
  ///   the range of a double, more than 64 levels, bytes after the value, and anything that
  ///   `options` rejects.
  package init(
    parsing bytes: [UInt8], options: JSONReadingOptions = .strict
  ) throws(InvalidJSON) {
    let result = bytes.withUnsafeBytes { buffer -> Result<JSONValue, InvalidJSON> in
      do throws(InvalidJSON) {
        return .success(try JSONValue(parsing: buffer, options: options))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Reads one value that takes up all of `buffer`, which must be valid only during the call.
  ///
  /// - Throws: ``InvalidJSON``, as for an array of bytes.
  package init(
    parsing buffer: UnsafeRawBufferPointer, options: JSONReadingOptions = .strict
  ) throws(InvalidJSON) {
    var parser = JSONParser(bytes: buffer, options: options)
    self = try parser.document()
  }
}

/// A recursive-descent parser. The depth limit bounds its stack usage.
struct JSONParser {
  private let bytes: UnsafeRawBufferPointer
  private let options: JSONReadingOptions
  private var position = 0
  private var depth = 0
  private var valueCount = 0

  init(bytes: UnsafeRawBufferPointer, options: JSONReadingOptions) {
    self.bytes = bytes
    self.options = options
  }

  mutating func document() throws(InvalidJSON) -> JSONValue {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      guard options.allowsByteOrderMark else { throw fault("a byte order mark is not allowed") }
      position = 3
    }
    skipSpace()
    let value = try self.value()
    skipSpace()
    guard position == bytes.count else { throw fault("unexpected bytes after the value") }
    return value
  }

  private func fault(_ reason: String, at offset: Int? = nil) -> InvalidJSON {
    InvalidJSON(offset: offset ?? position, reason: reason)
  }

  /// The current byte, or 0 at the end. A raw NUL is never valid in JSON, so this is unambiguous.
  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws(InvalidJSON) -> JSONValue {
    valueCount += 1
    guard valueCount <= options.maximumValues else {
      throw fault("more than \(options.maximumValues) values")
    }
    switch current {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "N") where options.readsNotANumber:
      try word("NaN")
      return .null
    case UInt8(ascii: "I") where options.readsNotANumber:
      try word("Infinity")
      return .null
    case UInt8(ascii: "-") where options.readsNotANumber && isNegativeInfinity:
      try word("-Infinity")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      throw fault(position < bytes.count ? "expected a value" : "ends where a value is expected")
    }
  }

  private mutating func word(_ word: StaticString) throws(InvalidJSON) {
    let matches = word.withUTF8Buffer { letters in
      position + letters.count <= bytes.count
        && letters.indices.allSatisfy { bytes[position + $0] == letters[$0] }
    }
    guard matches else { throw fault("expected \(word)") }
    position += word.utf8CodeUnitCount
  }

  private mutating func enter() throws(InvalidJSON) {
    guard depth < options.maximumDepth else {
      throw fault("more than \(options.maximumDepth) levels deep")
    }
    depth += 1
    position += 1
    skipSpace()
  }

  private mutating func array() throws(InvalidJSON) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      elements.append(try value())
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "]"):
        position += 1
        return elements
      default:
        throw fault("expected a comma or the end of the array")
      }
    }
  }

  private mutating func object() throws(InvalidJSON) -> JSONObject {
    try enter()
    defer { depth -= 1 }
    var members = UniqueMembers()
    if current == UInt8(ascii: "}") {
      position += 1
      return JSONObject()
    }
    while true {
      let start = position
      guard current == UInt8(ascii: "\"") else {
        throw fault(
          current == UInt8(ascii: "'")
            ? "names and texts must be between \" and not between '" : "expected a member name")
      }
      guard members.members.count < options.maximumMembers else {
        throw fault("more than \(options.maximumMembers) members in one object")
      }
      let key = try string()
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw fault("expected a colon") }
      position += 1
      skipSpace()
      let value = try self.value()
      if !members.append(key, value), options.duplicateKeys == .refused {
        throw fault("the member “\(String(key.unicodeScalars.prefix(64)))” occurs twice", at: start)
      }
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "}"):
        position += 1
        return JSONObject(members.members)
      default:
        throw fault("expected a comma or the end of the object")
      }
    }
  }

  private mutating func string() throws(InvalidJSON) -> String {
    var scanner = JSONStringScanner(
      bytes: bytes, position: position + 1, replaces: options.replacesUnencodable)
    let text = try scanner.string()
    guard options.maximumMarks == .max || !text.hasMarks(moreThan: options.maximumMarks) else {
      throw fault("more than \(options.maximumMarks) combining marks in a row")
    }
    position = scanner.position
    return text
  }

  private var isNegativeInfinity: Bool {
    position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "I")
  }

  private mutating func number() throws(InvalidJSON) -> JSONValue {
    var scanner = JSONNumberScanner(bytes: bytes, position: position)
    let value = try scanner.number()
    let written = bytes[position..<scanner.position]
    position = scanner.position
    if options.keepsLongNumbers, case .double = value, written.count > 18,
      written.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    {
      return .string(String(decoding: written, as: UTF8.self))
    }
    return value
  }
}

extension String {
  /// Whether the text contains more than `limit` consecutive combining characters.
  fileprivate func hasMarks(moreThan limit: Int) -> Bool {
    // The first combining character is U+0300. This is its first byte in UTF-8.
    guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var count = 0
    for scalar in unicodeScalars {
      let isMark =
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      count = isMark ? count + 1 : 0
      if count > limit { return true }
    }
    return false
  }
}

/// Members of an object being parsed. With many members an index ensures linear time.
private struct UniqueMembers {
  private(set) var members: [(key: String, value: JSONValue)] = []
  private var index: [String: Int] = [:]

  /// Appends the member. If the name exists already, replaces its value and returns false.
  mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    if let known = position(of: key) {
      members[known].value = value
      return false
    }
    members.append((key, value))
    if !index.isEmpty {
      index[key] = members.count - 1
    } else if members.count > 16 {
      for (position, member) in members.enumerated() { index[member.key] = position }
    }
    return true
  }

  private func position(of key: String) -> Int? {
    index.isEmpty ? members.firstIndex { $0.key == key } : index[key]
  }
}
