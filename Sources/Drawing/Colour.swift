/// A colour in sRGB, each part 0…1.
package struct Colour: Hashable, Sendable {
  package var red, green, blue: Double

  /// From a number such as `0x0b2545`.
  package init(_ hex: UInt32) {
    red = Double(hex >> 16 & 0xff) / 255
    green = Double(hex >> 8 & 0xff) / 255
    blue = Double(hex & 0xff) / 255
  }
}

/// A rectangle. The origin of a drawing is its upper left corner; y grows downwards.
package struct Rectangle: Hashable, Sendable {
  package var x, y, width, height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package var right: Double { x + width }
}
