package import Foundation

/// Why a password is refused.
package enum PasswordFault: Error, Equatable, Sendable {
  /// Fewer characters than ``PasswordRules/minLength``.
  case tooShort
  /// More characters than ``PasswordRules/maxLength``.
  case tooLong
  /// One of the most common passwords, which attackers try first.
  case tooCommon
  /// The person's username or address.
  case isOwnName
}

/// A list of common passwords that cannot be used.
package enum InvalidPasswordList: Error, Equatable {
  /// The list is empty.
  case empty
}

/// The rules for new passwords: long enough and not among the most common. No character classes are
/// required (OWASP ASVS 5.0 §6.2).
package struct PasswordRules: Sendable {
  /// In characters: OWASP ASVS 5.0 §6.2.1.
  package static let minLength = 8
  /// In characters: longer than any practical password, and cheap to hash.
  package static let maxLength = 1_024

  private let common: Set<String>

  /// - Parameter list: a UTF-8 file with one common password per line (`seed/passwords/common.txt`).
  /// - Throws: Foundation's error for a file that cannot be read, or ``InvalidPasswordList``.
  package init(list: URL) throws {
    let text = try String(contentsOf: list, encoding: .utf8)
    common = Set(text.split(whereSeparator: \.isNewline).map { PasswordText.folded(String($0)) })
    guard !common.isEmpty else { throw InvalidPasswordList.empty }
  }

  /// Checks a new password.
  ///
  /// Characters are Unicode code points after normalisation, as in NIST SP 800-63B §5.1.1.2. The
  /// comparison with common passwords and names ignores case.
  ///
  /// - Parameters:
  ///   - password: as entered.
  ///   - names: the username and the e-mail address of its owner. The part of an address before the
  ///     `@` is a name too.
  /// - Returns: the first fault; `nil` if the password is acceptable.
  package func fault(in password: String, of names: [String]) -> PasswordFault? {
    let length = PasswordText.normalised(password).unicodeScalars.count
    if length < Self.minLength { return .tooShort }
    if length > Self.maxLength { return .tooLong }
    let folded = PasswordText.folded(password)
    if common.contains(folded) { return .tooCommon }
    let isOwn = names.flatMap(Self.parts).contains { PasswordText.folded($0) == folded }
    return isOwn ? .isOwnName : nil
  }

  private static func parts(of name: String) -> [String] {
    guard let at = name.lastIndex(of: "@") else { return [name] }
    return [name, String(name[..<at])]
  }
}
