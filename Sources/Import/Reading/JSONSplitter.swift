import JSON

/// Finds the elements of arrays in a JSON document, piece by piece, without storing the rest.
///
/// A path may have `*` for any member or element: `*/cameras` for the arrays of all members, `gateways/*` for the
/// objects of a map, each of which is a row.
///
/// It tracks only brackets and strings. Each element is validated when it is parsed.
struct JSONSplitter {
  /// The elements to pass on.
  enum Target: Equatable {
    /// The elements of the arrays at this path of member names.
    case array([String])
    /// The single value of the document.
    case root
  }

  private enum State {
    /// Before a value on the path to the target.
    case beforeValue
    case beforeKey, key, afterKey, afterMember
    /// Before or inside a value that is not on the path.
    case beforeSkipped, skipping
    case beforeElement, element, afterElement
    case done
  }

  private let path: [String]
  private let wantsRoot: Bool
  /// Whether the document has more than one array at the path.
  private let hasMany: Bool
  private static let any = "*"
  private let elementLimit: Int
  private var state = State.beforeValue
  /// The open objects and arrays on the path, one per matched name; true for an array.
  private var open: [Bool] = []
  private var isWantedKey = false
  /// The name of the last member on the path.
  private var lastName: String?
  /// The name of the member whose value follows, if it is a statement about the list.
  private var statement: String?
  /// Statements of the document about the list, outside its elements.
  private(set) var answer = AnswerMembers()
  private var scan = ValueScan()
  private var buffer: [UInt8] = []
  private var line = 1
  private var elementLine = 1
  private var mayClose = true
  private var foundTarget = false
  /// Whether the current element is a value on the path itself and not an element of an array.
  private var isMember = false
  private(set) var count = 0

  /// An element of more than `elementLimit` bytes is an error.
  init(target: Target, elementLimit: Int = 16 << 20) {
    switch target {
    case .array(let path):
      self.path = path
      wantsRoot = false
      hasMany = path.contains(Self.any)
    case .root:
      path = []
      wantsRoot = true
      hasMany = false
      state = .beforeElement
    }
    self.elementLimit = elementLimit
  }

  /// Receives an element, its line, and its name if it is the member of a map.
  typealias Body = (_ element: [UInt8], _ line: Int, _ name: String?) throws -> Void

  /// Processes the next piece and passes on each completed element.
  mutating func take(_ piece: UnsafeBufferPointer<UInt8>, _ body: Body) throws {
    var position = 0
    while position < piece.count {
      switch state {
      case .element, .skipping, .key:
        position = try follow(piece, from: position, body)
      default:
        let byte = piece[position]
        if byte == UInt8(ascii: "\n") { line += 1 }
        if !Self.isSpace(byte) {
          // The first byte of a value belongs to its scan, which processes it again.
          if try !step(byte) { continue }
        }
        position += 1
      }
    }
  }

  /// - Throws: ``ImportFailure`` if the document is incomplete or lacks the array.
  mutating func finish(_ body: Body) throws {
    if wantsRoot, state == .element, scan.isScalar { try endElement(body) }
    guard state == .done else {
      let place = state == .element || state == .afterElement || state == .beforeElement
      throw ImportFailure(
        foundTarget || wantsRoot
          ? "the file ends too early; it was cut off" : "the file ends before its rows begin",
        row: place ? count + (state == .element ? 1 : 0) : nil, line: line)
    }
    guard foundTarget || wantsRoot else {
      throw ImportFailure("there is no array at /\(path.joined(separator: "/"))")
    }
  }

  /// Scans a value or key to its end or to the end of the piece. Returns the position reached.
  private mutating func follow(
    _ piece: UnsafeBufferPointer<UInt8>, from start: Int, _ body: Body
  ) throws -> Int {
    var position = start
    var isComplete = false
    while position < piece.count, !isComplete {
      let byte = piece[position]
      let end = scan.take(byte)
      isComplete = end != .no
      if end == .before { break }
      if byte == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    if state == .skipping, statement != nil {
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: piece[start..<position]))
      if buffer.count > AnswerMembers.maxLength {
        statement = nil
        buffer.removeAll(keepingCapacity: true)
      }
    } else if state != .skipping {
      guard buffer.count + position - start <= elementLimit else {
        throw ImportFailure(
          "a row larger than \(elementLimit) bytes", row: count + 1, line: elementLine)
      }
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: piece[start..<position]))
    }
    if isComplete { try complete(body) }
    return position
  }

  private mutating func complete(_ body: Body) throws {
    switch state {
    case .key:
      let key = try? JSONValue(parsing: buffer, options: .lenient).stringValue
      buffer.removeAll(keepingCapacity: true)
      let wanted = path[open.count - 1]
      isWantedKey = (hasMany || !foundTarget) && (wanted == Self.any || key == wanted)
      lastName = key
      statement = key.flatMap { AnswerMembers.isRead($0) ? $0 : nil }
      state = .afterKey
    case .element: try endElement(body)
    default:
      if let statement {
        answer.add(statement, buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      statement = nil
      state = open.isEmpty ? .done : .afterMember
    }
  }

  private mutating func endElement(_ body: Body) throws {
    count += 1
    state = wantsRoot ? .done : isMember ? .afterMember : .afterElement
    try body(buffer, elementLine, isMember && open.last == false ? lastName : nil)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Processes a byte between values. Returns whether the byte was consumed.
  private mutating func step(_ byte: UInt8) throws -> Bool {
    switch (state, byte) {
    case (.beforeValue, UInt8(ascii: "{")) where isAtEnd && path.last == Self.any:
      foundTarget = true
      isMember = true
      return try begin(.element, byte)
    case (.beforeValue, UInt8(ascii: "[")) where isAtEnd:
      foundTarget = true
      isMember = false
      state = .beforeElement
      mayClose = true
    case (.beforeValue, UInt8(ascii: "{")) where !isAtEnd:
      openContainer(isArray: false)
      state = .beforeKey
      mayClose = true
    case (.beforeValue, UInt8(ascii: "[")) where !isAtEnd && path[open.count] == Self.any:
      openContainer(isArray: true)
      mayClose = true
    case (.beforeValue, UInt8(ascii: "]")) where mayClose && open.last == true: closeObject()
    case (.beforeValue, _), (.beforeSkipped, _): return try begin(.skipping, byte)
    case (.beforeKey, UInt8(ascii: "\"")): return try begin(.key, byte)
    case (.beforeKey, UInt8(ascii: "}")) where mayClose: closeObject()
    case (.afterKey, UInt8(ascii: ":")):
      state = isWantedKey ? .beforeValue : .beforeSkipped
    case (.afterMember, UInt8(ascii: ",")):
      state = open.last == true ? .beforeValue : .beforeKey
      mayClose = false
    case (.afterMember, UInt8(ascii: "}")) where open.last == false: closeObject()
    case (.afterMember, UInt8(ascii: "]")) where open.last == true: closeObject()
    case (.beforeElement, UInt8(ascii: "]")) where mayClose && !wantsRoot: closeArray()
    case (.beforeElement, _): return try begin(.element, byte)
    case (.afterElement, UInt8(ascii: ",")):
      state = .beforeElement
      mayClose = false
    case (.afterElement, UInt8(ascii: "]")): closeArray()
    case (.done, UInt8(ascii: "{")), (.done, UInt8(ascii: "[")):
      throw ImportFailure(
        "a second list follows the first one; save each as a file of its own, or all rows as one list",
        row: count > 0 ? count : nil, line: line)
    default: throw unexpected(byte)
    }
    return true
  }

  private mutating func begin(_ next: State, _ byte: UInt8) throws -> Bool {
    guard ValueScan.mayBegin(byte) else { throw unexpected(byte) }
    scan = ValueScan()
    state = next
    elementLine = line
    return false
  }

  /// Whether all names of the path are matched.
  private var isAtEnd: Bool { open.count == path.count }

  private mutating func openContainer(isArray: Bool) {
    open.append(isArray)
    // A map may be empty.
    if isAtEnd, path.last == Self.any { foundTarget = true }
  }

  private mutating func closeObject() {
    open.removeLast()
    state = open.isEmpty ? .done : .afterMember
  }

  private mutating func closeArray() {
    state = open.isEmpty ? .done : .afterMember
  }

  private func unexpected(_ byte: UInt8) -> ImportFailure {
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") {
      return ImportFailure(
        "the file has comments, which JSON has not; remove them", row: count > 0 ? count : nil,
        line: line)
    }
    let shown = (0x21...0x7E).contains(byte) ? "“\(Unicode.Scalar(byte))”" : "byte \(byte)"
    return ImportFailure(
      "unexpected \(shown); this is not the JSON of a list", row: count > 0 ? count : nil,
      line: line)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
