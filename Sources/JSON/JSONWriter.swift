/// Writes JSON into one growing buffer of bytes, without a tree in between.
///
/// Commas are put where they belong. Nesting is the caller's: the writer does not check that each
/// `begin` has its `end`. Values written one after another outside any array are parted by commas
/// too; call ``endLine()`` between them for newline-delimited JSON.
package struct JSONWriter {
  /// What was written so far, UTF-8.
  package private(set) var bytes: [UInt8]
  private var needsComma = false

  /// An empty writer with room for `capacity` bytes.
  package init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Forgets what was written and keeps the room, so that one writer serves many documents.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The name of the next member, escaped like any string.
  package mutating func key(_ name: StaticString) {
    separate()
    name.withUTF8Buffer { quoted($0) }
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// The name of the next member, escaped like any string.
  package mutating func key(_ name: String) {
    separate()
    quoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string: quotes, backslashes and control characters are escaped, all else stands as it is.
  package mutating func string(_ text: String) {
    separate()
    quoted(text)
    needsComma = true
  }

  /// A string from bytes that the caller knows to be UTF-8.
  package mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quoted(utf8)
    needsComma = true
  }

  package mutating func integer(_ value: Int) { integer(Int64(value)) }

  package mutating func integer(_ value: Int64) {
    separate()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    decimal(value.magnitude)
    needsComma = true
  }

  /// The shortest text that reads back as the same double; `null` when it is not finite.
  package mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// A longitude, latitude or other plain number rounded to seven decimals (about a centimetre on
  /// the ground), without trailing zeros or an exponent; `null` when it is not finite.
  package mutating func coordinate(_ value: Double) {
    let scaled = (value * 1e7).rounded(.toNearestOrEven)
    // 2^53: below it every scaled value is a whole number that a double holds exactly.
    guard scaled.magnitude < 9_007_199_254_740_992, let units = Int64(exactly: scaled) else {
      return double(value)
    }
    separate()
    if units < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    decimal(whole)
    if fraction != 0 { decimals(fraction) }
    needsComma = true
  }

  /// A value that is already JSON.
  package mutating func raw(_ json: StaticString) {
    separate()
    json.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  /// A value that is already JSON.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// A value that is already JSON.
  package mutating func raw(utf8 json: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// A whole value with everything in it.
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

  /// A line feed after a whole document, so that the next one starts without a comma.
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

  private mutating func quoted(_ text: String) {
    var text = text
    text.withUTF8 { quoted($0) }
  }

  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var runStart = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
      escape(byte)
      runStart = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    bytes.append(UInt8(ascii: "\""))
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

  /// The digits of `value`, most significant first.
  private mutating func decimal(_ value: UInt64) {
    let start = bytes.count
    var rest = value
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
    var low = start
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// A point and the ten-millionths in `fraction`, without the zeros at the end.
  private mutating func decimals(_ fraction: UInt64) {
    bytes.append(UInt8(ascii: "."))
    var rest = fraction
    var unit: UInt64 = 1_000_000
    while rest != 0 {
      let (digit, remainder) = rest.quotientAndRemainder(dividingBy: unit)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = remainder
      unit /= 10
    }
  }
}
