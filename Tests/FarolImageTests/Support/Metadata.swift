/// Metadata that cameras and programs write in addition to the pixels. Each part contains a word
/// for the search in the output.
enum Metadata {
  /// None of these words may be in an output. Each has at least five bytes: a shorter one occurs by
  /// chance in several megabytes of pixels.
  static let words = [
    "Exif\0\0", "http://ns.adobe.com", "ICC_PROFILE", "Photoshop", "SECRET", "Adobe", "xmpmeta",
    "Lighthouse",
  ]

  /// A TIFF block with an orientation, a maker, a position and a thumbnail, as in the Exif segment
  /// of a JPEG (CIPA DC-008).
  static func tiff(orientation: Int = 1, thumbnail: Int = 0) -> [UInt8] {
    let maker = Array("SECRET Lighthouse camera\0".utf8)
    func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
    func four(_ number: Int) -> [UInt8] { two(number & 0xFFFF) + two(number >> 16) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      two(tag) + two(type) + four(count) + value
    }
    let gpsPlace = 8 + 2 + 3 * 12 + 4
    let makerPlace = gpsPlace + 2 + 3 * 12 + 4
    let latitudePlace = makerPlace + maker.count
    let thumbPlace = latitudePlace + 24
    let first =
      two(3) + entry(0x010F, 2, maker.count, four(makerPlace))
      + entry(0x0112, 3, 1, two(orientation) + two(0))
      + entry(0x8825, 4, 1, four(gpsPlace)) + four(0)
    let gps =
      two(3) + entry(0x0001, 2, 2, Array("N\0\0\0".utf8))
      + entry(0x0002, 5, 3, four(latitudePlace)) + entry(0x001D, 2, 4, Array("GPS\0".utf8))
      + four(0)
    let latitude = [46, 1, 57, 1, 12, 1].flatMap(four)
    assert(thumbPlace == 8 + first.count + gps.count + maker.count + latitude.count)
    return Array("II*\0".utf8) + four(8) + first + gps + maker + latitude
      + [UInt8](repeating: 0x5A, count: thumbnail)
  }

  static let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:exif="http://ns.adobe.com/exif/1.0/">SECRET</rdf:RDF></x:xmpmeta>
    """.utf8)

  /// One segment of a JPEG: a marker and its content, at most 65,533 bytes.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  /// A JPEG with segments inserted after its first marker.
  static func jpeg(_ bytes: [UInt8], _ segments: [UInt8]...) -> [UInt8] {
    bytes.prefix(2) + segments.flatMap { $0 } + bytes.dropFirst(2)
  }

  static func exif(orientation: Int = 1, thumbnail: Int = 0) -> [UInt8] {
    segment(
      0xE1, Array("Exif\0\0".utf8) + tiff(orientation: orientation, thumbnail: thumbnail))
  }
}

extension [UInt8] {
  /// Whether these bytes contain the bytes of a text.
  func holds(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return false }
    return indices.dropLast(wanted.count - 1).contains { place in
      self[place] == first && self[place..<place + wanted.count].elementsEqual(wanted)
    }
  }
}
