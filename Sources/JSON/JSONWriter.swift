/// Writes JSON directly into one growing byte buffer.
///
/// The writer inserts commas automatically. The caller is responsible for nesting: the writer does
/// not check that each `begin` has an `end`. Consecutive values outside any array are also
/// separated by commas. For newline-delimited JSON, call ``endLine()`` between them.
package struct JSONWriter {
  /// The bytes written so far, in UTF-8.
  package private(set) var bytes: [UInt8]
  private var needsComma = false

  /// An empty writer with capacity for `capacity` bytes.
  package init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Discards the bytes and keeps the capacity, so that one writer serves many documents.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Returns the bytes since the last call, to send a long document in pieces. Unlike ``removeAll()`` it keeps the
  /// state of the current document.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The name of the next member, escaped like a string.
  package mutating func key(_ name: StaticString) {
    name.withUTF8Buffer { quoted($0, isKey: true) }
    needsComma = false
  }

  /// The name of the next member, escaped like a string.
  package mutating func key(_ name: String) {
    quoted(name, isKey: true)
    needsComma = false
  }

  /// A string. Escapes only quotes, backslashes and control characters.
  package mutating func string(_ text: String) {
    quoted(text, isKey: false)
    needsComma = true
  }

  /// A string from bytes that are known to be UTF-8.
  package mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    quoted(utf8, isKey: false)
    needsComma = true
  }

  package mutating func integer(_ value: Int) { integer(Int64(value)) }

  package mutating func integer(_ value: Int64) {
    separate()
    digits { text in
      text.prepend(whole: value.magnitude)
      if value < 0 { text.prepend(UInt8(ascii: "-")) }
    }
    needsComma = true
  }

  /// The shortest text that parses to the same double. `null` if it is not finite.
  package mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// A longitude, latitude or other number rounded to seven decimals (about a centimetre on the
  /// ground), without trailing zeros or an exponent. `null` if it is not finite.
  package mutating func coordinate(_ value: Double) {
    let scaled = (value * 1e7).rounded(.toNearestOrEven)
    // Below 2^53 every scaled value is an integer that a double represents exactly.
    guard scaled.magnitude < 9_007_199_254_740_992, let units = Int64(exactly: scaled) else {
      return double(value)
    }
    separate()
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    digits { text in
      text.prepend(tenMillionths: fraction)
      text.prepend(whole: whole)
      if units < 0 { text.prepend(UInt8(ascii: "-")) }
    }
    needsComma = true
  }

  /// A value that is already encoded as JSON.
  package mutating func raw(_ json: StaticString) {
    json.withUTF8Buffer { value(of: $0) }
    needsComma = true
  }

  /// A value that is already encoded as JSON.
  package mutating func raw(_ json: [UInt8]) {
    json.withUnsafeBufferPointer { value(of: $0) }
    needsComma = true
  }

  /// A value that is already encoded as JSON.
  package mutating func raw(utf8 json: UnsafeBufferPointer<UInt8>) {
    value(of: json)
    needsComma = true
  }

  /// A value that is already encoded as JSON. `body` writes it into the buffer and returns its length, at most
  /// `capacity`.
  package mutating func raw(
    capacity: Int, _ body: (_ room: UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    separate()
    bytes.append(addingCapacity: capacity) { room in
      room.withUnsafeMutableBufferPointer { bytes, count in
        count += body(UnsafeMutableBufferPointer(rebasing: bytes[count...]))
      }
    }
    needsComma = true
  }

  /// A complete value with all its content.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// A line feed after a complete document, so that the next one starts without a comma.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }
}

extension JSONWriter {
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Appends several parts at once, so that the buffer grows at most once.
  private mutating func append(
    _ before: UInt8?, _ text: UnsafeBufferPointer<UInt8>, _ after: UInt8?, _ last: UInt8?
  ) {
    let comma = needsComma
    bytes.append(addingCapacity: text.count + 4) { room in
      if comma { room.append(UInt8(ascii: ",")) }
      if let before { room.append(before) }
      room.withUnsafeMutableBufferPointer { bytes, count in
        _ = UnsafeMutableBufferPointer(rebasing: bytes[count...]).update(fromContentsOf: text)
        count += text.count
      }
      if let after { room.append(after) }
      if let last { room.append(last) }
    }
  }

  private mutating func value(of json: UnsafeBufferPointer<UInt8>) {
    append(nil, json, nil, nil)
  }

  private mutating func quoted(_ text: String, isKey: Bool) {
    var text = text
    text.withUTF8 { quoted($0, isKey: isKey) }
  }

  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) {
    let quote = UInt8(ascii: "\"")
    let colon = isKey ? UInt8(ascii: ":") : nil
    guard Self.plainCount(text) < text.count else { return append(quote, text, quote, colon) }
    separate()
    bytes.append(quote)
    escaped(text)
    bytes.append(quote)
    if let colon { bytes.append(colon) }
  }

  private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
    var rest = text
    var plain = Self.plainCount(rest)
    while plain < rest.count {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<plain]))
      escape(rest[plain])
      rest = UnsafeBufferPointer(rebasing: rest[(plain + 1)...])
      plain = Self.plainCount(rest)
    }
    bytes.append(contentsOf: rest)
  }

  /// The number of bytes before the first that must be escaped. Checks eight bytes at once.
  private static func plainCount(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    var count = 0
    while count + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: count, as: UInt64.self)
      if mustEscape(word) { break }
      count += 8
    }
    while count < text.count {
      let byte = text[count]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      count += 1
    }
    return count
  }

  /// Whether any of eight bytes is a control character, a quote or a backslash.
  ///
  /// `(x - n) & ~x & 0x80…` has a bit set exactly when some byte is below n, for n up to 128 (Sean
  /// Anderson, "Bit Twiddling Hacks": determine if a word has a byte less than n).
  private static func mustEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let found =
      (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes
      | (backslashes &- ones) & ~backslashes
    return found & (ones &* 0x80) != 0
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0x0F
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }

  /// Appends a number. `body` writes its text from the end.
  private mutating func digits(_ body: (inout BackwardText) -> Void) {
    // A sign, the 20 digits of 2^64 and a decimal point: no number is longer.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { room in
      var text = BackwardText(room: room, start: room.count)
      body(&text)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[text.start...]))
    }
  }
}

/// The text of a number, written from its last character to its first.
private struct BackwardText {
  let room: UnsafeMutableBufferPointer<UInt8>
  var start: Int

  mutating func prepend(_ byte: UInt8) {
    start -= 1
    room[start] = byte
  }

  /// The digits of an integer.
  mutating func prepend(whole value: UInt64) {
    var rest = value
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
  }

  /// A decimal point and seven decimals without trailing zeros. Nothing for 0. Use it only for the
  /// last part of a number.
  mutating func prepend(tenMillionths value: UInt64) {
    var rest = value
    var places = 7
    while places > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      if digit != 0 || start < room.count {
        prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      }
      rest = quotient
      places -= 1
    }
    if start < room.count { prepend(UInt8(ascii: ".")) }
  }
}
