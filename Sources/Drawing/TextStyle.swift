/// The font, colour and space of a text.
package struct TextStyle: Hashable, Sendable {
  /// The size of the font, in units of the drawing.
  package var size: Double
  /// The minimum size. A text that does not fit is reduced down to it.
  package var smallest: Double
  package var isBold = false
  package var colour: Colour
  /// BCP 47, which selects the forms of letters that differ between languages.
  package var language: String
  /// The maximum number of lines. A longer text ends with an ellipsis.
  package var lines: Int

  package init(
    size: Double, smallest: Double? = nil, isBold: Bool = false, colour: Colour,
    language: String = "en", lines: Int = 1
  ) {
    self.size = size
    self.smallest = min(smallest ?? size, size)
    self.isBold = isBold
    self.colour = colour
    self.language = language
    self.lines = max(lines, 1)
  }
}
