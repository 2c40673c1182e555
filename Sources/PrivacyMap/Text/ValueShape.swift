/// Checks of texts from people that are shown as a link, an address or a time.
package enum ValueShape {
  /// Whether a text is an `http` or `https` address that a page can link to.
  ///
  /// Addresses with user information before the host are refused: they can imitate another address.
  package static func isWebAddress(_ text: String) -> Bool {
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return false }
    let rest = lower.dropFirst(scheme.count)
    guard rest.unicodeScalars.allSatisfy(isOfAddress) else { return false }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@") else { return false }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, UInt16(parts[1]) == nil { return false }
    return parts.first.map { isHost($0, needsDot: false) } ?? false
  }

  /// Whether a text has the form of an e-mail address; only a message can show whether it exists.
  package static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.unicodeScalars.count <= 254,
      (1...64).contains(parts[0].unicodeScalars.count), !parts[0].hasPrefix("."),
      !parts[0].hasSuffix("."), !parts[0].contains("..")
    else { return false }
    let isLocal = parts[0].unicodeScalars.allSatisfy { scalar in
      isOfAddress(scalar) && !"()<>,;:[]".unicodeScalars.contains(scalar)
    }
    return isLocal && isHost(parts[1], needsDot: true)
  }

  /// Whether a text is a duration of ISO 8601: `P30D`, `P1Y6M`, `PT12H`.
  package static func isDuration(_ text: String) -> Bool {
    var rest = text.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "P") else { return false }
    let days = takeParts(&rest, of: "YMWD")
    if rest.isEmpty { return days > 0 }
    guard rest.popFirst() == UInt8(ascii: "T") else { return false }
    let hours = takeParts(&rest, of: "HMS")
    return rest.isEmpty && hours > 0
  }

  /// Whether a text is an ISO 8601 year, month or day that is not later than `last`.
  package static func isDate(_ text: String, notAfter last: Day) -> Bool {
    let padded = text.utf8.count == 4 ? text + "-01-01" : text.utf8.count == 7 ? text + "-01" : text
    guard let day = Day(text: padded) else { return false }
    return day <= last
  }

  /// Reads numbers of up to six digits, each followed by one of `units`. The units must be in
  /// order, each once.
  private static func takeParts(
    _ rest: inout Substring.UTF8View.SubSequence, of units: String
  ) -> Int {
    var units = units.utf8[...]
    var count = 0
    while let first = rest.first, Self.isDigit(first) {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 6, let unit = rest.popFirst(), let place = units.firstIndex(of: unit)
      else { return 0 }
      units = units[units.index(after: place)...]
      count += 1
    }
    return count
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a text is a host name (labels separated by dots) or a network address.
  private static func isHost(_ text: Substring, needsDot: Bool) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.unicodeScalars.count <= 253, !needsDot || labels.count >= 2 else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.unicodeScalars.count) && !label.hasPrefix("-")
        && !label.hasSuffix("-")
        && label.unicodeScalars.allSatisfy {
          $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
            || $0.properties.generalCategory == .nonspacingMark
        }
    }
  }

  /// Whether a character can occur in an address: no whitespace, no control characters, and none
  /// that ends an attribute or a tag.
  private static func isOfAddress(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && scalar.value != 0x7F && !scalar.properties.isWhitespace
      && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
  }
}
