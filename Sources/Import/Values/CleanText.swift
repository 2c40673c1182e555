import Foundation

/// Text from outside made fit to be shown: composed, without what is invisible and harmful, trimmed.
struct CleanText: Equatable {
  /// What was found on the way.
  struct Findings: OptionSet {
    let rawValue: Int
    /// Control, direction-override, tag or other invisible characters were taken out.
    static let invisible = Findings(rawValue: 1)
    /// The text was longer than allowed.
    static let cut = Findings(rawValue: 2)
    /// U+FFFD or a noncharacter: something was lost before it came here.
    static let damaged = Findings(rawValue: 4)
    /// Looks like UTF-8 that was read as Windows-1252.
    static let doubleEncoded = Findings(rawValue: 8)
  }

  private(set) var text: String
  private(set) var findings: Findings = []

  /// - Parameters:
  ///   - raw: any text.
  ///   - limit: the most Unicode scalars that may be left, as the database counts them.
  ///   - lines: whether line breaks stay; otherwise each becomes a space.
  init(_ raw: String, limit: Int, lines: Bool) {
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
    text = Self.composed(String(scalars))
    if TextRepair.looksDoubleEncoded(text) { findings.insert(.doubleEncoded) }
    if text.unicodeScalars.count > limit {
      text = Self.cut(text, to: limit)
      findings.insert(.cut)
    }
  }

  /// Short printable ASCII without spaces at its ends or two together needs nothing.
  private static func alreadyClean(_ raw: String, limit: Int) -> String? {
    var last = UInt8(ascii: " ")
    var count = 0
    for byte in raw.utf8 {
      guard (0x20...0x7E).contains(byte), !(byte == 0x20 && last == 0x20) else { return nil }
      last = byte
      count += 1
    }
    return count > 0 && last == 0x20 || count > limit ? nil : raw
  }

  private enum Kind { case plain, space, lineBreak, invisible, damaged }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: return .lineBreak
    case 0x09, 0x20, 0xA0, 0x3000: return .space
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
    default: return scalar.properties.generalCategory == .spaceSeparator ? .space : .plain
    }
  }

  /// NFC; nothing below U+0300 combines (UAX 15, quick check).
  private static func composed(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { $0.value < 0x300 }
      ? text : text.precomposedStringWithCanonicalMapping
  }

  /// At most `limit` scalars of whole characters.
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
}

/// Text that was encoded twice.
enum TextRepair {
  /// Undoes one reading of UTF-8 as Windows-1252 (`SÃ¼d` → `Süd`); nil when it was none.
  static func undoubled(_ text: String) -> String? {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return nil }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = Windows1252.byte(scalar) ?? c1Byte(scalar) else { return nil }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Readers of Latin-1 leave the C1 controls as they are.
  private static func c1Byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (0x80...0x9F).contains(scalar.value) ? UInt8(scalar.value) : nil
  }

  static func looksDoubleEncoded(_ text: String) -> Bool {
    // Ã and Â begin nearly every such pair for the letters of Europe; â€ the punctuation.
    text.unicodeScalars.contains { $0 == "Ã" || $0 == "Â" || $0 == "â" } && undoubled(text) != nil
  }
}

/// Addresses, telephone numbers and logins, which no public text may hold.
enum ContactText {
  /// `text` with every address and telephone number replaced by “…”; nil when there is none.
  static func removing(from text: String) -> String? {
    guard mayHoldContact(text) else { return nil }
    var found = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      for index in words.indices where holdsAddress(words[index]) {
        words[index] = "…"
        found = true
      }
      let (rest, hasNumber) = removingTelephone(words.joined(separator: " "))
      found = found || hasNumber
      return rest
    }
    return found ? tidy(lines.joined(separator: "\n")) : nil
  }

  private static func mayHoldContact(_ text: String) -> Bool {
    text.utf8.contains { byte in
      byte == UInt8(ascii: "@") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    } || text.lowercased().contains("tel")
  }

  /// Only dots, commas and the marks of what was taken out: nothing is left to say.
  private static func tidy(_ text: String) -> String {
    let says = text.unicodeScalars.contains {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return says ? text : ""
  }

  /// Whether one word is, or holds, an e-mail, web, feed or network address.
  static func holdsAddress(_ word: String) -> Bool {
    let lower = word.lowercased()
    if lower.contains("://") || lower.hasPrefix("www.") || lower.contains("mailto:") { return true }
    if let at = lower.firstIndex(of: "@"), at != lower.startIndex,
      lower[at...].contains(".") || lower[..<at].contains(":")
    {
      return true
    }
    return isHostWithPath(lower) || isNetworkAddress(lower)
  }

  /// `example.org/cam`: a name with dots, letters last, then a slash.
  private static func isHostWithPath(_ word: String) -> Bool {
    guard let slash = word.firstIndex(of: "/") else { return false }
    let labels = word[..<slash].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, let last = labels.last, last.count >= 2,
      last.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return false }
    return labels.allSatisfy { label in
      !label.isEmpty
        && label.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
    }
  }

  private static func isNetworkAddress(_ word: String) -> Bool {
    let host = word.prefix { $0.isNumber || $0 == "." }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let after = word.dropFirst(host.count)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
      && (after.isEmpty || after.first == ":" || after.first == "/")
  }

  /// Takes out runs that begin with `+` and a digit, or follow a word for telephone, and hold seven
  /// digits or more.
  private static func removingTelephone(_ line: String) -> (rest: String, found: Bool) {
    var result = ""
    var found = false
    var rest = line[...]
    while let start = telephoneStart(in: rest) {
      let run = rest[start...].prefix { $0.isNumber || " +-/().".contains($0) }
      let digits = run.count { $0.isNumber }
      result += rest[..<start]
      if digits >= 7 {
        result += "…" + (run.last == " " ? " " : "")
        found = true
      } else {
        result += run
      }
      rest = rest[run.endIndex...]
    }
    return (result + rest, found)
  }

  private static func telephoneStart(in text: Substring) -> Substring.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == "+", next < text.endIndex, text[next].isNumber { return index }
      if text[index].isNumber, followsTelephoneWord(text[..<index]) { return index }
      index = next
    }
    return nil
  }

  private static func followsTelephoneWord(_ before: Substring) -> Bool {
    let word = before.suffix(12).lowercased().reversed().drop { !$0.isLetter }.prefix {
      $0.isLetter
    }
    return ["tel", "telefon", "telefone", "phone", "telephone", "fax", "handy", "mobil", "mobile"]
      .contains(String(word.reversed()))
  }
}
