import Testing

/// Files that are not photos are refused, whatever their name; the program never receives a name.
@Suite(.enabled(if: try ImageProgram.isThere())) struct RefusalTests {
  /// The first bytes of files of other kinds, followed by other bytes.
  static let others: [(String, [UInt8])] = [
    ("nothing", []), ("one byte", [0xFF]), ("two bytes", [0xFF, 0xD8]),
    ("zeros", [UInt8](repeating: 0, count: 100_000)),
    ("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)),
    ("XML", Array("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
    ("HTML", Array("<!doctype html><script>alert(1)</script>".utf8)),
    ("PDF", Array("%PDF-1.7\n1 0 obj\n<< >>\nendobj\n".utf8)),
    ("PostScript", Array("%!PS-Adobe-3.0\n0 0 moveto\n".utf8)),
    ("GIF", Array("GIF89a\u{1}\0\u{1}\0\0\0\0,\0\0\0\0\u{1}\0\u{1}\0\0\u{2}\0;".utf8)),
    ("BMP", Array("BM".utf8) + [UInt8](repeating: 1, count: 200)),
    ("TIFF", Array("II*\0".utf8) + [UInt8](repeating: 1, count: 200)),
    ("TIFF, the other way round", Array("MM\0*".utf8) + [UInt8](repeating: 1, count: 200)),
    ("Photoshop", Array("8BPS\0\u{1}".utf8) + [UInt8](repeating: 0, count: 200)),
    ("JPEG 2000", [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]),
    ("JPEG XL", [0xFF, 0x0A, 1, 2, 3, 4]), ("PPM", Array("P6\n1 1\n255\nabc".utf8)),
    ("Radiance", Array("#?RADIANCE\n".utf8)), ("libvips", [0x08, 0xF2, 0xA6, 0xB6]),
    ("ZIP", Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 60)),
    ("program", Array("\u{7F}ELF".utf8) + [UInt8](repeating: 0, count: 60)),
    ("sound in RIFF", Array("RIFF\u{24}\0\0\0WAVEfmt ".utf8)),
    ("film", [0, 0, 0, 20] + Array("ftypisom\0\0\0\0isom".utf8)),
    ("AVIF", [0, 0, 0, 24] + Array("ftypavif\0\0\0\0avifmif1".utf8)),
    ("a brand that is only a version", [0, 0, 0, 16] + Array("ftypisomheic".utf8)),
    ("ftyp without an end", [0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypheic\0\0\0\0heic".utf8)),
    ("ImageMagick script", Array("push graphic-context\nfill 'url(https://a/)'\n".utf8)),
  ]

  @Test(arguments: others)
  func `a file of another format is reported as not an image`(kind: String, bytes: [UInt8]) throws {
    let outcome = try ImageProgram.run(bytes)
    #expect(outcome.isRefused("not_an_image"), "\(kind): \(outcome.complaint)")
  }

  @Test(arguments: ["jpg", "png", "webp", "heic"])
  func `a valid signature followed by arbitrary bytes is reported as damaged`(kind: String) throws {
    let whole = try Vips.convert(Pixels.quarters(width: 64, height: 48).ppm, "ppm", to: kind)
    var lottery = Lottery(seed: 7)
    let rest = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &lottery) }
    let outcome = try ImageProgram.run(whole.prefix(24) + rest)
    // The header of a WebP holds its size; random bytes make that size large.
    #expect(
      outcome.isRefused("damaged") || kind == "webp" && outcome.isRefused("too_many_pixels"),
      "\(outcome.complaint)")
  }

  @Test(arguments: ["jpg", "jpg[interlace]", "png", "png[interlace]", "webp", "heic"])
  func `a truncated file is damaged and the complete file is not`(kind: String) throws {
    let whole = try Vips.convert(Pixels.noise(width: 320, height: 240).ppm, "ppm", to: kind)
    #expect(try ImageProgram.run(whole).status == 0)
    for percent in [1, 20, 50, 80, 95] {
      let cut = Array(whole.prefix(max(whole.count * percent / 100, 40)))
      let outcome = try ImageProgram.run(cut)
      #expect(outcome.isRefused("damaged"), "\(percent) %: \(outcome.status) \(outcome.complaint)")
    }
  }

  @Test(arguments: ["jpg", "jpg[interlace]", "png", "png[interlace]", "webp", "heic"])
  func `a file without its last bytes is damaged, but extra bytes at the end are accepted`(
    kind: String
  ) throws {
    let whole = try Vips.convert(Pixels.noise(width: 64, height: 48).ppm, "ppm", to: kind)
    let cut = [1, 2, 3, 4, 5, 8, 11, 12, 13, 16, 20].map { Array(whole.dropLast($0)) }
    for (outcome, cut) in zip(try ImageProgram.run(all: cut), cut) {
      #expect(outcome.isRefused("damaged"), "\(whole.count - cut.count) bytes: \(outcome)")
    }
    #expect(try ImageProgram.run(whole + [UInt8](repeating: 0, count: 100)).status == 0)
  }

  @Test func `files that declare a greater length than they have are damaged`() throws {
    let picture = Pixels.noise(width: 64, height: 48)
    let png = PNGFile.plain(picture)
    let jpeg = try Vips.convert(picture.ppm, "ppm", to: "jpg")
    var webp = try Vips.convert(picture.ppm, "ppm", to: "webp")
    #expect(try ImageProgram.run(png).status == 0)
    // The last twelve bytes are IEND.
    let other = png.dropLast(12) + PNGFile.chunk("tEXt", Array("a\0b".utf8))
    #expect(try ImageProgram.run(Array(other)).isRefused("damaged"))
    #expect(try ImageProgram.run(png.dropLast(12) + [0xFF, 0xFF, 0xFF, 0xFF]).isRefused("damaged"))
    // An end marker within a segment is not the end of the file.
    let inside = [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0xFF, 0xD9] + jpeg.dropFirst(2).dropLast(2)
    #expect(try ImageProgram.run(inside).isRefused("damaged"))
    #expect(try ImageProgram.run(inside + [0xFF, 0xD9]).status == 0)
    for size in [UInt8(0), 0xFF] {
      webp.replaceSubrange(4..<8, with: [UInt8](repeating: size, count: 4))
      #expect(try ImageProgram.run(webp).isRefused("damaged"))
    }
  }

  @Test(arguments: ["jpg", "png", "webp", "heic"])
  func `every truncated file is refused with a reason, not ended by a signal`(kind: String) throws {
    let whole = try Vips.convert(Pixels.noise(width: 16, height: 16).ppm, "ppm", to: kind)
    let beginnings = Array(0...48) + stride(from: 49, to: whole.count, by: max(1, whole.count / 40))
    let outcomes = try ImageProgram.run(all: beginnings.map { Array(whole.prefix($0)) })
    for (outcome, length) in zip(outcomes, beginnings) {
      #expect(
        outcome.isRefused("damaged") || length <= 48 && outcome.isRefused("not_an_image"),
        "\(length) bytes: \(outcome)")
    }
  }

  @Test func `a file type box in a file of 8 to 15 bytes is not an image`() throws {
    var files: [[UInt8]] = []
    for length in 8...15 {
      for said: UInt8 in [0, 8, 15, 16, 24, 255] {
        let file = [0, 0, 0, said] + Array("ftypheicheic".utf8)
        files.append(Array(file.prefix(length)))
      }
    }
    for outcome in try ImageProgram.run(all: files) {
      #expect(outcome.isRefused("not_an_image"), "\(outcome)")
    }
  }

  @Test func `ten mebibytes are accepted and one more byte is refused`() throws {
    let picture = PNGFile.plain(.quarters(width: 64, height: 48))
    let maximum = 10 * 1_024 * 1_024
    func padded(to size: Int) -> [UInt8] {
      picture + [UInt8](repeating: 0, count: size - picture.count)
    }
    #expect(try ImageProgram.run(padded(to: maximum)).status == 0)
    #expect(try ImageProgram.run(padded(to: maximum + 1)).isRefused("too_many_bytes"))
  }

  @Test(arguments: [
    ["--large"], ["--large", "0"], ["--large", "9999"], ["--thumb", "x"], ["--name", "a.jpg"],
    ["--black-out", "0,0,1"], ["--black-out", "0,0,1,nan"], ["--black-out", "0,0,1,2"],
    ["--black-out", "0,0,0,1"], ["--black-out", "-0.1,0,1,1"], ["picture.jpg"],
  ])
  func `wrong usage and a refused file have different exit codes`(arguments: [String]) throws {
    let picture = PNGFile.plain(.quarters(width: 64, height: 48))
    let file = try Scratch.file(picture, named: "picture")
    defer { Scratch.remove(file) }
    let failure = #expect(throws: Command.Failed.self) {
      try Command.run(ImageProgram.path, arguments, input: file)
    }
    #expect(failure?.status == 1)
    #expect(failure?.said.isEmpty == false)
  }
}
