/// Addresses, telephone numbers and logins, which public texts must not contain.
package enum ContactText {
  /// `text` with every address and telephone number replaced by “…”. Nil if there was nothing to
  /// replace, and empty if no other text remains.
  package static func removing(from text: String) -> String? {
    guard mayHoldContact(text), mayHoldAddress(text) || mayHoldTelephone(text) else { return nil }
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

  /// A fast check of the bytes that accepts most texts: no `@`, slash, dotted number, `www`, `+` before a digit, or
  /// seven digits.
  private static func mayHoldContact(_ text: String) -> Bool {
    var digits = 0
    var dots = 0
    var last: UInt8 = 0
    var secondLast: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "@"), UInt8(ascii: "/"): return true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if last == UInt8(ascii: "+") || digits >= 7 { return true }
      case UInt8(ascii: "."):
        dots += 1
        if dots >= 3 && digits >= 4 { return true }
      case UInt8(ascii: ":"):
        if last == UInt8(ascii: "o") || last == UInt8(ascii: "O") { return true }
      case UInt8(ascii: "w"), UInt8(ascii: "W"):
        if last | 0x20 == UInt8(ascii: "w"), secondLast | 0x20 == UInt8(ascii: "w") { return true }
      default: break
      }
      secondLast = last
      last = byte
    }
    return false
  }

  /// A fast check of the bytes without which no word holds an address: an `@`, a slash, a colon, three dots or `www`.
  private static func mayHoldAddress(_ text: String) -> Bool {
    var dots = 0
    var ws = 0
    for byte in text.utf8 {
      ws = byte | 0x20 == UInt8(ascii: "w") ? ws + 1 : 0
      switch byte {
      case UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: ":"): return true
      case UInt8(ascii: "."): dots += 1
      default: break
      }
      if dots >= 3 || ws >= 3 { return true }
    }
    return false
  }

  /// A fast check of the bytes without which no telephone number is found: a `+` before a digit or a byte that is not
  /// ASCII, or one of ``telephoneStems``.
  private static func mayHoldTelephone(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for index in bytes.indices {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        if bytes[index] == UInt8(ascii: "+"), next >= 0x80 || (0x30...0x39).contains(next) {
          return true
        }
        let initial = bytes[index] | 0x20
        for stem in telephoneStems where stem[0] == initial {
          if bytes.count - index >= stem.count,
            stem.indices.allSatisfy({ bytes[index + $0] | 0x20 == stem[$0] })
          {
            return true
          }
        }
      }
      return false
    }
  }

  /// In lower case; each of ``telephoneWords`` contains one of them.
  private static let telephoneStems = ["tel", "phone", "fax", "handy", "mobil"].map {
    Array($0.utf8)
  }

  /// Empty if only dots, commas and replacement marks remain.
  private static func tidy(_ text: String) -> String {
    let says = text.unicodeScalars.contains {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return says ? text : ""
  }

  /// Whether one word is or contains an e-mail, web, feed or network address.
  static func holdsAddress(_ word: String) -> Bool {
    guard mayHoldContact(word) else { return false }
    let lower = word.lowercased()
    if lower.contains("://") || lower.contains("www.") || lower.contains("mailto:") { return true }
    if let at = lower.firstIndex(of: "@"), at != lower.startIndex,
      lower[at...].contains(".") || lower[..<at].contains(":")
    {
      return true
    }
    return isHostWithPath(lower) || isNetworkAddress(lower)
  }

  /// `example.org/cam`: a name with dots that ends in letters, then a slash.
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

  /// Removes runs of seven digits or more that start with `+` and a digit, or follow a word for
  /// telephone.
  private static func removingTelephone(_ line: String) -> (rest: String, found: Bool) {
    var result = ""
    var found = false
    var rest = line[...]
    while let start = telephoneStart(in: rest) {
      let run = rest[start...].prefix { $0.isNumber || " +-/().".contains($0) }
      let digits = run.count { $0.isNumber }
      result += rest[..<start]
      if digits >= 7 {
        result += run.last == " " ? "… " : "…"
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
    var isInNumber = false
    while index < text.endIndex {
      let next = text.index(after: index)
      let letter = text[index]
      if letter == "+", next < text.endIndex, text[next].isNumber { return index }
      if letter.isNumber, !isInNumber, followsTelephoneWord(text[..<index]) { return index }
      isInNumber = letter.isNumber
      index = next
    }
    return nil
  }

  private static let telephoneWords: Set<String> = [
    "tel", "telefon", "telefone", "phone", "telephone", "fax", "handy", "mobil", "mobile",
  ]

  private static func followsTelephoneWord(_ before: Substring) -> Bool {
    let letters = before.suffix(14).reversed().drop { !$0.isLetter }.prefix { $0.isLetter }
    return telephoneWords.contains(String(letters.reversed()).lowercased())
  }
}
