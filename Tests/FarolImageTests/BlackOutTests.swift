import Testing

/// A redacted area is black in both output pictures, and nothing of its content remains.
@Suite(.enabled(if: try ImageProgram.isThere())) struct BlackOutTests {
  @Test func `a redacted area is black and the rest is unchanged`() throws {
    let pixels = Pixels.quarters(width: 400, height: 200)
    let answer = try ImageProgram.answer(
      PNGFile.plain(pixels), ["--black-out", "0.5,0,0.5,0.5"])
    for bytes in [answer.large, answer.thumb] {
      let seen = try Pixels(jpeg: bytes)
      #expect(looksLike(seen.corners[0], Pixels.red))
      #expect(looksLike(seen.corners[1], Pixels.black, within: 2))
      #expect(looksLike(seen.corners[2], Pixels.blue))
      #expect(looksLike(seen.corners[3], Pixels.yellow))
      // The edges of the area too: upper left, lower right.
      #expect(looksLike(seen[seen.width / 2 + 1, 1], Pixels.black))
      #expect(looksLike(seen[seen.width - 1, seen.height / 2 - 2], Pixels.black))
    }
  }

  @Test func `the coordinates of an area refer to the upright picture`() throws {
    let jpeg = Metadata.jpeg(
      try Vips.convert(Pixels.quarters(width: 400, height: 200).ppm, "ppm", to: "jpg[strip]"),
      Metadata.exif(orientation: 6))
    let answer = try ImageProgram.answer(jpeg, ["--black-out", "0,0,0.5,0.5"])
    let corners = try Pixels(jpeg: answer.large).corners
    #expect(looksLike(corners[0], Pixels.black, within: 2))
    #expect(looksLike(corners[1], Pixels.red))
  }

  @Test(arguments: ["0.25,0.25,0.5,0.5", "0.2513,0.2487,0.5001,0.4999"])
  func `the content of a redacted area cannot be recovered`(part: String) throws {
    // Two pictures that differ only in the area give the same output, byte for byte: nothing in the
    // output depends on the content of the area.
    let first = Pixels.noise(width: 400, height: 300)
    var second = first
    for y in 76..<224 {
      for x in 102..<298 {
        second.bytes.replaceSubrange(
          (y * 400 + x) * 3..<(y * 400 + x + 1) * 3, with: [255, 255, 255])
      }
    }
    let arguments = ["--black-out", part]
    let (one, other) = (
      try ImageProgram.answer(PNGFile.plain(first), arguments),
      try ImageProgram.answer(PNGFile.plain(second), arguments)
    )
    #expect(one.large == other.large)
    #expect(one.thumb == other.thumb)
    #expect(one.large != (try ImageProgram.answer(PNGFile.plain(second))).large)
  }

  @Test func `an area stays redacted in a large picture that is scaled down`() throws {
    let first = Pixels.noise(width: 1_200, height: 800)
    var second = first
    for y in 200..<600 {
      let row = (y * 1_200 + 300) * 3
      second.bytes.replaceSubrange(row..<row + 600 * 3, with: repeatElement(9, count: 1_800))
    }
    let arguments = ["--black-out", "0.25,0.25,0.5,0.5", "--large", "500"]
    let (one, other) = (
      try ImageProgram.answer(PNGFile.plain(first), arguments),
      try ImageProgram.answer(PNGFile.plain(second), arguments)
    )
    #expect(one.large == other.large)
    #expect(one.thumb == other.thumb)
  }

  @Test func `several areas, and the whole picture, can be redacted`() throws {
    let png = PNGFile.plain(.quarters(width: 400, height: 200))
    let two = try ImageProgram.answer(
      png, ["--black-out", "0,0,0.5,0.5", "--black-out", "0.5,0.5,0.5,0.5"])
    let corners = try Pixels(jpeg: two.large).corners
    #expect(looksLike(corners[0], Pixels.black, within: 2))
    #expect(looksLike(corners[1], Pixels.green))
    #expect(looksLike(corners[3], Pixels.black, within: 2))
    let whole = try ImageProgram.answer(png, ["--black-out", "0,0,1,1"])
    #expect(try Pixels(jpeg: whole.large).bytes.allSatisfy { $0 <= 2 })
  }
}
