/// The address of a mailbox: a dot-atom, an at sign and a domain name (RFC 5322 §3.4.1), in ASCII and
/// within the lengths of RFC 5321 §4.5.3.1.
///
/// Quoted local parts and domain literals are valid in the grammar but unused in practice, so they are
/// refused. Non-ASCII text is refused too: a non-ASCII local part needs SMTPUTF8 (RFC 6531) at every
/// server on the way, and a non-ASCII domain has an equivalent ASCII spelling (`xn--…`). Only an answered
/// mail proves that the mailbox exists and is read.
package struct EmailAddress: Hashable, Sendable {
  /// As entered.
  package let text: String

  /// The maximum length of a local part in bytes (RFC 5321 §4.5.3.1.1).
  package static let maxLocalPartLength = 64
  /// The maximum length of an address in bytes (RFC 5321 §4.5.3.1.3, a path without its brackets).
  package static let maxLength = 254

  /// - Parameter text: an address without surrounding spaces.
  /// - Throws: ``InvalidEmailAddress``.
  package init(_ text: String) throws(InvalidEmailAddress) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .beyondASCII }
    guard bytes.count <= Self.maxLength else { throw .tooLong }
    let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .malformed }
    guard parts[0].count <= Self.maxLocalPartLength else { throw .tooLong }
    guard Self.isDotAtom(parts[0]), Self.isDomainName(parts[1]) else { throw .malformed }
    self.text = text
  }

  /// The key for comparing mailboxes: the address in lower case. Servers may distinguish `Ana` and `ana`
  /// (RFC 5321 §2.4), but in practice they do not.
  package var key: String { text.lowercased() }

  /// The domain after the at sign, in lower case.
  package var domain: String {
    String(text[(text.lastIndex(of: "@") ?? text.startIndex)...].dropFirst()).lowercased()
  }

  private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy(ASCII.isAtomText)
    }
  }

  /// Two or more labels (RFC 1035 §2.3.1, RFC 1123 §2.1); the last is not a number as in `10.0.0.1`.
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

/// Why a text is not an ``EmailAddress``. Does not contain the text.
package enum InvalidEmailAddress: Error, CustomStringConvertible {
  case malformed
  case tooLong
  /// Non-ASCII characters before the at sign, or in a domain that could be written as `xn--…`.
  case beyondASCII

  package var description: String {
    switch self {
    case .malformed: "not an e-mail address such as ana@example.org"
    case .tooLong: "longer than an e-mail address may be"
    case .beyondASCII: "an e-mail address with non-ASCII characters, which not every server accepts"
    }
  }
}

/// Classes of bytes used in mail.
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
}
