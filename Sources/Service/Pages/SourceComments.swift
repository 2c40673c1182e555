/// Leaves out the lines of a script or style sheet that contain only a comment, and the space before others. Bundles
/// have neither, because comments are a third of the compressed size.
///
/// A comment after code, or before code on the same line, stays. So does a line of a template literal that
/// looks like a comment: the number of back quotes before a line shows whether the line is inside one.
struct SourceComments {
  private var isInComment = false
  private var isInTemplate = false

  /// What is needed of the next line of the source; nil if it contains only a comment or white space.
  mutating func needed(_ line: Substring.UTF8View) -> Substring? {
    let isText = isInTemplate
    guard !cover(line) else { return nil }
    return Substring(isText ? line : line.drop { $0 == 0x20 || $0 == 0x09 })
  }

  private mutating func cover(_ line: Substring.UTF8View) -> Bool {
    let text = Self.trimmed(line)
    if isInComment {
      isInComment = !text.hasSuffix(Self.end)
      return true
    }
    guard !isInTemplate else {
      count(text)
      return false
    }
    if text.isEmpty || text.hasPrefix(Self.line) { return true }
    if text.hasPrefix(Self.start) {
      if text.hasSuffix(Self.end) { return !Self.hasCode(text) }
      if !Self.contains(Self.end, text) {
        isInComment = true
        return true
      }
    }
    count(text)
    return false
  }

  private static let line = Array("//".utf8)
  private static let start = Array("/*".utf8)
  private static let end = Array("*/".utf8)

  private mutating func count(_ text: ArraySlice<UInt8>) {
    if text.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 1 { isInTemplate.toggle() }
  }

  private static func trimmed(_ line: Substring.UTF8View) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    let text = Array(line)
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return text[first...last]
  }

  /// Whether a line that begins and ends with a comment has code between two of them.
  private static func hasCode(_ text: ArraySlice<UInt8>) -> Bool {
    contains(end, text.dropFirst(2).dropLast(2))
  }

  private static func contains(_ mark: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    text.firstRange(of: mark) != nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasPrefix(_ mark: [UInt8]) -> Bool { starts(with: mark) }

  fileprivate func hasSuffix(_ mark: [UInt8]) -> Bool { suffix(mark.count).elementsEqual(mark) }
}
