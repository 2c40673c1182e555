import Testing

/// Small files made to need many resources. Each is refused or processed within 4 s of processor
/// time and 200 MB of memory.
@Suite(.enabled(if: try ImageProgram.isThere() && !ImageProgram.isSanitized), .serialized)
struct BombTests {
  @Test func `a PNG with a declared 50,000 by 50,000 pixels is refused from its header`() throws {
    let png = PNGFile(width: 50_000, height: 50_000)
    let outcome = try ImageProgram.run(png.file(packed: PNGFile.zeros(1_000_000)))
    #expect(outcome.isRefused("too_many_pixels"), "\(outcome)")
    #expect(outcome.processorSeconds < 0.5)
  }

  @Test(arguments: [(7_071, 7_071, 0), (7_072, 7_071, 2), (1, 50_000_001, 2)])
  func `fifty million pixels are accepted and one more row is refused`(
    width: Int, height: Int, status: Int
  ) throws {
    let bits = PNGFile(colour: 0, depth: 1, width: width, height: height)
    let packed = PNGFile.zeros(((width + 7) / 8 + 1) * height)
    let outcome = try ImageProgram.run(bits.file(packed: packed))
    #expect(outcome.status == status, "\(outcome.complaint)")
    #expect(outcome.isHarmless, "\(outcome.seconds) s, \(outcome.megabytes) MB")
  }

  @Test(arguments: [false, true])
  func `four hundred megabytes of pixels in a small PNG stay within the limits`(
    isInterlaced: Bool
  ) throws {
    let width = 7_000, height = 7_000
    let png = PNGFile(
      colour: 6, depth: 16, isInterlaced: isInterlaced, width: width, height: height)
    let outcome = try ImageProgram.run(png.file(packed: PNGFile.zeros((width * 8 + 1) * height)))
    #expect(outcome.isHarmless, "\(outcome)")
    // Interlaced, all pixels would have to be in memory at once.
    if isInterlaced { #expect(outcome.isRefused("too_many_pixels"), "\(outcome)") }
  }

  @Test(arguments: [0xC0, 0xC2] as [UInt8])
  func `a JPEG with a declared 65,500 by 65,500 pixels is refused from its header`(
    frame: UInt8
  ) throws {
    var jpeg = try Vips.convert(
      Pixels.quarters(width: 64, height: 48).ppm, "ppm",
      to: frame == 0xC2 ? "jpg[interlace]" : "jpg")
    let place = try #require(Self.place(of: frame, in: jpeg))
    jpeg.replaceSubrange(place + 5..<place + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(try ImageProgram.run(jpeg).isRefused("too_many_pixels"))
  }

  @Test func `a JPEG with ten million pixels in two thousand scans ends in time`() throws {
    let jpeg = try Vips.convert(
      Pixels.quarters(width: 3_200, height: 3_200).ppm, "ppm", to: "jpg[interlace]")
    let scan = try #require(
      jpeg.indices.dropLast().last { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA })
    let passes = repeatElement(jpeg[scan..<jpeg.count - 2], count: 2_000).joined()
    let outcome = try ImageProgram.run(jpeg.dropLast(2) + passes + jpeg.suffix(2))
    #expect(outcome.isHarmless, "\(outcome)")
  }

  @Test func `a WebP with a header above the pixel limit is refused`() throws {
    let small = try Vips.convert(Pixels.quarters(width: 64, height: 48).ppm, "ppm", to: "webp")
    var lossy = WebPFile.simple(small)
    lossy.replaceSubrange(26..<30, with: [0xFF, 0x3F, 0xFF, 0x3F])
    #expect(try ImageProgram.run(lossy).isRefused("too_many_pixels"))

    var lossless = WebPFile.simple(
      try Vips.convert(
        Pixels.quarters(width: 64, height: 48).ppm, "ppm", to: "webp[lossless]"))
    lossless.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
    #expect(try ImageProgram.run(lossless).isRefused("too_many_pixels"))

    let canvas = WebPFile.extended(width: 16_777_216, height: 16_777_216, still: small)
    #expect(try ImageProgram.run(canvas).isRefused("too_many_pixels"))
    let unlike = WebPFile.extended(width: 7_000, height: 7_000, still: small)
    #expect(try ImageProgram.run(unlike).isHarmless)
  }

  @Test func `a HEIF with a declared 50,000 by 50,000 pixels is refused`() throws {
    var heif = try Vips.convert(Pixels.quarters(width: 64, height: 48).ppm, "ppm", to: "heic")
    var found = 0
    for place in heif.indices.dropLast(16)
    where heif[place..<place + 4].elementsEqual("ispe".utf8) {
      heif.replaceSubrange(
        place + 8..<place + 16, with: PNGFile.four(50_000) + PNGFile.four(50_000))
      found += 1
    }
    #expect(found > 0)
    let outcome = try ImageProgram.run(heif)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.isHarmless)
  }

  @Test(arguments: [(8, 6, 512, true), (40, 40, 1_000, false), (256, 250, 512, false)])
  func `a HEIF made of tiles is accepted within the pixel limit`(
    columns: Int, rows: Int, side: Int, isTaken: Bool
  ) throws {
    let tile = try Vips.convert(
      Pixels.quarters(width: 512, height: 512).ppm, "ppm", to: "heic[strip]")
    let grid = HEIFGrid(
      columns: columns, rows: rows, tile: (512, 512), size: (columns * side, rows * side))
    let outcome = try ImageProgram.run(grid.file(of: tile))
    #expect(outcome.isHarmless, "\(outcome)")
    #expect(outcome.status == (isTaken ? 0 : 2), "\(outcome)")
  }

  @Test(arguments: [(512, 512), (16, 16), (7_000, 7_000)])
  func `a HEIF with tiles of an undeclared size does no harm`(width: Int, height: Int) throws {
    let tile = try Vips.convert(
      Pixels.quarters(width: 512, height: 512).ppm, "ppm", to: "heic[strip]")
    let grid = HEIFGrid(columns: 40, rows: 30, tile: (512, 512), size: (width, height))
    let outcome = try ImageProgram.run(grid.file(of: tile))
    #expect(outcome.isHarmless, "\(outcome)")
  }

  @Test func `only the first of ten thousand WebP frames is decoded`() throws {
    let frames = try ["red", "blue"].map { name in
      let colour = name == "red" ? Pixels.red : Pixels.blue
      let pixels = Pixels(
        width: 64, height: 48, bytes: (0..<64 * 48).flatMap { _ in colour })
      return try Vips.convert(pixels.ppm, "ppm", to: "webp[lossless]")
    }
    let many = [frames[0]] + [[UInt8]](repeating: frames[1], count: 9_999)
    let film = WebPFile.animated(width: 64, height: 48, frames: many)
    #expect(try ImageProgram.run(film).isHarmless)
    let answer = try ImageProgram.answer(film)
    #expect(answer.size == [64, 48])
    #expect(looksLike(try Pixels(jpeg: answer.large)[32, 24], Pixels.red))
  }

  @Test func `only the first of ten thousand PNG frames is decoded`() throws {
    let pixels = Pixels.quarters(width: 64, height: 48)
    let control = PNGFile.chunk("acTL", PNGFile.four(10_000) + PNGFile.four(0))
    let plain = PNGFile.plain(pixels, chunks: [control])
    let packed = PNGFile.zlib([UInt8](repeating: 0, count: (64 * 3 + 1) * 48))
    let frames = (0..<9_999).flatMap { number in
      PNGFile.chunk(
        "fcTL",
        PNGFile.four(2 * number) + PNGFile.four(64) + PNGFile.four(48) + PNGFile.four(0)
          + PNGFile.four(0) + [0, 1, 0, 10, 0, 0])
        + PNGFile.chunk("fdAT", PNGFile.four(2 * number + 1) + packed)
    }
    let film = plain.dropLast(12) + frames + plain.suffix(12)
    let outcome = try ImageProgram.run(Array(film))
    #expect(outcome.isHarmless, "\(outcome)")
    let answer = try ImageProgram.answer(Array(film))
    #expect(answer.size == [64, 48])
    #expect(looksLike(try Pixels(jpeg: answer.large).corners[0], Pixels.red))
  }

  @Test(arguments: ["zTXt", "iCCP", "iTXt"])
  func `a compressed text of 300 megabytes in a PNG is not decompressed`(type: String) throws {
    let packed = PNGFile.zeros(300_000_000)
    let head: [UInt8] =
      type == "iTXt" ? Array("a\0\u{1}\0\0\0".utf8) : Array("a\0\0".utf8)
    let png = PNGFile.plain(
      .quarters(width: 64, height: 48), chunks: [PNGFile.chunk(type, head + packed)])
    let outcome = try ImageProgram.run(png)
    #expect(outcome.isHarmless, "\(outcome)")
  }

  @Test func `a PNG with a hundred thousand chunks does no harm`() throws {
    let chunks = (0..<100_000).map { PNGFile.chunk("tEXt", Array("key\($0)\0SECRET".utf8)) }
    let outcome = try ImageProgram.run(
      PNGFile.plain(.quarters(width: 64, height: 48), chunks: chunks))
    #expect(outcome.isHarmless, "\(outcome)")
  }

  /// The offset of a frame's marker in a JPEG.
  private static func place(of marker: UInt8, in jpeg: [UInt8]) -> Int? {
    jpeg.indices.dropLast(10).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == marker }
  }
}
