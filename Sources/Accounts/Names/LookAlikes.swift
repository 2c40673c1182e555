import Foundation

/// Compares the look of usernames, so that no account can take a name that passes for another's.
///
/// Two names look alike if their skeletons of Unicode Technical Standard 39 are equal. They also look
/// alike if they differ only in case, accents, dots, underscores and hyphens, in `i`, `I`, `l` and `1`,
/// in `rn` for `m`, `vv` for `w` or `cl` for `d`. Some names that a careful reader can distinguish look
/// alike by this rule, such as `alicia` and `alida`: the second account must choose another name.
enum LookAlikes {
  /// A key that is equal for all names that look alike. It is never displayed.
  ///
  /// The source file of ``data`` may change. A migration must then clear `account.username_look`; the
  /// next start fills it again.
  static func look(of name: String) -> String {
    var look = String.UnicodeScalarView()
    for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars
    where !isPassedOver(scalar) {
      if let looks = looks[scalar] {
        look.append(contentsOf: looks)
      } else {
        look.append(scalar)
      }
    }
    return String(look)
  }

  /// Separators and accents, which are ignored.
  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "_", "-", "\u{300}"..."\u{36F}": true
    default: false
    }
  }

  /// The look of each character that does not look like itself.
  private static let looks: [Unicode.Scalar: [Unicode.Scalar]] = {
    var looks: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for record in data.split(separator: ",") {
      let parts = record.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let look = scalars(parts[0])
      for scalar in scalars(parts[1]) { looks[scalar] = look }
    }
    return looks
  }()

  private static func scalars(_ codes: Substring) -> [Unicode.Scalar] {
    codes.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
  }
}
