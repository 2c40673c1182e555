/// The address of a mailbox for bounces, with `*` in the place of a token: `bounces+*@example.org`.
///
/// Each mail gets its own token (variable envelope return path, VERP), so the address of a bounce identifies the mail.
/// A mail server delivers all of them to one mailbox: with address extensions (RFC 5233 §1; Postfix calls the sign
/// `recipient_delimiter`), or at a domain that has this mailbox only.
package struct BounceAddress: Equatable, Sendable {
  private let start: String
  private let end: String

  /// The number of characters of a token, letters and digits. The local part has at most 64 (RFC 5321 §4.5.3.1.1).
  package static let tokenLength = 40

  /// - Throws: ``InvalidBounceAddress``.
  package init(_ text: String) throws(InvalidBounceAddress) {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].contains("@") else { throw .noPlace }
    (start, end) = (parts[0].lowercased(), parts[1].lowercased())
    let token = String(repeating: "a", count: Self.tokenLength)
    do throws(InvalidEmailAddress) { _ = try EmailAddress(start + token + end) } catch {
      throw .address(error)
    }
  }

  /// The address with a token of ``tokenLength`` lower-case letters and digits.
  ///
  /// - Throws: ``InvalidEmailAddress`` for another token.
  package func address(_ token: String) throws(InvalidEmailAddress) -> EmailAddress {
    try EmailAddress(start + token + end)
  }

  /// The tokens of all addresses of this form in a text, at most ten.
  package func tokens(in text: String) -> [String] {
    // Folded lines (RFC 5322 §2.2.3) may cut a long address. Servers may change its case.
    let bytes = text.lowercased().utf8.filter { $0 > 0x20 }
    let (start, end) = (Array(start.utf8), Array(end.utf8))
    let length = start.count + Self.tokenLength + end.count
    var found: [String] = []
    var index = 0
    while index + length <= bytes.count, found.count < 10 {
      let token = bytes[(index + start.count)...].prefix(Self.tokenLength)
      if bytes[index...].starts(with: start), bytes[token.endIndex...].starts(with: end),
        token.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) })
      {
        found.append(String(decoding: token, as: UTF8.self))
        index += length
      } else {
        index += 1
      }
    }
    return found
  }
}

/// Why a text is not a ``BounceAddress``.
package enum InvalidBounceAddress: Error, CustomStringConvertible {
  /// It has no `*` before the at sign, or several.
  case noPlace
  case address(InvalidEmailAddress)

  package var description: String {
    switch self {
    case .noPlace: "an address with one * before the @, as bounces+*@example.org"
    case .address(let fault):
      "an address that stays valid with 40 letters in the place of *: it is \(fault.description)"
    }
  }
}
