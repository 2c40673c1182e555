import Foundation
import Testing

@testable import Drawing

@Suite struct CanvasTests {
  private let ink = Colour(0x0b2545)

  private func drawn(_ form: Canvas.Form, _ text: String = "Funchal") throws -> [UInt8] {
    let canvas = try Canvas(form, width: 300, height: 200, title: "A <title>")
    canvas.fill(Rectangle(x: 0, y: 0, width: 300, height: 200), Colour(0xffffff))
    _ = try canvas.text(text, TextStyle(size: 20, colour: ink), x: 10, y: 10, width: 280)
    return try canvas.finished()
  }

  @Test func `each form has the signature of its file type`() throws {
    #expect(try drawn(.png).starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    #expect(try drawn(.pdf).starts(with: Array("%PDF-1.".utf8)))
    #expect(String(decoding: try drawn(.svg), as: UTF8.self).contains("<svg "))
  }

  @Test func `a PNG has the size of the drawing`() throws {
    let header = try drawn(.png)[16..<24]
    #expect(Array(header) == [0, 0, 1, 44, 0, 0, 0, 200])
  }

  @Test func `letters of an SVG are outlines, so that they need no font`() throws {
    let text = String(decoding: try drawn(.svg), as: UTF8.self)
    #expect(!text.contains("<text") && !text.contains("font-family"))
    #expect(text.contains("<path"))
    #expect(!text.contains("Funchal") && !text.contains("<title>"))
  }

  /// A missing letter is drawn as a box with its number, as wide for every letter of that length.
  @Test(arguments: ["Привет", "Ελλάδα", "مرحبا", "שלום", "नमस्ते", "สวัสดี", "こんにちは", "안녕하세요", "你好"])
  func `every script has its letters`(word: String) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(drawn(.pdf, word)).write(to: path)
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/usr/bin/pdftotext")
    reader.arguments = [path.path, "-"]
    let output = Pipe()
    reader.standardOutput = output
    try reader.run()
    let found = output.fileHandleForReading.readDataToEndOfFile()
    reader.waitUntilExit()
    // Ligatures and marks may come in another order, but the letters equal the letters of the word.
    let letters = Set(
      String(decoding: found, as: UTF8.self).decomposedStringWithCompatibilityMapping.unicodeScalars
    )
    #expect(
      letters.isSuperset(
        of: Set(word.decomposedStringWithCompatibilityMapping.unicodeScalars).filter {
          $0.properties.isAlphabetic
        }))
  }

  @Test func `a text that does not fit is reduced, and then cut`() throws {
    let canvas = try Canvas(.png, width: 300, height: 200, title: "")
    func height(_ text: String, smallest: Double, lines: Int = 1) throws -> Double {
      try canvas.height(
        of: text, TextStyle(size: 40, smallest: smallest, colour: ink, lines: lines), width: 280)
    }
    let short = try height("Rua", smallest: 10)
    let long = "Câmara Municipal do Funchal"
    #expect(try height(long, smallest: 10) < short)
    #expect(try height(long, smallest: 40) <= short * 1.01)
    #expect(try height(long, smallest: 40, lines: 2) > short * 1.5)
    let endless = String(repeating: "Municipal", count: 5_000)
    #expect(try height(endless, smallest: 10, lines: 3) < 3.5 * short)
  }

  @Test(arguments: [
    "", "\n\n\n", "a\u{2028}b", "\u{0}\u{7}", "\u{202E}txt", "🦀👩‍👩‍👧‍👦", "e\u{301}\u{301}\u{301}",
  ])
  func `no text breaks a drawing`(text: String) throws {
    #expect(try drawn(.png, text).count > 100)
    let canvas = try Canvas(.png, width: 300, height: 200, title: "")
    let style = TextStyle(size: 20, colour: ink)
    let line = try canvas.height(of: "x", style, width: 280)
    #expect(try canvas.height(of: text, style, width: 280) < line * 2)
  }

  @Test func `a drawing of an impossible size is refused`() {
    #expect(throws: DrawingFailure.self) {
      _ = try Canvas(.png, width: 1e9, height: 1e9, title: "").finished()
    }
  }

  @Test func `drawings on several threads do not disturb each other`() async throws {
    let alone = try drawn(.png)
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 { group.addTask { try drawn(.png) } }
      for try await picture in group { #expect(picture == alone) }
    }
  }
}
