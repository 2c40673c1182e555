package import Foundation

/// Why a password is refused.
package enum PasswordFault: Error, Equatable, Sendable {
  /// Fewer characters than ``PasswordRules/shortest``.
  case tooShort
  /// More characters than ``PasswordRules/longest``.
  case tooLong
  /// One of the commonest, which are tried first.
  case tooCommon
  /// The person's own name or address.
  case isOwnName
}

/// A list of common passwords that cannot be used.
package enum InvalidPasswordList: Error, Equatable {
  /// It holds no line.
  case empty
}

/// What a new password must be: long enough and not the first that is guessed. No kinds of characters
/// are asked for (OWASP ASVS 5.0 §6.2).
package struct PasswordRules: Sendable {
  /// Characters: OWASP ASVS 5.0 §6.2.1.
  package static let shortest = 8
  /// Characters: more than anybody types, and little to hash.
  package static let longest = 1_024

  private let common: Set<String>

  /// - Parameter list: a UTF-8 file with one common password a line (`seed/passwords/common.txt`).
  /// - Throws: what Foundation throws for a file that cannot be read, or ``InvalidPasswordList``.
  package init(list: URL) throws {
    let text = try String(contentsOf: list, encoding: .utf8)
    common = Set(text.split(whereSeparator: \.isNewline).map { PasswordText.folded(String($0)) })
    guard !common.isEmpty else { throw InvalidPasswordList.empty }
  }

  /// What is wrong with a new password.
  ///
  /// Characters are Unicode code points after normalisation, as in NIST SP 800-63B §5.1.1.2. Capital
  /// and small letters count as the same when it is compared with common passwords and names.
  ///
  /// - Parameters:
  ///   - password: as it was typed.
  ///   - names: the username and the e-mail address of its owner. The part of an address before the
  ///     `@` is a name too.
  /// - Returns: the first fault; `nil` when there is none.
  package func fault(in password: String, of names: [String]) -> PasswordFault? {
    let length = PasswordText.normalised(password).unicodeScalars.count
    if length < Self.shortest { return .tooShort }
    if length > Self.longest { return .tooLong }
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
