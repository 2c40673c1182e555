import Testing

/// The output contains nothing of the file but its pixels.
@Suite(.enabled(if: try ImageProgram.isThere())) struct MetadataTests {
  static let picture = Pixels.quarters(width: 320, height: 240)

  /// Checks that an output lacks all of our marker words, and of a JPEG only the segments that draw
  /// it.
  private func expectBare(_ answer: ImageProgram.Answer, _ comment: Comment) {
    #expect(answer.type == "image/jpeg")
    for bytes in [answer.large, answer.thumb] {
      for word in Metadata.words { #expect(!bytes.holds(word), "\(comment): \(word)") }
      #expect(Self.markers(of: bytes).isSubset(of: Self.drawing), comment)
      // The picture ends where the file ends.
      #expect(bytes.suffix(2) == [0xFF, 0xD9], comment)
    }
  }

  /// Quantisation, frame, Huffman tables, scan: no comment and no application segment.
  private static let drawing: Set<UInt8> = [0xDB, 0xC0, 0xC2, 0xC4, 0xDA]

  /// The markers of the segments of a JPEG.
  private static func markers(of jpeg: [UInt8]) -> Set<UInt8> {
    var found: Set<UInt8> = []
    var place = 2
    while place + 4 <= jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xD9 {
      let marker = jpeg[place + 1]
      found.insert(marker)
      place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
      guard marker == 0xDA else { continue }
      // Entropy-coded bytes extend to the next marker; 0 after 0xFF is an escaped byte 0xFF.
      while place + 1 < jpeg.count,
        jpeg[place] != 0xFF || jpeg[place + 1] == 0 || (0xD0...0xD7).contains(jpeg[place + 1])
      { place += 1 }
    }
    return found
  }

  @Test func `a JPEG with all metadata gives the same output as one without`() throws {
    let plain = try Vips.convert(Self.picture.ppm, "ppm", to: "jpg[strip]")
    let profile = try Vips.convert(
      Self.picture.ppm, "ppm", to: "jpg",
      operation: ["icc_transform", "srgb", "--input-profile", "srgb"])
    #expect(profile.holds("ICC_PROFILE"))
    let laden = Metadata.jpeg(
      plain, Metadata.exif(thumbnail: 60_000),
      Metadata.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Metadata.xmp),
      Metadata.segment(0xED, Array("Photoshop 3.0\08BIM SECRET".utf8)),
      Metadata.segment(0xEE, Array("AdobeX SECRET".utf8)),
      Metadata.segment(0xFE, Array("SECRET comment <script>".utf8)))
    let (bare, answer) = (try ImageProgram.answer(plain), try ImageProgram.answer(laden))
    expectBare(answer, "laden")
    #expect(answer.large == bare.large)
    #expect(answer.thumb == bare.thumb)
    expectBare(try ImageProgram.answer(profile), "profile")
  }

  @Test(arguments: [
    "PK\u{3}\u{4}SECRET archive", "<html><script>SECRET()</script></html>",
    "*/=1;SECRET();/*", "<?php SECRET(); ?>", "%PDF-1.7 SECRET",
  ])
  func `a file valid in a second format comes out as a picture only`(more: String) throws {
    let jpeg = try Vips.convert(Self.picture.ppm, "ppm", to: "jpg[strip]")
    let bare = try ImageProgram.answer(jpeg)
    let inside = Metadata.jpeg(jpeg, Metadata.segment(0xFE, Array(more.utf8)))
    for hybrid in [jpeg + Array(more.utf8), inside] {
      let answer = try ImageProgram.answer(hybrid)
      expectBare(answer, "\(more)")
      #expect(answer.large == bare.large)
    }
    let png = PNGFile.plain(Self.picture)
    let answer = try ImageProgram.answer(png + Array(more.utf8))
    expectBare(answer, "\(more)")
    #expect(answer.large == (try ImageProgram.answer(png)).large)
  }

  @Test func `texts, times and profiles of a PNG are removed`() throws {
    let profile = PNGFile.zlib([UInt8](repeating: 7, count: 500))
    let laden = PNGFile.plain(
      Self.picture,
      chunks: [
        PNGFile.chunk("iCCP", Array("SECRET\0\0".utf8) + profile),
        PNGFile.chunk("pHYs", PNGFile.four(11_811) + PNGFile.four(11_811) + [1]),
        PNGFile.chunk("eXIf", Metadata.tiff()),
        PNGFile.chunk("tIME", [7, 232, 1, 2, 3, 4, 5]),
        PNGFile.chunk("tEXt", Array("Author\0SECRET".utf8)),
        PNGFile.chunk("zTXt", Array("Place\0\0".utf8) + PNGFile.zlib(Array("SECRET".utf8))),
        PNGFile.chunk(
          "iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Metadata.xmp),
      ])
    let answer = try ImageProgram.answer(laden)
    expectBare(answer, "PNG")
    #expect(answer.large == (try ImageProgram.answer(PNGFile.plain(Self.picture))).large)
  }

  @Test func `Exif, XMP and profile of a WebP and the metadata of a HEIF are removed`() throws {
    let still = try Vips.convert(Self.picture.ppm, "ppm", to: "webp[strip]")
    let laden = WebPFile.extended(
      width: 320, height: 240, still: still, flags: 0x0C,
      more: WebPFile.chunk("EXIF", Metadata.tiff()) + WebPFile.chunk("XMP ", Metadata.xmp))
    let answer = try ImageProgram.answer(laden)
    expectBare(answer, "WebP")
    #expect(answer.large == (try ImageProgram.answer(still)).large)

    let jpeg = Metadata.jpeg(
      try Vips.convert(Self.picture.ppm, "ppm", to: "jpg[strip,Q=100]"), Metadata.exif(),
      Metadata.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Metadata.xmp))
    let heif = try Vips.convert(jpeg, "jpg", to: "heic")
    #expect(heif.holds("SECRET"))
    expectBare(try ImageProgram.answer(heif), "HEIF")
  }

  @Test func `the pixel density of a file is removed`() throws {
    let bare = try Vips.convert(Self.picture.ppm, "ppm", to: "jpg[strip]")
    func with(density: UInt8) throws -> [UInt8] {
      let head = Array("JFIF\0".utf8) + [1, 1, 1, 0, density, 0, density, 0, 0]
      return try ImageProgram.answer(Metadata.jpeg(bare, Metadata.segment(0xE0, head))).large
    }
    #expect(try with(density: 72) == with(density: 240))
  }
}
