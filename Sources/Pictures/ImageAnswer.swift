import JSON

extension DrawnPicture {
  /// The maximum lengths of the long sides (`farol-image`'s defaults), in pixels.
  private static let sides = (large: 2_048, thumb: 480)
  /// The maximum length of a header, in bytes.
  private static let maxHeadLength = 1_000

  /// The header's entry for one picture.
  fileprivate struct Said {
    let width, height, bytes: Int

    /// - Parameters:
    ///   - value: an object with width, height and number of bytes only.
    ///   - side: the maximum length of a side, in pixels.
    ///   - maximum: the maximum number of bytes.
    init?(_ value: JSONValue?, side: Int, maximum: Int) {
      guard let members = value?.objectValue?.members, members.count == 3,
        let width = value?["width"]?.intValue, width >= 1, width <= side,
        let height = value?["height"]?.intValue, height >= 1, height <= side,
        let bytes = value?["bytes"]?.intValue, bytes >= 1, bytes <= maximum
      else { return nil }
      self.width = width
      self.height = height
      self.bytes = bytes
    }
  }

  /// Parses the output of `farol-image`: four bytes with the length of the header (big-endian), the
  /// header in JSON, then both pictures and nothing more (docs/explanation/photos.md).
  ///
  /// A malicious picture may have taken control of the program, so its output is not trusted: every
  /// length is checked against the bytes present, every size against the one requested.
  ///
  /// - Returns: nil if the output is not exactly in this format.
  /// - Returns: nil for anything that the program doesn't answer when it is well.
  init?(framed bytes: [UInt8]) {
    guard bytes.count > 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let rest = bytes.dropFirst(4)
    guard length >= 1, length <= min(Self.maxHeadLength, rest.count) else { return nil }
    let pictures = rest.dropFirst(length)
    guard let head = try? JSONValue(parsing: Array(rest.prefix(length))),
      head.objectValue?.members.count == 3, head["type"]?.stringValue == "image/jpeg",
      let large = Said(head["large"], side: Self.sides.large, maximum: pictures.count),
      let thumb = Said(head["thumb"], side: Self.sides.thumb, maximum: pictures.count),
      large.bytes + thumb.bytes == pictures.count,
      let drawn = Encoded(large, pictures.prefix(large.bytes)),
      let small = Encoded(thumb, pictures.suffix(thumb.bytes))
    else { return nil }
    self.large = drawn
    self.thumb = small
  }
}

extension DrawnPicture.Encoded {
  /// - Returns: nil if the bytes do not begin and end like a JPEG.
  fileprivate init?(_ said: DrawnPicture.Said, _ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 5, bytes.starts(with: [0xFF, 0xD8, 0xFF]),
      bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    else { return nil }
    self.init(width: said.width, height: said.height, bytes: Array(bytes))
  }
}
