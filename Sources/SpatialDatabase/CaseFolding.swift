extension String {
  /// The case-folded text: upper case and back, letter by letter, so that `ß` equals `SS` and both sigmas are equal.
  ///
  /// The SQL function `casefold` gives the same result.
  package var caseFolded: String {
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    var folded = ""
    for scalar in unicodeScalars {
      for upper in scalar.properties.uppercaseMapping.unicodeScalars {
        folded += upper.properties.lowercaseMapping
      }
    }
    return folded
  }
}
