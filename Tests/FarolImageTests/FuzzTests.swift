import Testing

/// Several hundred broken files, the same on every run.
@Suite(.enabled(if: try ImageProgram.isThere())) struct FuzzTests {
  @Test(arguments: ["jpg", "jpg[interlace]", "png", "webp", "webp[lossless]", "heic"])
  func `files with randomly changed bytes do no harm`(kind: String) throws {
    let whole = Metadata.jpeg(
      try Vips.convert(Pixels.noise(width: 96, height: 64).ppm, "ppm", to: "jpg"),
      Metadata.exif(orientation: 6))
    let file = kind == "jpg" ? whole : try Vips.convert(whole, "jpg", to: kind)
    var lottery = Lottery(seed: UInt64(kind.utf8.count) + UInt64(kind.utf8.reduce(0) { $0 &+ $1 }))
    let files = (0..<50).map { round in
      var broken = file
      for _ in 0..<(1 << (round % 7)) {
        // Decoders rely most on the header.
        let reach = Bool.random(using: &lottery) ? min(file.count, 600) : file.count
        let place = Int.random(in: 12..<reach, using: &lottery)
        broken[place] = UInt8.random(in: 0...255, using: &lottery)
      }
      return broken
    }
    let outcomes = try ImageProgram.run(all: files)
    #expect(outcomes.count == files.count)
    for outcome in outcomes { #expect(outcome.isHarmless, "\(kind): \(outcome)") }
    // Some files must still decode and some must be refused, otherwise the test proves nothing.
    let answered = outcomes.count { $0.status == 0 }
    #expect((1..<50).contains(answered), "\(kind): \(answered)")
  }

  @Test func `random bytes are not recognised as an image`() throws {
    var lottery = Lottery(seed: 3)
    let files = [1, 2, 3, 11, 12, 13, 29, 30, 100, 4_096, 4_097, 100_000].map { length in
      (0..<length).map { _ in UInt8.random(in: 1...200, using: &lottery) }
    }
    for outcome in try ImageProgram.run(all: files) {
      #expect(outcome.isRefused("not_an_image"), "\(outcome)")
    }
  }
}
