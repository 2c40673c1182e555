import Foundation

/// What names look like, so that nobody takes a name that passes for another's.
///
/// Two names look alike where their skeletons of Unicode Technical Standard 39 are the same, and beyond
/// that where they differ only in case, accents, dots, underscores and hyphens, in `i`, `I`, `l` and `1`,
/// in `rn` for `m`, `vv` for `w` or `cl` for `d`. Some names that a careful reader tells apart look alike
/// by this rule, such as `alicia` and `alida`: who comes second takes another.
enum LookAlikes {
  /// The same text for all names that look alike. It is shown to nobody.
  ///
  /// ``data`` comes from a file that may change; where it does, a migration has to empty
  /// `account.username_look`, and the next start fills it.
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

  /// Separators and accents.
  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "_", "-", "\u{300}"..."\u{36F}": true
    default: false
    }
  }

  /// What a character looks like, where that is not itself.
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
