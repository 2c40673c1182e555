import Foundation

/// Unicode's canonical composition (NFC, UAX 15), which the standard library does not make public.
enum Composition {
  /// No character below U+0300 and none of the dashes, quotes and dots from U+2010 combines, so most texts are
  /// returned unchanged.
  static func composed(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { $0.value < 0x300 || (0x2010...0x2027).contains($0.value) }
      ? text : text.precomposedStringWithCanonicalMapping
  }
}
