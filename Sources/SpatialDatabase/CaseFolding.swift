extension String {
  /// Without regard to case: upper case and back, letter by letter, so that `ß` meets `SS` and both sigmas meet.
  ///
  /// The database's function `casefold` is the same.
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
