import Glibc

extension ImageKind {
  /// Whether a file extends to the end that its own structure defines.
  ///
  /// Decoders stop after the last pixel. They would accept a file that was truncated after it, or whose header states
  /// a greater length than the file has. Bytes after the end are ignored.
  func isComplete(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .jpeg: Self.reachesEndOfImage(bytes)
    case .png: Self.reachesLastChunk(bytes)
    case .webp: Self.holdsAllChunks(bytes)
    case .heif: Self.holdsAllBoxes(bytes)
    }
  }

  /// JPEG: segments, with coded pixels between them, up to the marker EOI (ITU-T T.81, B.1 and
  /// B.2).
  private static func reachesEndOfImage(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 2
    while let marker = nextMarker(bytes, from: place) {
      switch marker.code {
      case 0xD9: return true
      // A byte of coded pixels, markers between them, and markers without content.
      case 0x00, 0x01, 0xD0...0xD8: place = marker.end
      default:
        guard let length = bytes.number(at: marker.end, bytes: 2), length >= 2 else { return false }
        place = marker.end + length
      }
    }
    return false
  }

  /// The first byte other than 0xFF after a 0xFF, and its end.
  private static func nextMarker(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) -> (code: UInt8, end: Int)? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, 0xFF, bytes.count - start)
    else { return nil }
    var place = UnsafeRawPointer(found) - base
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    return place < bytes.count ? (bytes[place], place + 1) : nil
  }

  /// PNG: chunks up to IEND, each with its length and checksum (W3C PNG, 5.3).
  private static func reachesLastChunk(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 8
    while let length = bytes.number(at: place, bytes: 4) {
      let end = place + 12 + length
      guard end <= bytes.count else { return false }
      if bytes[place + 4..<place + 8].elementsEqual("IEND".utf8) { return true }
      place = end
    }
    return false
  }

  /// WebP: as many bytes as the header states, filled by chunks (RFC 9649, 2.3 and 2.4).
  private static func holdsAllChunks(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let size = bytes.number(at: 4, bytes: 4, isLittleEndian: true), size + 8 <= bytes.count
    else { return false }
    let end = size + 8
    var place = 12
    while place < end {
      guard place + 8 <= end,
        let length = bytes.number(at: place + 4, bytes: 4, isLittleEndian: true),
        place + 8 + length <= end
      else { return false }
      place += 8 + length + length % 2
    }
    return place > 12
  }

  /// HEIF: boxes that end within the file (ISO/IEC 14496-12, 4.2). libheif checks the location of
  /// the pixels in them.
  private static func holdsAllBoxes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place < bytes.count {
      guard var size = bytes.number(at: place, bytes: 4) else { return false }
      // The last box may omit its length.
      if size == 0 { return true }
      if size == 1 {
        guard let large = bytes.number(at: place + 8, bytes: 8), large >= 16 else { return false }
        size = large
      }
      guard size >= 8, size <= bytes.count - place else { return false }
      place += size
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// An unsigned integer of up to eight bytes, big-endian by default.
  ///
  /// - Returns: nil if it is incomplete or does not fit.
  fileprivate func number(at place: Int, bytes length: Int, isLittleEndian: Bool = false) -> Int? {
    guard place >= 0, place <= count - length else { return nil }
    let part = self[place..<place + length]
    let number = (isLittleEndian ? Array(part.reversed()) : Array(part))
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: number)
  }
}
