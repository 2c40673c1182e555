/// WebP files of several chunks (RFC 9649, section 2.7).
enum WebPFile {
  /// The chunk of the pixels in a WebP without alpha, as libvips writes it.
  static func pixels(of file: [UInt8]) -> [UInt8] {
    var place = 12
    while place + 8 <= file.count {
      let length = file[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(place + 8 + length + length % 2, file.count)
      if file[place..<place + 3].elementsEqual("VP8".utf8), file[place + 3] != 0x58 {
        return Array(file[place..<end])
      }
      place = end
    }
    return []
  }

  /// The simplest file with the pixels of a WebP.
  static func simple(_ still: [UInt8]) -> [UInt8] { riff(pixels(of: still)) }

  /// One picture on a canvas that may have another size: `still` is a WebP that provides the
  /// pixels.
  static func extended(
    width: Int, height: Int, still: [UInt8], flags: UInt8 = 0, more: [UInt8] = []
  ) -> [UInt8] {
    riff(canvas(width, height, flags: flags) + pixels(of: still) + more)
  }

  /// An animation of pictures that are as large as its canvas.
  static func animated(width: Int, height: Int, frames: [[UInt8]]) -> [UInt8] {
    var body = canvas(width, height, flags: 0x02) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
    for frame in frames {
      body += chunk(
        "ANMF",
        [0, 0, 0, 0, 0, 0] + three(width - 1) + three(height - 1) + three(10) + [0]
          + pixels(of: frame))
    }
    return riff(body)
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + four(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func riff(_ body: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + four(body.count + 4) + Array("WEBP".utf8) + body
  }

  private static func canvas(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
    chunk("VP8X", [flags, 0, 0, 0] + three(width - 1) + three(height - 1))
  }

  private static func three(_ number: Int) -> [UInt8] { Array(four(number).prefix(3)) }

  private static func four(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
