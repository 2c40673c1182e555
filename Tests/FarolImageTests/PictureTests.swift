import Testing

/// The output looks like the input.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PictureTests {
  static let colours = [Pixels.red, Pixels.green, Pixels.blue, Pixels.yellow]

  private func expect(
    _ file: [UInt8], shows colours: [[UInt8]], within distance: Int = 12, _ comment: Comment = ""
  ) throws {
    let answer = try ImageProgram.answer(file)
    for bytes in [answer.large, answer.thumb] {
      for (found, wanted) in zip(try Pixels(jpeg: bytes).corners, colours) {
        #expect(looksLike(found, wanted, within: distance), "\(comment) \(found) \(wanted)")
      }
    }
  }

  @Test(arguments: [
    "jpg", "jpg[interlace]", "jpg[Q=95,subsample_mode=off]", "png", "png[interlace]",
    "png[palette]", "webp", "webp[lossless]", "heic", "heic[lossless]",
    "heic[bitdepth=10]", "heic[subsample_mode=off]",
  ])
  func `each file format keeps its colours`(kind: String) throws {
    let file = try Vips.convert(Pixels.quarters(width: 200, height: 120).ppm, "ppm", to: kind)
    try expect(file, shows: Self.colours, within: kind.hasPrefix("heic") ? 20 : 12, "\(kind)")
  }

  @Test(arguments: [
    (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]),
    (5, [0, 2, 1, 3]), (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
    (0, [0, 1, 2, 3]), (9, [0, 1, 2, 3]),
  ])
  func `a picture comes out upright`(orientation: Int, quarters: [Int]) throws {
    let pixels = Pixels.quarters(width: 200, height: 120)
    let colours = quarters.map { Self.colours[$0] }
    let turned = (5...8).contains(orientation)
    let jpeg = Metadata.jpeg(
      try Vips.convert(pixels.ppm, "ppm", to: "jpg[strip]"),
      Metadata.exif(orientation: orientation))
    try expect(jpeg, shows: colours)
    #expect(try ImageProgram.answer(jpeg).size == (turned ? [120, 200] : [200, 120]))

    let webp = WebPFile.extended(
      width: 200, height: 120, still: try Vips.convert(pixels.ppm, "ppm", to: "webp[strip]"),
      flags: 0x08, more: WebPFile.chunk("EXIF", Metadata.tiff(orientation: orientation)))
    try expect(webp, shows: colours)
  }

  @Test func `greys, sixteen bits, palettes and single bits are displayed correctly`() throws {
    func one(_ colour: [UInt8]) -> [[UInt8]] { [[UInt8]](repeating: colour, count: 4) }
    let grey = PNGFile(colour: 0, width: 64, height: 64)
    try expect(grey.file(above: [77], below: [77]), shows: one([77, 77, 77]), "grey")

    let deep = PNGFile(colour: 0, depth: 16, width: 64, height: 64)
    try expect(
      deep.file(above: [200, 3], below: [200, 4]), shows: one([200, 200, 200]), "16 bits")

    let colour = PNGFile(colour: 2, depth: 16, width: 64, height: 64)
    let red: [UInt8] = [220, 1, 30, 2, 30, 3]
    try expect(colour.file(above: red, below: red), shows: one(Pixels.red), "48 bits")

    let palette = PNGFile(
      colour: 3, depth: 8, width: 64, height: 64,
      chunks: [PNGFile.chunk("PLTE", Pixels.green + Pixels.blue)])
    try expect(
      palette.file(above: [0], below: [1]),
      shows: [Pixels.green, Pixels.green, Pixels.blue, Pixels.blue], "palette")

    let bits = PNGFile(colour: 0, depth: 1, width: 8, height: 8)
    let rows = [UInt8]((0..<8).map { [0, $0 < 4 ? 0 : 255] }.joined())
    try expect(
      bits.file(rows: rows),
      shows: [Pixels.black, Pixels.black, [255, 255, 255], [255, 255, 255]], "bits")
  }

  @Test func `CMYK colours are converted with and without the profile of the file`() throws {
    // Colours that ink can show.
    let ink: [[UInt8]] = [[190, 90, 80], [110, 150, 100], [90, 110, 150], [200, 180, 110]]
    var pixels = Pixels.quarters(width: 200, height: 120)
    for (colour, other) in zip(Self.colours, ink) {
      for place in stride(from: 0, to: pixels.bytes.count, by: 3)
      where pixels.bytes[place..<place + 3].elementsEqual(colour) {
        pixels.bytes.replaceSubrange(place..<place + 3, with: other)
      }
    }
    let print = try Vips.convert(
      pixels.ppm, "ppm", to: "jpg[Q=95]",
      operation: ["icc_transform", "cmyk", "--input-profile", "srgb"])
    #expect(print.holds("ICC_PROFILE"))
    try expect(print, shows: ink, "with its profile")
    let bare = try Vips.convert(print, "jpg", to: "jpg[Q=95,strip]")
    #expect(!bare.holds("ICC_PROFILE"))
    try expect(bare, shows: ink, "without")
  }

  @Test func `colours of a wide-gamut profile are converted to sRGB`() throws {
    let wide = try Vips.convert(
      Pixels.quarters(width: 200, height: 120).ppm, "ppm", to: "jpg[Q=95]",
      operation: ["icc_transform", "p3", "--input-profile", "srgb"])
    let raw = try Pixels(ppm: try Vips.convert(wide, "jpg", to: "ppm"))
    #expect(!looksLike(raw.corners[1], Pixels.green))
    try expect(wide, shows: Self.colours)
  }

  @Test func `an invalid profile does no harm`() throws {
    let jpeg = try Vips.convert(
      Pixels.quarters(width: 200, height: 120).ppm, "ppm", to: "jpg[strip]")
    let broken = Metadata.jpeg(
      jpeg, Metadata.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}SECRET".utf8)))
    try expect(broken, shows: Self.colours)
  }

  @Test func `transparent parts are shown on white`() throws {
    let png = PNGFile(colour: 6, width: 64, height: 64)
    let white: [UInt8] = [255, 255, 255]
    let file = png.file(above: Pixels.red + [0], below: Pixels.red + [255])
    try expect(file, shows: [white, white, Pixels.red, Pixels.red])
  }

  @Test(arguments: [
    (4_000, 1_000, [2_048, 512], [480, 120]), (1_000, 4_000, [512, 2_048], [120, 480]),
    (2_048, 2_048, [2_048, 2_048], [480, 480]), (2_049, 10, [2_048, 10], [480, 2]),
    (30, 20, [30, 20], [30, 20]), (1, 1, [1, 1], [1, 1]), (9_000, 1, [2_048, 1], [480, 1]),
  ])
  func `a picture is scaled down to fit and never enlarged`(
    width: Int, height: Int, large: [Int], thumb: [Int]
  ) throws {
    for kind in ["png", "jpg", "webp"] {
      let file = try Vips.convert(
        Pixels.quarters(width: width, height: height).ppm, "ppm", to: kind)
      let answer = try ImageProgram.answer(file)
      #expect(answer.size == large, "\(kind)")
      #expect(answer.thumbSize == thumb, "\(kind)")
      #expect(try Pixels(jpeg: answer.thumb).width == thumb[0])
    }
  }
}
