private import CQREncode
private import Glibc

/// Why a text cannot be encoded as a QR code.
package enum InvalidQRText: Error, Equatable {
  /// The text is empty.
  case empty
  /// More bytes than the largest code can contain.
  case tooLong
  /// The library ran out of memory.
  case outOfMemory
}

/// A text as a square of dark and light modules, to be scanned by a camera (ISO/IEC 18004).
///
/// Uses error correction level M, which tolerates about 15 % damage. The caller must add the quiet zone
/// of four light modules on each side.
package struct QRCode: Equatable, Sendable {
  /// Modules per side: 21, 25 … 177.
  package let size: Int
  /// ``size`` rows from top to bottom; each contains `1` for dark and `0` for light modules, from left to
  /// right.
  package let rows: [String]

  /// - Parameter text: at most 2,331 bytes of UTF-8 (level M of version 40).
  /// - Throws: ``InvalidQRText``.
  package init(_ text: String) throws(InvalidQRText) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard let length = Int32(exactly: bytes.count) else { throw .tooLong }
    // Version 0 selects the smallest version that fits the text.
    guard let code = QRcode_encodeData(length, bytes, 0, QR_ECLEVEL_M) else {
      throw errno == ERANGE ? .tooLong : .outOfMemory
    }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data else { throw .outOfMemory }
    size = width
    rows = (0..<width).map { row in
      // The lowest bit means dark; the others state the purpose of the module.
      String((0..<width).map { modules[row * width + $0] & 1 == 1 ? "1" : "0" })
    }
  }
}

extension QRCode {
  /// The code as rows of text for a terminal, with its quiet zone.
  ///
  /// A half block shows two modules, one above the other, because a character is about twice as high as
  /// wide. Each row sets black and white itself (xterm colours 16 and 231), so that the code is not
  /// inverted on a dark terminal: many readers refuse inverted codes.
  package var terminalRows: [String] {
    let quiet = 4
    let width = size + 2 * quiet
    let light = [Bool](repeating: false, count: width)
    let edge = [Bool](repeating: false, count: quiet)
    let drawn = rows.map { row in edge + row.utf8.map { $0 == UInt8(ascii: "1") } + edge }
    var all = Array(repeating: light, count: quiet) + drawn + Array(repeating: light, count: quiet)
    if !all.count.isMultiple(of: 2) { all.append(light) }
    return stride(from: 0, to: all.count, by: 2).map { top in
      let blocks = zip(all[top], all[top + 1]).map { Self.block(upper: $0, lower: $1) }
      return "\u{1B}[38;5;16;48;5;231m\(String(blocks))\u{1B}[0m"
    }
  }

  private static func block(upper: Bool, lower: Bool) -> Character {
    switch (upper, lower) {
    case (true, true): "\u{2588}"
    case (true, false): "\u{2580}"
    case (false, true): "\u{2584}"
    case (false, false): " "
    }
  }
}
