import Drawing
import PrivacyMap

/// The content of a picture for previews of a link.
struct ShareCard: Equatable, Sendable {
  /// A group of devices.
  struct Bar: Equatable, Sendable {
    let label, count: String
    /// 0…1, of the longest bar.
    let share: Double
  }

  /// A place of a map, 0…1 from its upper left corner.
  struct Place: Equatable, Sendable {
    let x, y: Double
  }

  /// A cell of a map with devices, 0…1 from its upper left corner.
  struct Dot: Equatable, Sendable {
    let x, y, weight: Double
  }

  /// A border on the map, with points as in ``Place``.
  struct Outline: Equatable, Sendable {
    let rings: [[Place]]
    /// Whether it is the border of the place itself, not of a neighbour.
    let isOwn: Bool
  }

  /// Above the title, such as the kind of device.
  let kicker: String
  let title: String
  let lines: [String]
  var bars: [Bar] = []
  var dots: [Dot] = []
  /// The area of a mapping day.
  var map: CardMap?
  var outlines: [Outline] = []
  /// The name and the address of the instance.
  let site: String
  let language: String

  /// Everything that the picture depends on.
  var content: [String] {
    ["card", kicker, title, site, language] + lines
      + bars.flatMap { ["bar", $0.label, $0.count, "\($0.share)"] }
      + dots.flatMap { ["dot", "\($0.x)", "\($0.y)", "\($0.weight)"] }
      + (map.map { ["map"] + $0.content } ?? [])
      + outlines.flatMap { outline in
        ["outline", "\(outline.isOwn)"] + outline.rings.joined().map { "\($0.x) \($0.y)" }
      }
  }

  private static let ground = Colour(0x0b2545)
  private static let raised = Colour(0x133866)
  private static let paper = Colour(0xffffff)
  private static let land = Colour(0x2c5a8c)
  private static let soft = Colour(0xc5d3e2)
  private static let beam = Colour(0xffc857)
  private static let margin = 64.0
  private static let size = (width: Double(ShareTags.width), height: Double(ShareTags.height))
  /// The right part, with the map or the bars.
  private static let panel = Rectangle(x: 684, y: 64, width: 452, height: 440)
  /// Between the edge of the panel and a place.
  private static let inset = 24.0
  /// Width through height of the map.
  static let aspect = panel.width / panel.height

  /// The middle of the drawing on a card without a panel.
  private static let lens = (x: 1_020.0, y: 330.0)

  /// `countries` has the coasts of ``map``.
  ///
  /// - Throws: ``DrawingFailure``.
  func png(countries: CountryMap? = nil) throws -> [UInt8] {
    let canvas = try Canvas(
      .png, width: Self.size.width, height: Self.size.height, title: title)
    canvas.fill(
      Rectangle(x: 0, y: 0, width: Self.size.width, height: Self.size.height), Self.ground)
    canvas.fill(Rectangle(x: 0, y: 0, width: Self.size.width, height: 12), Self.beam)
    let hasCells = !dots.isEmpty || !outlines.isEmpty
    let hasPanel = !bars.isEmpty || hasCells || map != nil
    try words((hasPanel ? Self.panel.x - 40 : Self.lens.x - 170) - Self.margin, canvas)
    if let map {
      draw(map, countries, canvas)
    } else if hasCells {
      drawCells(canvas)
    } else if !bars.isEmpty {
      try chart(canvas)
    } else {
      for (radius, colour) in [(130.0, Self.raised), (86, Self.ground), (42, Self.beam)] {
        canvas.circle(x: Self.lens.x, y: Self.lens.y, radius: radius, colour)
      }
    }
    let foot = style(28, smallest: 18, Self.beam)
    _ = try canvas.text(
      site, foot, x: Self.margin, y: 544, width: Self.size.width - 2 * Self.margin)
    return try canvas.finished()
  }

  private func words(_ width: Double, _ canvas: borrowing Canvas) throws {
    var y = 64.0
    y +=
      try canvas.text(
        kicker, style(32, smallest: 22, Self.beam), x: Self.margin, y: y, width: width) + 12
    var heading = style(68, smallest: 36, Self.paper, lines: 3)
    heading.isBold = true
    y += try canvas.text(title, heading, x: Self.margin, y: y, width: width) + 20
    for line in lines where y < 490 {
      y +=
        try canvas.text(
          line, style(30, smallest: 24, Self.soft, lines: y < 420 ? 2 : 1), x: Self.margin, y: y,
          width: width) + 10
    }
  }

  private func draw(_ dots: [Dot], margin: Double, _ canvas: borrowing Canvas) {
    for dot in dots {
      let point = Self.point(Place(x: dot.x, y: dot.y), margin: margin)
      canvas.circle(x: point.x, y: point.y, radius: 3 + 11 * dot.weight, Self.beam)
    }
  }

  private static func point(_ place: Place, margin: Double) -> Canvas.Point {
    (
      panel.x + margin + place.x * (panel.width - 2 * margin),
      panel.y + margin + place.y * (panel.height - 2 * margin)
    )
  }

  /// The borders and the cells with devices of a place.
  private func drawCells(_ canvas: borrowing Canvas) {
    canvas.fill(Self.panel, outlines.isEmpty ? Self.raised : Self.ground)
    canvas.clip(to: Self.panel)
    for outline in outlines {
      canvas.fill(
        outline.rings.map { $0.map { Self.point($0, margin: Self.inset) } },
        outline.isOwn ? Self.raised : nil,
        outline: outline.isOwn ? Self.paper : Self.soft, width: outline.isOwn ? 3 : 1)
    }
    draw(dots, margin: Self.inset, canvas)
    canvas.unclip()
  }

  private func draw(
    _ map: CardMap, _ countries: CountryMap?, _ canvas: borrowing Canvas
  ) {
    func pixel(_ point: Coordinate) -> (x: Double, y: Double) {
      let place = map.place(of: point)
      return (
        Self.panel.x + place.x * Self.panel.width, Self.panel.y + place.y * Self.panel.height
      )
    }
    canvas.fill(Self.panel, Self.raised)
    canvas.fill(map.land(countries, in: Self.panel), Self.land)
    canvas.polygon(map.area.map(pixel), Self.paper, opacity: 0.2, width: 5)
    draw(map.dots, margin: 0, canvas)
    guard let meeting = map.meeting.map(pixel) else { return }
    for (radius, colour) in [(14.0, Self.paper), (9, Self.ground)] {
      canvas.circle(x: meeting.x, y: meeting.y, radius: radius, colour)
    }
  }

  private func chart(_ canvas: borrowing Canvas) throws {
    let room = Self.panel.height / Double(max(bars.count, 1))
    var y = Self.panel.y
    for bar in bars {
      let label = try canvas.text(
        "\(bar.label)  \(bar.count)", style(24, smallest: 17, Self.paper), x: Self.panel.x, y: y,
        width: Self.panel.width)
      canvas.fill(
        Rectangle(
          x: Self.panel.x, y: y + label + 6, width: Self.panel.width,
          height: max(room - label - 26, 8)), Self.raised)
      canvas.fill(
        Rectangle(
          x: Self.panel.x, y: y + label + 6, width: max(Self.panel.width * bar.share, 4),
          height: max(room - label - 26, 8)), Self.beam)
      y += room
    }
  }

  private func style(
    _ size: Double, smallest: Double, _ colour: Colour, lines: Int = 1
  ) -> TextStyle {
    TextStyle(size: size, smallest: smallest, colour: colour, language: language, lines: lines)
  }
}
