import JSON

/// Finds the elements of one array in a JSON document, piece by piece, without storing the rest.
///
/// It tracks only brackets and strings. Each element is validated when it is parsed.
struct JSONSplitter {
  /// The elements to pass on.
  enum Target: Equatable {
    /// The elements of the array at this path of member names.
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
  private let elementLimit: Int
  private var state = State.beforeValue
  /// The number of open objects on the path, which equals the number of matched member names.
  private var openObjects = 0
  private var isWantedKey = false
  /// The name of the member whose value follows, if it says something about the list.
  private var statement: String?
  /// What the document says about the list besides its elements.
  private(set) var answer = AnswerMembers()
  private var scan = ValueScan()
  private var buffer: [UInt8] = []
  private var line = 1
  private var elementLine = 1
  private var mayClose = true
  private var foundTarget = false
  private(set) var count = 0

  /// An element of more than `elementLimit` bytes is an error.
  init(target: Target, elementLimit: Int = 16 << 20) {
    switch target {
    case .array(let path):
      self.path = path
      wantsRoot = false
    case .root:
      path = []
      wantsRoot = true
      state = .beforeElement
    }
    self.elementLimit = elementLimit
  }

  /// Processes the next piece and passes on each completed element with its line.
  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: ([UInt8], Int) throws -> Void
  ) throws {
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
  mutating func finish(_ body: ([UInt8], Int) throws -> Void) throws {
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
    _ piece: UnsafeBufferPointer<UInt8>, from start: Int, _ body: ([UInt8], Int) throws -> Void
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
      if buffer.count > AnswerMembers.longest {
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

  private mutating func complete(_ body: ([UInt8], Int) throws -> Void) throws {
    switch state {
    case .key:
      let key = try? JSONValue(parsing: buffer, options: .lenient).stringValue
      buffer.removeAll(keepingCapacity: true)
      isWantedKey = !foundTarget && openObjects <= path.count && key == path[openObjects - 1]
      statement = key.flatMap { AnswerMembers.isRead($0) ? $0 : nil }
      state = .afterKey
    case .element: try endElement(body)
    default:
      if let statement {
        answer.add(statement, buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      statement = nil
      state = openObjects == 0 ? .done : .afterMember
    }
  }

  private mutating func endElement(_ body: ([UInt8], Int) throws -> Void) throws {
    count += 1
    state = wantsRoot ? .done : .afterElement
    try body(buffer, elementLine)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Processes a byte between values. Returns whether the byte was consumed.
  private mutating func step(_ byte: UInt8) throws -> Bool {
    switch (state, byte) {
    case (.beforeValue, UInt8(ascii: "[")) where openObjects == path.count:
      foundTarget = true
      state = .beforeElement
      mayClose = true
    case (.beforeValue, UInt8(ascii: "{")) where openObjects < path.count:
      openObjects += 1
      state = .beforeKey
      mayClose = true
    case (.beforeValue, _), (.beforeSkipped, _): return try begin(.skipping, byte)
    case (.beforeKey, UInt8(ascii: "\"")): return try begin(.key, byte)
    case (.beforeKey, UInt8(ascii: "}")) where mayClose: closeObject()
    case (.afterKey, UInt8(ascii: ":")):
      state = isWantedKey ? .beforeValue : .beforeSkipped
    case (.afterMember, UInt8(ascii: ",")):
      state = .beforeKey
      mayClose = false
    case (.afterMember, UInt8(ascii: "}")): closeObject()
    case (.beforeElement, UInt8(ascii: "]")) where mayClose && !wantsRoot: closeArray()
    case (.beforeElement, _): return try begin(.element, byte)
    case (.afterElement, UInt8(ascii: ",")):
      state = .beforeElement
      mayClose = false
    case (.afterElement, UInt8(ascii: "]")): closeArray()
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

  private mutating func closeObject() {
    openObjects -= 1
    state = openObjects == 0 ? .done : .afterMember
  }

  private mutating func closeArray() {
    state = openObjects == 0 ? .done : .afterMember
  }

  private func unexpected(_ byte: UInt8) -> ImportFailure {
    let shown = (0x21...0x7E).contains(byte) ? "“\(Unicode.Scalar(byte))”" : "byte \(byte)"
    return ImportFailure(
      "unexpected \(shown); this is not the JSON of a list", row: count > 0 ? count : nil,
      line: line)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}

/// Tracks one JSON value by its brackets and quotes.
struct ValueScan {
  /// Whether a byte ended the value.
  enum End {
    case no
    /// The value ended with this byte.
    case with
    /// The value ended before this byte.
    case before
  }

  private var hasBegun = false
  private var depth = 0
  private var isString = false
  private var isEscaped = false
  /// A number or a literal word, which ends only at the following byte.
  private(set) var isScalar = false

  static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  mutating func take(_ byte: UInt8) -> End {
    if isString { return takeInString(byte) }
    if isScalar { return Self.endsScalar(byte) ? .before : .no }
    switch byte {
    case UInt8(ascii: "\""): isString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      return depth == 0 ? .with : .no
    default: isScalar = !hasBegun
    }
    hasBegun = true
    return .no
  }

  private mutating func takeInString(_ byte: UInt8) -> End {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isString = false
      return depth == 0 ? .with : .no
    }
    return .no
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09...0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
