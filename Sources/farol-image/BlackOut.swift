/// A part of the picture to paint black, in fractions of its width and height, from the upper left
/// corner of the upright picture.
struct BlackOut {
  /// A rectangle in whole pixels, inside the picture.
  struct Pixels: Equatable {
    var left, top, width, height: Int32
  }

  /// Additional pixels around the part, because shrinking has mixed its content into them.
  private static let margin = 4.0

  private let left, top, width, height: Double

  /// Reads `left,top,width,height`, each from 0 to 1.
  init(_ text: String) throws(Failure) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let left = numbers[0], let top = numbers[1],
      let width = numbers[2], let height = numbers[3],
      [left, top, width, height].allSatisfy({ (0...1).contains($0) }), width > 0, height > 0
    else { throw Failure(sentence: "\(text) is no part of a picture") }
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// Every pixel that the rectangle touches, plus the margin, clipped to the picture.
  func pixels(width across: Int32, height down: Int32) -> Pixels {
    func span(_ start: Double, _ length: Double, of size: Int32) -> (Int32, Int32) {
      let first = (start * Double(size) - Self.margin).rounded(.down)
      let end = ((start + length) * Double(size) + Self.margin).rounded(.up)
      // Both are finite and small, because `start` and `length` are at most 1.
      let from = Int32(min(max(first, 0), Double(size)))
      let to = Int32(min(max(end, 0), Double(size)))
      return (from, to - from)
    }
    let (x, w) = span(left, width, of: across)
    let (y, h) = span(top, height, of: down)
    return Pixels(left: x, top: y, width: w, height: h)
  }
}
