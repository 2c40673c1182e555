private import Foundation

/// A password as it is measured, compared and hashed.
enum PasswordText {
  /// The password in Unicode normalisation form KC, as NIST SP 800-63B §5.1.1.2 advises.
  ///
  /// One keyboard writes `é` as one character, another as two; one writes wide letters, another
  /// narrow ones. All of them are the same password. Nothing is trimmed, cut or lower-cased.
  static func normalised(_ password: String) -> String {
    password.precomposedStringWithCompatibilityMapping
  }

  /// The normalised text without difference between capital and small letters.
  static func folded(_ text: String) -> String {
    normalised(normalised(text).lowercased())
  }
}
