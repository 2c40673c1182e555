private import CQREncode
private import Glibc

/// A text that no QR code can be made of.
package enum InvalidQRText: Error, Equatable {
  /// Nothing to draw.
  case empty
  /// More bytes than the largest code holds.
  case tooLong
  /// The library had no memory to work in.
  case outOfMemory
}

/// A text as a square of dark and light modules, for a camera to read (ISO/IEC 18004).
///
/// Error correction level M, which forgives about 15 % of damage. The quiet zone of four light
/// modules on each side is left to the one who draws.
package struct QRCode: Equatable, Sendable {
  /// Modules on each side: 21, 25 … 177.
  package let size: Int
  /// From top to bottom, as many as ``size``: from left to right `1` for dark and `0` for light.
  package let rows: [String]

  /// - Parameter text: at most 2,331 bytes of UTF-8 (level M of version 40).
  /// - Throws: ``InvalidQRText``.
  package init(_ text: String) throws(InvalidQRText) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard let length = Int32(exactly: bytes.count) else { throw .tooLong }
    // Version 0 asks for the smallest that the text fits in.
    guard let code = QRcode_encodeData(length, bytes, 0, QR_ECLEVEL_M) else {
      throw errno == ERANGE ? .tooLong : .outOfMemory
    }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data else { throw .outOfMemory }
    size = width
    rows = (0..<width).map { row in
      // The lowest bit says dark; the others say what the module is for.
      String((0..<width).map { modules[row * width + $0] & 1 == 1 ? "1" : "0" })
    }
  }
}
