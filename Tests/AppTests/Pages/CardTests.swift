import Drawing
import Foundation
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
@testable import Site
import SpatialDatabase
import Testing
import WebServer

@Suite struct CardTests {
  let app: TestApp

  init() throws { app = try TestApp { try TestPlaces.make(in: $0) } }

  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47]

  private func size(_ picture: [UInt8]) -> [Int] {
    guard picture.count > 24 else { return [] }
    func number(_ at: Int) -> Int { picture[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return [number(16), number(20)]
  }

  /// The value of a meta element of a page.
  private func property(_ name: String, of page: String) -> String? {
    let start = "<meta property=\"\(name)\" content=\""
    guard let piece = page.components(separatedBy: start).dropFirst().first else { return nil }
    return String(piece.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
  }

  /// The picture that a page names, requested as another site would.
  private func picture(of page: String) throws -> TestAnswer {
    app.follow(try #require(property("og:image", of: page)))
  }

  @Test func `a device page names its picture, which has the announced size`() throws {
    let device = try app.device(.alpr, name: "Gate \"east\" <b>") {
      $0.answersFor = .init(name: "Parking", kind: .company)
    }
    let page = app.get("/devices/\(device.id)", ["lang": "en"]).text
    #expect(
      property("og:title", of: page)
        == "Gate &quot;east&quot; &lt;b&gt; – Farol".replacing(
          "&amp;", with: "&"))
    #expect(property("og:url", of: page) == "\(TestApp.address)/devices/\(device.id)")
    #expect(page.components(separatedBy: "og:title").count == 2)
    #expect(page.contains("<meta name=\"twitter:card\" content=\"summary_large_image\">"))
    let answer = try picture(of: page)
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "image/png")
    #expect(answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin")
    #expect(answer.bytes.starts(with: Self.png))
    #expect(size(answer.bytes) == [ShareTags.width, ShareTags.height])
    #expect(property("og:image:width", of: page) == "\(ShareTags.width)")
  }

  @Test func `links to the map are about their device, their place or all devices`() throws {
    let device = try app.device(name: "Gate")
    func image(_ query: TestApp.Parameters) -> String? {
      property("og:image", of: app.get("/", query).text)
    }
    #expect(image(["device": device.id])?.contains("/api/cards/devices/\(device.id).png") == true)
    #expect(image(["device": "nothing"])?.contains("/api/cards/statistics.png") == true)
    #expect(image(["place": "0"])?.contains("/api/cards/statistics.png") == true)
    #expect(image(["place": "'\"><script>"])?.contains("/api/cards/statistics.png") == true)
    let page = app.get("/")
    #expect(try picture(of: page.text).status == .ok)
  }

  @Test func `links to the statistics keep their selection of devices only`() throws {
    let query: TestApp.Parameters = [
      "category": "alpr", "charts": "country", "interval": "day", "evil": "<x>",
    ]
    let page = app.get("/statistics", query).text
    let url = try #require(property("og:image", of: page))
    #expect(url.contains("category=alpr") && url.contains("lang="))
    for other in ["charts", "interval", "evil", "<x>"] { #expect(!url.contains(other)) }
    #expect(try picture(of: page).status == .ok)
  }

  @Test func `a card changes with what it shows, and with the language`() throws {
    let device = try app.device(name: "Gate")
    let path = "/api/cards/devices/\(device.id).png"
    let first = app.get(path, ["lang": "en"])
    #expect(app.get(path, ["lang": "en"]).bytes == first.bytes)
    #expect(app.get(path, ["lang": "pt"]).bytes != first.bytes)
    try app.database.write {
      try $0.execute("UPDATE device SET name = 'Door' WHERE id = ?", [.text(device.id)])
    }
    let later = app.get(path, ["lang": "en"])
    #expect(later.bytes != first.bytes)
    let tag = try #require(later.headers["ETag"])
    #expect(tag != first.headers["ETag"])
    #expect(app.get(path, ["lang": "en"], headers: ["If-None-Match": tag]).status == .notModified)
  }

  @Test func `figures change the card of the statistics`() throws {
    let path = "/api/cards/statistics.png"
    let none = app.get(path)
    _ = try app.device(.alpr)
    let one = app.get(path)
    #expect(one.bytes != none.bytes)
    #expect(app.get(path, ["category": "webcam"]).bytes == none.bytes)
  }

  /// Lisbon in ``TestPlaces``.
  private static let lisbon = "2"

  @Test func `a link to a place names it, with a picture of the devices there`() throws {
    let page = app.get("/", ["place": Self.lisbon, "lang": "pt"]).text
    #expect(property("og:title", of: page) == "Aparelhos ligados em Lisboa – Farol")
    #expect(property("og:url", of: page) == "\(TestApp.address)/?place=\(Self.lisbon)")
    let path = "/api/cards/places/\(Self.lisbon).png"
    #expect(property("og:image", of: page)?.hasPrefix(TestApp.address + path) == true)
    let none = try picture(of: page)
    #expect(none.status == .ok)
    #expect(size(none.bytes) == [ShareTags.width, ShareTags.height])
    _ = try app.device(.alpr, longitude: -8.9, latitude: 38.7)
    #expect(try picture(of: page).bytes == none.bytes, "one step outside its box")
    _ = try app.device(.alpr, longitude: -9.0, latitude: 38.7)
    #expect(try picture(of: page).bytes != none.bytes, "on the edge of its box")
  }

  @Test func `the card of a mapping day shows its area and the devices around it`() throws {
    let ana = try app.account("ana")
    func card(_ id: String) -> TestAnswer { app.get("/api/cards/mapping-days/\(id).png") }
    let id = try app.day(of: ana)
    let empty = card(id)
    #expect(empty.status == .ok)
    #expect(size(empty.bytes) == [ShareTags.width, ShareTags.height])
    _ = try app.device(.alpr, longitude: 6.5, latitude: 46.5)
    let one = card(id)
    #expect(one.bytes != empty.bytes)
    _ = try app.device(.alpr, longitude: 6.6, latitude: 46.5)
    #expect(card(id).bytes == one.bytes, "far from the area")
    // The same words about another area.
    let moved = JSONValue.object([
      "type": "polygon",
      "coordinates": [[[6.48, 46.48], [6.52, 46.48], [6.5, 46.52], [6.48, 46.48]]],
    ])
    #expect(card(try app.day(of: ana, .approved, ["area": moved])).bytes != one.bytes)
    let met = try app.day(
      of: ana, .approved, ["meeting_point": ["longitude": 6.5, "latitude": 46.49]])
    #expect(card(met).bytes != one.bytes)
  }

  @Test func `the map of a card has the area in its middle and coasts from the map of countries`()
    throws
  {
    let area = "{\"coordinates\":[[[-9.5,38.6],[-9.3,38.6],[-9.3,38.8],[-9.5,38.8],[-9.5,38.6]]]}"
    let map = try #require(CardMap(area: area, meeting: nil, aspect: 1))
    #expect(map.area.count == 5)
    for corner in map.area {
      let place = map.place(of: corner)
      #expect((0.05...0.95).contains(place.x) && (0.05...0.95).contains(place.y))
    }
    let middle = map.place(of: .clamped(longitude: -9.4, latitude: 38.7))
    #expect(abs(middle.x - 0.5) < 0.01 && abs(middle.y - 0.5) < 0.01)
    let file = Repository.root.appendingPathComponent("data/countries.bin")
    let countries = try CountryMap([UInt8](Data(contentsOf: file)))
    let panel = Rectangle(x: 0, y: 0, width: 300, height: 300)
    let land = map.land(countries, in: panel)
    let share = land.reduce(0) { $0 + $1.width * $1.height } / 90_000
    // The Atlantic is in the west, Sintra in the east.
    #expect((0.3...0.8).contains(share), "\(share)")
    #expect(land.contains { $0.right > 299 } && !land.contains { $0.x < 1 })
    #expect(map.land(nil, in: panel) == [panel])
    #expect(CardMap(area: "no polygon", meeting: nil, aspect: 1) == nil)
  }

  @Test func `devices that are not public have no card`() throws {
    let device = try app.device(name: "Secret")
    try app.hide(device)
    let card = app.get("/api/cards/devices/\(device.id).png")
    #expect(card.status == .notFound)
    let page = app.get("/", ["device": device.id]).text
    #expect(!page.contains("Secret") && !page.contains(device.id))
    #expect(app.get("/api/cards/places/0.png").status == .notFound)
    #expect(app.get("/api/cards/places/x.png").status == .notFound)
  }

  @Test(arguments: [
    "/api/cards/statistics.png?category=nothing", "/api/cards/statistics.png?bbox=1",
    "/api/cards/statistics.png?lang=fr", "/api/cards/statistics.png?group_by=country",
  ])
  func `invalid selections are refused`(target: String) {
    #expect(app.send(target: target).status == .badRequest)
  }

  @Test func `new pictures are limited per network, known ones are not`() throws {
    func ask(_ number: Int, from address: String) -> Status {
      app.send(
        .get, "/api/cards/statistics.png", ["q": "word\(number)"], from: address
      ).status
    }
    // No device has these words, so all requests need the same picture.
    for number in 0...DrawingService.maximum + 5 {
      #expect(ask(number, from: "192.0.2.1") == .ok, "\(number)")
    }
    for number in 0..<DrawingService.maximum {
      let device = try app.device(name: "Gate \(number)")
      let path = "/api/cards/devices/\(device.id).png"
      let status = app.send(.get, path, from: "192.0.2.9").status
      #expect(status == .ok, "\(number)")
    }
    let last = try app.device(name: "One more")
    let path = "/api/cards/devices/\(last.id).png"
    #expect(app.send(.get, path, from: "192.0.2.9").status == .tooManyRequests)
    #expect(app.send(.get, path, from: "192.0.2.10").status == .ok)
    #expect(app.send(.get, path, from: "192.0.2.9").status == .ok, "known by now")
  }

  @Test func `a title of any length and script becomes a picture`() throws {
    for name in [
      String(repeating: "M", count: 120), "مركز المدينة", "監視カメラ 東京", "🦀", "\u{202E}abc",
    ] {
      let device = try app.device(name: name)
      let card = app.get("/api/cards/devices/\(device.id).png")
      #expect(card.status == .ok)
      #expect(size(card.bytes) == [1_200, 630])
    }
  }
}
