import JSON

extension DrawnPicture {
  /// The longest sides that are asked for (`farol-image`'s defaults), in pixels.
  private static let sides = (large: 2_048, thumb: 480)
  /// The longest head that has a meaning, in bytes.
  private static let longestHead = 1_000

  /// What a head says of one picture.
  fileprivate struct Said {
    let width, height, bytes: Int

    /// - Parameters:
    ///   - value: width, height and number of bytes, and nothing else.
    ///   - side: the longest side it may have, in pixels.
    ///   - most: the most bytes there can be.
    init?(_ value: JSONValue?, side: Int, most: Int) {
      guard let members = value?.objectValue?.members, members.count == 3,
        let width = value?["width"]?.intValue, width >= 1, width <= side,
        let height = value?["height"]?.intValue, height >= 1, height <= side,
        let bytes = value?["bytes"]?.intValue, bytes >= 1, bytes <= most
      else { return nil }
      self.width = width
      self.height = height
      self.bytes = bytes
    }
  }

  /// Reads an answer of `farol-image`: the length of a head in four bytes, highest first; the head in
  /// JSON; both pictures, and nothing else (docs/photos.md).
  ///
  /// The picture may have taken the program over, so nothing that it says is believed: every length is
  /// held against what is there, every size against what was asked for.
  ///
  /// - Returns: nil for anything that the program doesn't answer when it is well.
  init?(framed bytes: [UInt8]) {
    guard bytes.count > 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let rest = bytes.dropFirst(4)
    guard length >= 1, length <= min(Self.longestHead, rest.count) else { return nil }
    let pictures = rest.dropFirst(length)
    guard let head = try? JSONValue(parsing: Array(rest.prefix(length))),
      head.objectValue?.members.count == 3, head["type"]?.stringValue == "image/jpeg",
      let large = Said(head["large"], side: Self.sides.large, most: pictures.count),
      let thumb = Said(head["thumb"], side: Self.sides.thumb, most: pictures.count),
      large.bytes + thumb.bytes == pictures.count,
      let drawn = Encoded(large, pictures.prefix(large.bytes)),
      let small = Encoded(thumb, pictures.suffix(thumb.bytes))
    else { return nil }
    self.large = drawn
    self.thumb = small
  }
}

extension DrawnPicture.Encoded {
  /// - Returns: nil where the bytes don't begin and end as a JPEG does.
  fileprivate init?(_ said: DrawnPicture.Said, _ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 5, bytes.starts(with: [0xFF, 0xD8, 0xFF]),
      bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    else { return nil }
    self.init(width: said.width, height: said.height, bytes: Array(bytes))
  }
}
