private import Foundation

/// Normalises passwords for measuring, comparing and hashing.
enum PasswordText {
  /// The password in Unicode normalisation form KC, as NIST SP 800-63B §5.1.1.2 advises.
  ///
  /// Some keyboards write `é` as one character, others as two; some write wide letters, others narrow
  /// ones. All of these are the same password. Nothing is trimmed, truncated or changed to lower case.
  static func normalised(_ password: String) -> String {
    password.precomposedStringWithCompatibilityMapping
  }

  /// The normalised text in lower case, for comparison without regard to case.
  static func folded(_ text: String) -> String {
    normalised(normalised(text).lowercased())
  }
}
