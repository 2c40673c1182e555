/// The text of a statement with PostgreSQL's `$1`, `$2`… instead of `?`.
///
/// A `?` is the parameter after the highest one before it, and `?2` is the second parameter, as in SQLite. Strings,
/// names in quotes, comments and dollar quotes are left alone. `??` becomes one `?` of an operator, such as `@??` for
/// `@?`, because `=?` could be read both ways. Tokens follow PostgreSQL's rules (§4.1 of its documentation,
/// `src/backend/parser/scan.l`).
package struct NumberedStatement: Equatable, Sendable {
  /// The statement for PostgreSQL.
  package let text: String
  /// The number of values to bind.
  package let parameterCount: Int

  /// The most parameters that the protocol can carry in a statement.
  package static let maxParameters = 65_535

  /// - Throws: ``ServerFault`` of kind `statement` if a string, a name or a comment does not end, or if the text
  ///   contains U+0000, `$1` or a number of a parameter beyond the limit.
  package init(_ sql: String) throws(ServerFault) {
    var scanner = StatementScanner(bytes: Array(sql.utf8))
    do throws(StatementScanner.Defect) { try scanner.scan() } catch {
      throw ServerFault(.statement, error.rawValue, sql: sql)
    }
    text = String(decoding: scanner.output, as: UTF8.self)
    parameterCount = scanner.highest
  }
}

/// Copies a statement token by token, and replaces its parameters.
private struct StatementScanner {
  enum Defect: String, Error {
    case string = "a string does not end"
    case name = "a name in quotes does not end"
    case comment = "a comment does not end"
    case dollarQuote = "a dollar quote does not end"
    case zero = "the statement contains U+0000"
    case dollar = "the statement contains a parameter of PostgreSQL in place of ?"
    case number = "the number of a parameter is not between 1 and 65535"
  }

  let bytes: [UInt8]
  var position = 0
  var output: [UInt8] = []
  var highest = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    output.reserveCapacity(bytes.count + 32)
  }

  /// The byte so far ahead, or 0 at the end.
  private func peek(_ ahead: Int = 0) -> UInt8 {
    position + ahead < bytes.count ? bytes[position + ahead] : 0
  }

  private mutating func copy(_ count: Int = 1) {
    let end = min(position + count, bytes.count)
    output += bytes[position..<end]
    position = end
  }

  mutating func scan() throws(Defect) {
    guard !bytes.contains(0) else { throw .zero }
    while position < bytes.count {
      switch (peek(), peek(1)) {
      case (UInt8(ascii: "'"), _): try quoted(.string)
      case (UInt8(ascii: "\""), _): try quoted(.name)
      case (UInt8(ascii: "e"), UInt8(ascii: "'")), (UInt8(ascii: "E"), UInt8(ascii: "'")):
        copy()
        try escapedString()
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): lineComment()
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): try blockComment()
      case (UInt8(ascii: "$"), _): try dollarQuote()
      case (UInt8(ascii: "?"), UInt8(ascii: "?")):
        copy()
        position += 1
      case (UInt8(ascii: "?"), _): try parameter()
      case (let first, _) where first.startsWord:
        while peek().continuesWord { copy() }
      default: copy()
      }
    }
  }

  /// A string or a name in quotes. Two quotes in it are one of its characters, which needs no rule here.
  private mutating func quoted(_ kind: Defect) throws(Defect) {
    let quote = peek()
    copy()
    while peek() != quote {
      guard position < bytes.count else { throw kind }
      copy()
    }
    copy()
  }

  /// A string in which a backslash protects the next character. After white space with a line break, a further quote
  /// continues it.
  private mutating func escapedString() throws(Defect) {
    repeat {
      copy()
      while peek() != UInt8(ascii: "'") {
        guard position < bytes.count else { throw .string }
        copy(peek() == UInt8(ascii: "\\") ? 2 : 1)
      }
      copy()
      if peek() == UInt8(ascii: "'") { continue }
      skipToContinuation()
    } while peek() == UInt8(ascii: "'")
  }

  /// Copies white space and line comments up to a quote that continues a string, if there is one.
  private mutating func skipToContinuation() {
    var end = position
    var hasBreak = false
    while end < bytes.count, bytes[end] != UInt8(ascii: "'") {
      if bytes[end...].starts(with: "--".utf8) {
        while end < bytes.count, !bytes[end].isLineBreak { end += 1 }
      } else if bytes[end].isSpace {
        hasBreak = hasBreak || bytes[end].isLineBreak
        end += 1
      } else {
        return
      }
    }
    if hasBreak, end < bytes.count { copy(end - position) }
  }

  private mutating func lineComment() {
    while position < bytes.count, !peek().isLineBreak { copy() }
  }

  /// Comments of this kind nest.
  private mutating func blockComment() throws(Defect) {
    var depth = 0
    repeat {
      guard position < bytes.count else { throw .comment }
      switch (peek(), peek(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        copy(2)
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        copy(2)
      default: copy()
      }
    } while depth > 0
  }

  /// `$$…$$` or `$tag$…$tag$`.
  private mutating func dollarQuote() throws(Defect) {
    guard !peek(1).isDigit else { throw .dollar }
    var length = 1
    while length == 1 ? peek(length).startsWord : peek(length).continuesTag { length += 1 }
    guard peek(length) == UInt8(ascii: "$") else { return copy() }
    let delimiter = bytes[position...(position + length)]
    copy(delimiter.count)
    while !bytes[position...].starts(with: delimiter) {
      guard position < bytes.count else { throw .dollarQuote }
      copy()
    }
    copy(delimiter.count)
  }

  private mutating func parameter() throws(Defect) {
    position += 1
    var number = 0
    let hasNumber = peek().isDigit
    while peek().isDigit, number <= NumberedStatement.maxParameters {
      number = number * 10 + Int(peek() - UInt8(ascii: "0"))
      position += 1
    }
    if !hasNumber { number = highest + 1 }
    guard 1...NumberedStatement.maxParameters ~= number else { throw .number }
    highest = max(highest, number)
    output += Array("$\(number)".utf8)
    // `?AND` would become `$1AND`, which later versions refuse.
    if peek().continuesWord { output.append(UInt8(ascii: " ")) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }
  fileprivate var isSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0B || self == 0x0C || isLineBreak
  }
  /// Letters, underscores, and every character outside ASCII.
  fileprivate var startsWord: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
      || self == UInt8(ascii: "_") || self >= 0x80
  }
  fileprivate var continuesTag: Bool { startsWord || isDigit }
  fileprivate var continuesWord: Bool { continuesTag || self == UInt8(ascii: "$") }
}
