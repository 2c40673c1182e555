/// The accepted kinds of picture, detected only from their first bytes.
enum ImageKind: CaseIterable {
  case jpeg, png, webp, heif

  /// - Returns: nil when the bytes match no kind.
  init?(_ bytes: [UInt8]) {
    let head = Array(bytes.prefix(4_096))
    func says(_ text: String, at place: Int) -> Bool {
      head.dropFirst(place).starts(with: text.utf8)
    }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if says("RIFF", at: 0), says("WEBP", at: 8) {
      self = .webp
    } else if says("ftyp", at: 4), Self.isHEIF(head) {
      self = .heif
    } else {
      return nil
    }
  }

  /// Brands of still pictures coded with HEVC (ISO/IEC 23008-12, annex B.4.1).
  private static let brands = ["heic", "heix", "heim", "heis"].map { Array($0.utf8) }

  /// Whether the box `ftyp` contains such a brand, as the major or a compatible brand. Bytes 12–15
  /// are a version.
  private static func isHEIF(_ head: [UInt8]) -> Bool {
    let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length >= 16, length <= head.count else { return false }
    return stride(from: 8, to: length - 3, by: 4).contains { place in
      place != 12 && brands.contains { head[place..<place + 4].elementsEqual($0) }
    }
  }

  /// The libvips operation that reads this kind from memory. Empty for HEIF, which ``HEIFFile``
  /// reads.
  var loader: String {
    switch self {
    case .jpeg: "jpegload_buffer"
    case .png: "pngload_buffer"
    case .webp: "webpload_buffer"
    case .heif: ""
    }
  }

  /// The class of that loader, which covers all its variants.
  var loaderClass: String {
    switch self {
    case .jpeg: "VipsForeignLoadJpeg"
    case .png: "VipsForeignLoadPng"
    case .webp: "VipsForeignLoadWebp"
    case .heif: ""
    }
  }

  /// The factor by which a JPEG decoder may shrink the picture while decoding, which saves most of its work. A part
  /// of the reduction remains for the better scaling algorithm.
  ///
  /// - Parameters:
  ///   - excess: the existing longest side divided by the requested one.
  ///   - shortest: the shortest side in pixels. libvips fails if no pixel of it remains.
  /// - Returns: 1, 2, 4 or 8. 0 for other kinds.
  func shrink(for excess: Double, shortest: Int) -> Int32 {
    guard self == .jpeg else { return 0 }
    return [8, 4, 2].first { excess / Double($0) >= 1.25 && shortest >= 4 * Int($0) } ?? 1
  }

  /// The same for WebP, whose decoder scales to any size: at most 1. 0 for other kinds.
  func scale(for excess: Double, shortest: Int) -> Double {
    guard self == .webp else { return 0 }
    return Double(shortest) / excess >= 4 ? 1 / max(excess, 1) : 1
  }
}
