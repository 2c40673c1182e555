import QRCode
import Testing

@Suite struct QRCodeTests {
  /// The text `Farol` as python-qrcode 8 draws it with the same mask, and as OpenCV reads it.
  @Test func `a short text is drawn as the standard requires`() throws {
    let code = try QRCode("Farol")
    #expect(
      code.rows.joined(separator: "\n") == """
        111111100010101111111
        100000101011001000001
        101110100011001011101
        101110100010001011101
        101110101000101011101
        100000100100101000001
        111111101010101111111
        000000000101100000000
        101010100101000010010
        001101011000001001011
        111001100000100011111
        110001011110001000011
        011101111100101011011
        000000001001010101010
        111111100001011100011
        100000100001110110000
        101110101011011100011
        101110100100001100110
        101110101010100011001
        100000100110001100010
        111111101110101100011
        """)
  }

  @Test(arguments: ["a", "água", "otpauth://totp/Farol:faroleiro?secret=GEZDGNBVGY3TQOJQ"])
  func `three corners have a finder pattern and the fourth does not`(text: String) throws {
    let code = try QRCode(text)
    let finder = [
      "1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111",
    ]
    let top = code.rows.prefix(7)
    let bottom = code.rows.suffix(7)
    #expect(top.map { String($0.prefix(7)) } == finder)
    #expect(top.map { String($0.suffix(7)) } == finder)
    #expect(bottom.map { String($0.prefix(7)) } == finder)
    #expect(bottom.map { String($0.suffix(7)) } != finder)
  }

  @Test(arguments: [1, 14, 15, 100, 2_331])
  func `a code is a square of dark and light modules`(length: Int) throws {
    let code = try QRCode(String(repeating: "x", count: length))
    #expect(code.rows.count == code.size)
    #expect(code.rows.allSatisfy { $0.utf8.count == code.size })
    #expect(Set(code.rows.joined()) == ["0", "1"])
  }

  /// ISO/IEC 18004, table 7: bytes that versions 1 and 40 hold at level M.
  @Test(arguments: [(1, 21), (14, 21), (15, 25), (2_331, 177)])
  func `the smallest version that holds the text is chosen`(length: Int, size: Int) throws {
    #expect(try QRCode(String(repeating: "x", count: length)).size == size)
  }

  @Test func `length is counted in bytes, not characters`() throws {
    #expect(try QRCode(String(repeating: "á", count: 7)).size == 21)
    #expect(try QRCode(String(repeating: "á", count: 8)).size == 25)
  }

  @Test func `a terminal shows two modules in a character, within a quiet zone`()
    throws
  {
    let code = try QRCode("Farol")
    let rows = code.terminalRows
    #expect(rows.count == 15)
    #expect(
      rows.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
    let drawn = rows.map { String($0.dropFirst(19).dropLast(4)) }
    #expect(drawn.allSatisfy { $0.count == 29 })
    let empty = String(repeating: " ", count: 29)
    #expect(
      drawn.prefix(2).allSatisfy { $0 == empty } && drawn.suffix(2).allSatisfy { $0 == empty })
    #expect(drawn.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
    var modules: [String] = []
    for row in drawn {
      modules.append(String(row.map { "\u{2588}\u{2580}".contains($0) ? "1" : "0" }))
      modules.append(String(row.map { "\u{2588}\u{2584}".contains($0) ? "1" : "0" }))
    }
    #expect(
      modules.dropFirst(4).prefix(21).map { String($0.dropFirst(4).dropLast(4)) } == code.rows)
  }

  @Test(arguments: [2_332, 100_000])
  func `a text too long for any code is refused`(length: Int) {
    #expect(throws: InvalidQRText.tooLong) { try QRCode(String(repeating: "x", count: length)) }
  }

  @Test func `an empty text is refused`() {
    #expect(throws: InvalidQRText.empty) { try QRCode("") }
  }
}
