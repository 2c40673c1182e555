/// Header fields in their original order. Names are compared case-insensitively (ASCII).
///
/// All names and values are in one block of bytes, each terminated by NUL. A request's headers
/// therefore cost two allocations, and a response's headers can be passed to C without copying. A
/// String is created only for values that are read.
package struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  private var block: [UInt8] = []
  private var fields: [Field] = []

  private struct Field: Sendable {
    var name: Int
    var nameLength: Int
    var value: Int
    var valueLength: Int
  }

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    reserve()
    for (name, value) in elements { add(name, value) }
  }

  /// Reserves memory for a typical request or answer.
  private mutating func reserve() {
    // malloc caches blocks of at most 1,032 bytes. Larger blocks cost several times as much.
    block.reserveCapacity(960)
    fields.reserveCapacity(20)
  }

  package var count: Int { fields.count }

  /// The first value of `name`. Setting replaces all fields of that name. Nil removes them.
  package subscript(_ name: String) -> String? {
    get { fields.first { matches($0, name) }.map(text) }
    set {
      if contains(name) { fields = fields.filter { !matches($0, name) } }
      if let newValue { add(name, newValue) }
    }
  }

  /// All values of `name`, in order.
  package func values(_ name: String) -> [String] {
    fields.filter { matches($0, name) }.map(text)
  }

  package func contains(_ name: String) -> Bool {
    fields.contains { matches($0, name) }
  }

  /// All names and values as sent, in order.
  package var all: [(name: String, value: String)] {
    fields.map { field in
      (
        String(decoding: block[field.name..<field.name + field.nameLength], as: UTF8.self),
        text(field)
      )
    }
  }

  /// Appends a field. Existing fields of the same name remain.
  ///
  /// CR, LF and NUL in `value` become spaces (RFC 9110 §5.5), so that a value can never end a
  /// field.
  package mutating func add(_ name: String, _ value: String) {
    var name = name
    var value = value
    name.withUTF8 { name in value.withUTF8 { value in append(name: name, value: value) } }
  }

  /// Sets a field unless a field of that name exists.
  package mutating func setDefault(_ name: String, _ value: String) {
    if !contains(name) { add(name, value) }
  }

  /// Adds every field of `others` whose name does not exist yet.
  mutating func addMissing(_ others: Headers) {
    guard !fields.isEmpty else {
      self = others
      return
    }
    let own = fields.count
    let isApart = others.fields.allSatisfy { other in
      others.withName(of: other) { name in !fields.contains { matches($0, name) } }
    }
    guard !isApart else { return append(others) }
    for other in others.fields {
      others.withName(of: other) { name in
        guard !fields[..<own].contains(where: { matches($0, name) }) else { return }
        others.withValue(of: other) { append(name: name, value: $0) }
      }
    }
  }

  private mutating func append(_ others: Headers) {
    let offset = block.count
    block.append(contentsOf: others.block)
    for var field in others.fields {
      field.name += offset
      field.value += offset
      fields.append(field)
    }
  }

  private func withName<Result>(
    of field: Field, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    block.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[field.name..<field.name + field.nameLength]))
    }
  }

  private func withValue<Result>(
    of field: Field, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    block.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[field.value..<field.value + field.valueLength]))
    }
  }

  /// Adds `tokens` (comma-separated) to a list field such as Vary. Existing tokens are not
  /// repeated.
  package mutating func merge(_ name: String, _ tokens: String) {
    guard let field = fields.first(where: { matches($0, name) }) else { return add(name, tokens) }
    // Most fields come from the same constants, and contain the tokens already.
    if holds(field, tokens.utf8[...]) { return }
    let missing = tokens.utf8.split(separator: UInt8(ascii: ",")).map(\.trimmed)
      .filter { !holds(field, $0) }
    if !missing.isEmpty {
      self[name] = ([text(field)] + missing.map { String(Substring($0)) }).joined(separator: ", ")
    }
  }

  /// Whether the list in a field contains a token.
  private func holds(_ field: Field, _ token: Substring.UTF8View) -> Bool {
    let end = field.value + field.valueLength
    var start = field.value
    while start < end {
      let comma = block[start..<end].firstIndex(of: UInt8(ascii: ",")) ?? end
      let held = block[start..<comma].trimmed
      if held.count == token.count,
        held.elementsEqual(token, by: { $0.asciiLowercased == $1.asciiLowercased })
      {
        return true
      }
      start = comma + 1
    }
    return false
  }

  mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    if fields.isEmpty { reserve() }
    let start = block.count
    block.append(contentsOf: name)
    block.append(0)
    block.append(contentsOf: value)
    block.append(0)
    for (index, byte) in value.enumerated() where byte == 13 || byte == 10 || byte == 0 {
      block[start + name.count + 1 + index] = 32
    }
    fields.append(
      Field(
        name: start, nameLength: name.count, value: start + name.count + 1,
        valueLength: value.count))
  }

  /// Passes every field as two C strings, which are valid only during the call.
  func forEachCString(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void) {
    block.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        for field in fields { body(text + field.name, text + field.value) }
      }
    }
  }

  private func matches(_ field: Field, _ name: String) -> Bool {
    matches(field, name.utf8)
  }

  private func matches(_ field: Field, _ wanted: some Collection<UInt8>) -> Bool {
    guard wanted.count == field.nameLength else { return false }
    var index = field.name
    for byte in wanted {
      guard byte.asciiLowercased == block[index].asciiLowercased else { return false }
      index += 1
    }
    return true
  }

  private func text(_ field: Field) -> String {
    String(decoding: block[field.value..<field.value + field.valueLength], as: UTF8.self)
  }
}

extension UInt8 {
  /// The lower-case form of an ASCII upper-case letter. Other bytes are unchanged.
  var asciiLowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
  /// The bytes without leading and trailing spaces and tabs.
  fileprivate var trimmed: Self {
    var rest = self
    while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
    while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
    return rest
  }
}

extension StringProtocol {
  /// The text without leading and trailing spaces and tabs.
  var trimmed: String {
    // By bytes: characters take many times longer.
    var start: Index?
    var end = utf8.startIndex
    var index = utf8.startIndex
    while index < utf8.endIndex {
      let next = utf8.index(after: index)
      if utf8[index] != 0x20, utf8[index] != 0x09 {
        start = start ?? index
        end = next
      }
      index = next
    }
    return start.map { String(self[$0..<end]) } ?? ""
  }
}
