import CVips

extension ImageKind {
  /// Width and height in pixels according to the header, before decoding.
  func size(of bytes: UnsafeRawBufferPointer) throws(Refusal) -> (width: Int, height: Int) {
    if self == .webp { return try Self.webpSize(bytes) }
    guard let head = vips_open(loader, bytes.baseAddress, bytes.count, 0, 0) else {
      throw VipsLibrary.refusal()
    }
    defer { g_object_unref(head) }
    return (Int(vips_image_get_width(head)), Int(vips_image_get_height(head)))
  }

  /// libvips allocates memory for a whole WebP when it reads the header. The size is therefore read
  /// here, from the first chunk, which is one of three kinds (RFC 9649, sections 2.5 to 2.7).
  private static func webpSize(
    _ bytes: UnsafeRawBufferPointer
  ) throws(Refusal) -> (width: Int, height: Int) {
    guard bytes.count >= 30 else { throw .damaged }
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8X": return (number(24, 3) + 1, number(27, 3) + 1)
    case "VP8 ": return (number(26, 2) & 0x3FFF, number(28, 2) & 0x3FFF)
    case "VP8L":
      let bits = number(21, 4)
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    default: throw .damaged
    }
  }
}
