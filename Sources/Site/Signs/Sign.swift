import Drawing
import PrivacyMap
import QRCode

/// The content of a sign next to a device: which device it is, who operates it, and the rights of people.
struct Sign: Sendable {
  let language: String
  let words: SignTexts.Words
  /// The kind of device, in the sign's language.
  let category: String
  /// The data that the device collects; empty if unknown.
  let data: [String]
  let operatorName: String?
  /// The state of knowledge, such as "Reported, not confirmed yet".
  let status: String
  /// The complete address of the device's page.
  let address: String
  let day: Day
  /// The name of the instance.
  let instance: String
}

/// The size of a sign, in points (1/72 inch; ISO 216).
enum SignSize: String, CaseIterable, Sendable {
  case a4, a5

  var width: Double { self == .a4 ? 595.276 : 419.528 }
  var height: Double { self == .a4 ? 841.89 : 595.276 }
}

/// Draws signs. All lengths apply to A4; a smaller sign is the same drawing, reduced.
struct SignDrawing {
  private let sign: Sign
  private let scale: Double
  private let size: SignSize

  private static let ink = Colour(0x0b2545)
  private static let soft = Colour(0x47596b)
  private static let paper = Colour(0xffffff)
  private static let beam = Colour(0xffc857)
  private static let margin = 48.0
  /// The side of the code with its quiet zone: readable from two metres at A4.
  private static let code = 190.0
  /// Light modules around a code (ISO/IEC 18004).
  private static let quiet = 4

  init(_ sign: Sign, _ size: SignSize) {
    self.sign = sign
    self.size = size
    scale = size.width / SignSize.a4.width
  }

  /// - Throws: ``DrawingFailure`` or ``InvalidQRText``.
  func file(_ form: Canvas.Form) throws -> [UInt8] {
    let canvas = try Canvas(form, width: size.width, height: size.height, title: sign.words.title)
    canvas.fill(Rectangle(x: 0, y: 0, width: size.width, height: size.height), Self.paper)
    var y = try head(canvas)
    let codeTop = SignSize.a4.height - Self.margin - 22 - Self.code
    y = try part(sign.words.what, sign.category, lines: 2, at: y, canvas)
    let data = sign.data.isEmpty ? sign.words.unknown : sign.data.joined(separator: ", ")
    y = try part(sign.words.data, data, size: 20, lines: 3, at: y, canvas)
    y = try part(sign.words.who, sign.operatorName ?? sign.words.unknown, lines: 3, at: y, canvas)
    try rights(from: y, to: codeTop, canvas)
    try foot(from: codeTop, canvas)
    return try canvas.finished()
  }

  /// The title on a dark band.
  private func head(_ canvas: borrowing Canvas) throws -> Double {
    let height = 112.0
    canvas.fill(rectangle(0, 0, SignSize.a4.width, height), Self.ink)
    canvas.fill(rectangle(0, height, SignSize.a4.width, 10), Self.beam)
    let style = self.style(50, smallest: 26, isBold: true, Self.paper)
    let needed = try canvas.height(of: sign.words.title, style, width: width * scale) / scale
    _ = try text(sign.words.title, style, y: (height - needed) / 2, canvas)
    return height + 30
  }

  /// A label and its value.
  private func part(
    _ label: String, _ value: String, size: Double = 27, lines: Int, at y: Double,
    _ canvas: borrowing Canvas
  ) throws -> Double {
    let top = y + (try text(label, style(14, Self.soft), y: y, canvas))
    let style = self.style(size, smallest: 13, isBold: size > 20, Self.ink, lines: lines)
    return top + (try text(value, style, y: top, canvas)) + 14
  }

  private func rights(from y: Double, to end: Double, _ canvas: borrowing Canvas) throws {
    let heading = try text(
      sign.words.rights, style(20, isBold: true, Self.ink), y: y, canvas)
    let room = end - y - heading - 12
    var size = 17.0
    while size > 9 {
      let style = self.style(size, Self.ink, lines: 40)
      let needed = try canvas.height(of: sign.words.rightsText, style, width: width * scale)
      if needed / scale <= room { break }
      size -= 0.5
    }
    _ = try text(sign.words.rightsText, style(size, Self.ink, lines: 40), y: y + heading, canvas)
  }

  /// The code, its explanation, and the state of knowledge.
  private func foot(from top: Double, _ canvas: borrowing Canvas) throws {
    try draw(QRCode(sign.address), at: Self.margin, top, canvas)
    let x = Self.margin + Self.code + 20
    let room = SignSize.a4.width - Self.margin - x
    var y = top + 14
    for (words, style) in [
      (sign.words.scan, style(22, smallest: 14, isBold: true, Self.ink, lines: 2)),
      (sign.address, style(12, smallest: 8, Self.ink, lines: 3)),
      (sign.status, style(14, smallest: 10, Self.soft, lines: 2)),
      (sign.words.asOf.replacing("{date}", with: sign.day.text), style(14, Self.soft)),
    ] {
      y += try text(words, style, x: x, y: y, width: room, canvas) + 9
    }
    let made = sign.words.made.replacing("{name}", with: sign.instance)
    _ = try text(
      made, style(10.5, smallest: 7, Self.soft, lines: 2), y: top + Self.code + 10, canvas)
  }

  private func draw(
    _ code: QRCode, at x: Double, _ y: Double, _ canvas: borrowing Canvas
  ) {
    let module = Self.code / Double(code.size + 2 * Self.quiet)
    let modules = code.rows.enumerated().flatMap { row, modules in
      modules.utf8.enumerated().filter { $0.element == UInt8(ascii: "1") }.map { column, _ in
        rectangle(
          x + Double(column + Self.quiet) * module, y + Double(row + Self.quiet) * module, module,
          module)
      }
    }
    canvas.fill(modules, Self.ink)
  }

  private var width: Double { SignSize.a4.width - 2 * Self.margin }

  private func style(
    _ size: Double, smallest: Double? = nil, isBold: Bool = false, _ colour: Colour, lines: Int = 1
  ) -> TextStyle {
    var style = TextStyle(
      size: size * scale, smallest: smallest.map { $0 * scale }, colour: colour,
      language: sign.language, lines: lines)
    style.isBold = isBold
    return style
  }

  /// Draws a text and returns its height.
  private func text(
    _ text: String, _ style: TextStyle, x: Double = Self.margin, y: Double, width: Double? = nil,
    _ canvas: borrowing Canvas
  ) throws -> Double {
    try canvas.text(
      text, style, x: x * scale, y: y * scale, width: (width ?? self.width) * scale) / scale
  }

  private func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> Rectangle {
    Rectangle(x: x * scale, y: y * scale, width: width * scale, height: height * scale)
  }
}
