/// The address of a mailbox, as people have them: a dot-atom, an at sign and a domain name
/// (RFC 5322 §3.4.1), in ASCII and within the lengths of RFC 5321 §4.5.3.1.
///
/// Quoted local parts and domain literals, which the grammar allows and nobody is called, are
/// refused. So is everything beyond ASCII: a local part beyond it needs SMTPUTF8 (RFC 6531) at every
/// server on the way, and a domain beyond it has a spelling in ASCII (`xn--…`) that is the same one.
/// Whether anybody reads what is sent there, only a mail that is answered shows.
package struct EmailAddress: Hashable, Sendable {
  /// As it was written.
  package let text: String

  /// The most bytes of a local part (RFC 5321 §4.5.3.1.1).
  package static let longestLocalPart = 64
  /// The most bytes of an address (RFC 5321 §4.5.3.1.3, a path less its brackets).
  package static let longest = 254

  /// - Parameter text: an address alone, without spaces around it.
  /// - Throws: ``InvalidEmailAddress``.
  package init(_ text: String) throws(InvalidEmailAddress) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .beyondASCII }
    guard bytes.count <= Self.longest else { throw .tooLong }
    let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .malformed }
    guard parts[0].count <= Self.longestLocalPart else { throw .tooLong }
    guard Self.isDotAtom(parts[0]), Self.isDomainName(parts[1]) else { throw .malformed }
    self.text = text
  }

  /// What tells two mailboxes apart: the whole in small letters. No server that people use keeps
  /// `Ana` and `ana` apart, though it may (RFC 5321 §2.4).
  package var key: String { text.lowercased() }

  /// What stands after the at sign, in small letters.
  package var domain: String {
    String(text[(text.lastIndex(of: "@") ?? text.startIndex)...].dropFirst()).lowercased()
  }

  private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy(ASCII.isAtomText)
    }
  }

  /// Two labels or more (RFC 1035 §2.3.1, RFC 1123 §2.1), the last not a number as in `10.0.0.1`.
  private static func isDomainName(_ bytes: ArraySlice<UInt8>) -> Bool {
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count >= 2, let last = labels.last, !last.allSatisfy(ASCII.isDigit) else {
      return false
    }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
        && label.last != UInt8(ascii: "-")
        && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }
}

/// Why a text is no ``EmailAddress``. It does not carry the text.
package enum InvalidEmailAddress: Error, CustomStringConvertible {
  case malformed
  case tooLong
  /// Letters beyond ASCII before the at sign, or in a domain that could be written as `xn--…`.
  case beyondASCII

  package var description: String {
    switch self {
    case .malformed: "not an e-mail address, as ana@example.org"
    case .tooLong: "longer than an e-mail address may be"
    case .beyondASCII: "an e-mail address in letters beyond a–z, which not every server accepts"
    }
  }
}

/// Classes of bytes that mail tells apart.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// `atext` of RFC 5322 §3.2.3.
  static func isAtomText(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  /// The two digits of a byte, capital, as quoted-printable wants them.
  static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
