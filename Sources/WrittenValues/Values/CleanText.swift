import PrivacyMap

/// External text prepared for display: composed, without invisible and harmful characters, trimmed.
package struct CleanText: Equatable, Sendable {
  /// The problems found.
  package struct Findings: OptionSet {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Control, direction-override, tag or other invisible characters were removed.
    package static let invisible = Findings(rawValue: 1)
    /// The text was longer than allowed.
    package static let cut = Findings(rawValue: 2)
    /// U+FFFD or a noncharacter: a character was lost before the import.
    package static let damaged = Findings(rawValue: 4)
    /// Looks like UTF-8 that was read as Windows-1252.
    package static let doubleEncoded = Findings(rawValue: 8)
  }

  package private(set) var text: String
  package private(set) var findings: Findings = []

  /// - Parameters:
  ///   - raw: any text.
  ///   - limit: the maximum number of Unicode scalars in the result, counted as in the database.
  ///   - lines: whether to keep line breaks. Otherwise each becomes a space.
  package init(_ raw: String, limit: Int, lines: Bool) {
    if let plain = Self.alreadyClean(raw, limit: limit) {
      text = plain
      return
    }
    var scalars = String.UnicodeScalarView()
    var spaces: Unicode.Scalar?
    for scalar in raw.unicodeScalars {
      switch Self.kind(of: scalar) {
      case .plain:
        if let space = spaces, !scalars.isEmpty { scalars.append(space) }
        spaces = nil
        scalars.append(scalar)
      case .space: spaces = spaces ?? " "
      case .lineBreak: spaces = lines ? "\n" : spaces ?? " "
      case .invisible: findings.insert(.invisible)
      case .damaged:
        findings.insert(.damaged)
        if let space = spaces, !scalars.isEmpty { scalars.append(space) }
        spaces = nil
        scalars.append("\u{FFFD}")
      }
    }
    text = Composition.composed(String(scalars))
    if !lines, let visible = InvisibleCharacters.removed(from: text) {
      text = visible
      findings.insert(.invisible)
    }
    if TextRepair.looksDoubleEncoded(text) { findings.insert(.doubleEncoded) }
    if text.unicodeScalars.count > limit {
      text = Self.cut(text, to: limit)
      findings.insert(.cut)
    }
  }

  /// Fast path: short printable ASCII without leading, trailing or double spaces needs no changes.
  private static func alreadyClean(_ raw: String, limit: Int) -> String? {
    var raw = raw
    let isClean = raw.withUTF8 { bytes in
      var last = UInt8(ascii: " ")
      for byte in bytes {
        guard (0x20...0x7E).contains(byte), !(byte == 0x20 && last == 0x20) else { return false }
        last = byte
      }
      return (bytes.isEmpty || last != 0x20) && bytes.count <= limit
    }
    return isClean ? raw : nil
  }

  private enum Kind { case plain, space, lineBreak, invisible, damaged }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: return .lineBreak
    case 0x09, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return .space
    case 0x00..<0x20, 0x7F..<0xA0: return .invisible
    // Soft hyphen; Arabic letter mark; zero-width space and the two direction marks; embeddings and
    // overrides; invisible operators and isolates; byte order mark; interlinear annotation.
    case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB:
      return .invisible
    // Tag characters.
    case 0xE0000...0xE007F: return .invisible
    case 0xFFFD, 0xFDD0...0xFDEF: return .damaged
    case let value where value & 0xFFFE == 0xFFFE: return .damaged
    default: return .plain
    }
  }

  /// At most `limit` scalars, without splitting a character.
  private static func cut(_ text: String, to limit: Int) -> String {
    var result = ""
    var count = 1
    for character in text {
      count += character.unicodeScalars.count
      if count > limit { break }
      result.append(character)
    }
    while result.last?.isWhitespace == true { result.removeLast() }
    return result + "…"
  }

  /// At most 60 characters of `value` for a note. Words that contain an address or a login become
  /// “…”.
  package static func excerpt(_ value: String) -> String {
    let cleaned = CleanText(value, limit: 60, lines: false).text
    let words = cleaned.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { ContactText.holdsAddress(String($0)) ? "…" : String($0) }.joined(
      separator: " ")
  }
}
