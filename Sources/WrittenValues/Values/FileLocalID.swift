/// Ids of OpenStreetMap elements that hold only inside their file.
///
/// Editors number new elements from -1 downwards until they upload them. Another file has other elements with the
/// same numbers.
package enum FileLocalID {
  /// Whether a text is such an id: `node/-5`, or `-5` if `isBare` states that it is the number of an element.
  package static func isOne(_ text: String, isBare: Bool) -> Bool {
    guard let slash = text.firstIndex(of: "/") else { return isBare && isNegative(text[...]) }
    return ["node", "way", "relation"].contains(text[..<slash])
      && isNegative(text[text.index(after: slash)...])
  }

  private static func isNegative(_ number: Substring) -> Bool {
    number.first == "-" && number.count > 1 && number.dropFirst().allSatisfy(\.isNumber)
  }
}
