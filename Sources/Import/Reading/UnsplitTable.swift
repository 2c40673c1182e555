import WrittenValues

/// Recognises tables whose columns no single character separates, so that a person gets advice.
enum UnsplitTable {
  /// Separators of several bytes: the commas of other scripts, and doubled signs.
  private static let separators = [
    "::", "##", "$$", "\u{FF0C}", "\u{FF1B}", "\u{060C}", "\u{3001}",
  ]
  private static let maxLines = 20

  /// The reason why the beginning of a text is such a table; nil for any other.
  static func reason(_ head: [UInt8]) -> String? {
    let lines = String(decoding: head.prefix(16_384), as: UTF8.self).split(
      whereSeparator: \.isNewline
    )
    .filter { !$0.allSatisfy(\.isWhitespace) }.prefix(maxLines)
    // The last line may be cut off.
    let whole = lines.count > 3 ? lines.dropLast() : lines
    guard whole.count > 1, let first = whole.first else { return nil }
    for separator in separators {
      let count = first.ranges(of: separator).count
      guard count > 0, whole.allSatisfy({ $0.ranges(of: separator).count == count }) else {
        continue
      }
      return
        "its columns are separated by “\(separator)”; save the list with commas, semicolons or tabs"
    }
    // A gap at the same place in all lines.
    let widths = whole.map { Array($0.unicodeScalars) }
    let shortest = widths.map(\.count).min() ?? 0
    var gaps = 0
    for place in 1..<max(shortest, 2) where place + 1 < shortest {
      let isGap = widths.allSatisfy { $0[place] == " " }
      // The next column begins here in every line.
      if isGap, widths.allSatisfy({ $0[place + 1] != " " }) { gaps += 1 }
    }
    let isAligned = whole.allSatisfy { $0.contains("  ") }
    let words = whole.map { $0.split(separator: " ").map(String.init) }
    if !isAligned, first.split(separator: " ").count > 2,
      words.allSatisfy({ $0.count == words[0].count }),
      words.dropFirst().allSatisfy({ $0.count { PlainNumber.read($0) != nil } > 1 })
    {
      return "its columns are separated by spaces; save the list with commas, semicolons or tabs"
    }
    return gaps > 0 && isAligned
      ? "its columns have fixed widths, aligned with spaces; save the list as CSV" : nil
  }
}
