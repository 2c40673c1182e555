@testable import App
import JSON
@testable import Operators
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The list of operators that devices name, and their pages.
@Suite struct NamedOperatorTests {
  let app: TestApp

  init() throws {
    app = try TestApp { try TestPlaces.make(in: $0) }
  }

  private func device(
    of name: String?, _ kind: Operator.Kind = .company, _ category: CategoryCode = .cameraFixed,
    longitude: Double = 8.55, latitude: Double = 47.37
  ) throws -> TestDevice {
    try app.device(category, longitude: longitude, latitude: latitude) { fields in
      fields.answersFor = name.map { Operator(name: $0, kind: kind) }
    }
  }

  private func list(_ query: TestApp.Parameters = [:]) throws -> JSONValue {
    let answer = app.get("/api/operators/named", query)
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json
  }

  private func names(_ query: TestApp.Parameters = [:]) throws -> [String] {
    try list(query)["operators"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
  }

  @Test func `spellings are one operator under the most frequent name`() throws {
    for name in ["Koko Chicken", "Koko Chicken", "KOKO  CHICKEN AG"] { _ = try device(of: name) }
    _ = try device(of: "Other", longitude: -9.13, latitude: 38.71)
    let found = try list()["operators"]
    #expect(found?.arrayValue?.count == 2)
    #expect(found?[0]?["name"] == "Koko Chicken" && found?[0]?["key"] == "koko-chicken")
    #expect(
      found?[0]?["devices"] == 3 && found?[0]?["towns"] == 1 && found?[0]?["kind"] == "company")
    for spelling in ["koko-chicken", "Koko%20Chicken%20AG", "KOKO%20CHICKEN"] {
      let one = app.get("/api/operators/named/\(spelling)")
      #expect(try one.json["key"] == "koko-chicken", "\(spelling)")
      #expect(try one.json["spellings"]?.arrayValue?.count == 2)
      #expect(try one.json["most_towns"]?[0]?["name"] == "Zürich")
      #expect(app.get("/operators/named/\(spelling)").status == .ok)
    }
    #expect(app.get("/api/operators/named/nobody").status == .notFound)
    #expect(app.get("/operators/named/nobody").status == .notFound)
  }

  @Test func `a name on a household device is never listed`() throws {
    _ = try device(of: "João Silva", .unknown, .doorbell)
    #expect(try names() == [])
    #expect(app.get("/api/operators/named/joao-silva").status == .notFound)
    #expect(app.get("/operators/named/João%20Silva").status == .notFound)
    // Nor in figures, which place pages show, alone or with another property.
    for property in ["operator", "operator,category", "category,operator"] {
      for format in ["json", "csv"] {
        let figures = app.get("/api/statistics", ["group_by": property, "f": format])
        #expect(figures.status == .ok && !figures.text.contains("Silva"), "\(property) \(format)")
      }
    }
    let groups = try app.get("/api/statistics", ["group_by": "operator"]).json["groups"]
    #expect(groups?.arrayValue?.count == 1 && groups?[0]?["count"] == 1)
    let town = app.get("/places/5")
    #expect(town.status == .ok && !town.text.contains("Silva"))
    let totals = try list()["devices"]
    #expect(totals?["total"] == 1 && totals?["named"] == 0 && totals?["unlisted"] == 1)
    // It does not count for the same name elsewhere either.
    _ = try device(of: "Joao Silva", .company)
    let one = try list()["operators"]?[0]
    #expect(one?["devices"] == 1)
    #expect(
      try app.get("/api/operators/named/joao-silva").json["categories"]?.arrayValue?.count == 1)
    #expect(!app.get("/sitemaps/operators-0.xml").text.contains("doorbell"))
  }

  @Test func `every household category is excluded, and no other`() throws {
    let vocabulary = app.vocabulary
    for (place, category) in vocabulary.categories.enumerated() {
      _ = try device(of: "Name \(place)", .unknown, CategoryCode(rawValue: category.code))
    }
    let listed = Set(try names(["limit": "100"]))
    for (place, category) in vocabulary.categories.enumerated() {
      #expect(listed.contains("Name \(place)") == !category.isHousehold, "\(category.code)")
    }
  }

  @Test func `devices are counted as named, unlisted or unknown`() throws {
    _ = try device(of: "Koko")
    _ = try device(of: nil)
    _ = try device(of: nil)
    _ = try app.device { $0.answersFor = Operator(kind: .household) }
    _ = try app.device { $0.status = .removed }
    let totals = try list()["devices"]
    #expect(totals?["total"] == 4 && totals?["named"] == 1)
    #expect(totals?["unlisted"] == 1 && totals?["unknown"] == 2)
  }

  @Test func `lists by devices, towns and name have pages without gaps`() throws {
    for number in 0..<25 {
      for place in 0...number % 3 {
        _ = try device(
          of: "Operator \(number)", longitude: place == 0 ? 8.55 : -9.13,
          latitude: place == 0 ? 47.37 : 38.71)
      }
    }
    for order in ["devices", "towns", "name"] {
      var (found, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try list(
          cursor.map { ["order": order, "limit": "7", "cursor": $0] }
            ?? ["order": order, "limit": "7"])
        found += page["operators"]?.arrayValue?.compactMap { $0["key"]?.stringValue } ?? []
        cursor = page["next"]?.stringValue
      } while cursor != nil
      #expect(found.count == 25 && Set(found).count == 25, "\(order)")
    }
    let first = try list(["order": "devices"])
    let wrong = first["next"]?.stringValue ?? ""
    #expect(
      app.get("/api/operators/named", ["order": "towns", "cursor": wrong]).status == .badRequest)
    #expect(app.get("/api/operators/named", ["order": "size"]).status == .badRequest)
    #expect(try list(["order": "devices"])["operators"]?[0]?["devices"] == 3)
  }

  @Test(arguments: [Int.min, -1])
  func `a cursor with a number below zero is refused`(number: Int) throws {
    _ = try device(of: "Metro")
    let cursor = PageCursor(keys: ["devices", "\(number)", "metro"]).text
    #expect(app.get("/api/operators/named", ["cursor": cursor]).status == .badRequest)
  }

  @Test func `the search finds beginnings of words in any spelling`() throws {
    for name in ["Café Zürich GmbH", "Koko Chicken", "Polícia Municipal"] {
      _ = try device(of: name)
    }
    #expect(try names(["q": "zuri"]) == ["Café Zürich GmbH"])
    #expect(try names(["q": "GMBH cafe"]) == ["Café Zürich GmbH"])
    #expect(try names(["q": "policia"]) == ["Polícia Municipal"])
    #expect(try names(["q": "hicken"]) == [])
    #expect(try names(["q": "?"]) == [])
    #expect(try names(["q": " "]).count == 3)
  }

  @Test func `the page of an operator says what its devices collect`() throws {
    _ = try app.device(longitude: 8.55, latitude: 47.37) { fields in
      fields.answersFor = Operator(name: "Koko", kind: .company)
      fields.dataCollected = ["video"]
    }
    _ = try app.device(.microphone, longitude: 0, latitude: 0) { fields in
      fields.answersFor = Operator(name: "Koko", kind: .company)
    }
    let one = try app.get("/api/operators/named/koko").json
    #expect(one["data_collected"]?.arrayValue?.contains { $0["code"] == "video" } == true)
    #expect(one["data_unknown"] == 1 && one["without_town"] == 1 && one["retention_known"] == 0)
    #expect(one["categories"]?.arrayValue?.count == 2)
    #expect(one["bbox"]?.arrayValue?.count == 4 && one["registered"] == .null)
  }

  @Test func `a page follows the map, and its version changes with it`() throws {
    let known = try device(of: "Koko")
    let path = "/api/operators/named/koko"
    let tag = try #require(app.get(path).headers["ETag"])
    #expect(app.get(path, headers: ["If-None-Match": tag]).status == .notModified)
    try app.hide(known)
    #expect(app.get(path, headers: ["If-None-Match": tag]).status == .notFound)
    #expect(try names() == [])
  }

  @Test func `an approved organisation of the name is linked`() throws {
    let city = try app.approved("Koko Chicken AG")
    _ = try device(of: "Koko Chicken")
    #expect(try list()["operators"]?[0]?["registered"]?.stringValue == city.id)
  }

  @Test func `the site map lists organisations, and not single devices of unknown kind`() throws {
    _ = try device(of: "Koko & Söhne")
    _ = try device(of: "Max Muster", .unknown)
    #expect(app.get("/sitemap.xml").text.contains("/sitemaps/operators-0.xml"))
    let file = app.get("/sitemaps/operators-0.xml").text
    #expect(file.contains("/operators/named/koko-sohne</loc>"))
    #expect(!file.contains("muster"))
    #expect(app.get("/sitemaps/operators-x.xml").status == .notFound)
  }

  @Test func `the directory is that of a fresh count after random changes`() throws {
    var chance = SystemRandomNumberGenerator()
    let names = ["Koko", "KOKO AG", "Bela", "Bela Lda", "Ceu, S.A."]
    var devices: [TestDevice] = []
    for _ in 0..<60 {
      if devices.isEmpty || Bool.random(using: &chance) {
        devices.append(try device(of: names.randomElement(using: &chance)))
      } else if let one = devices.indices.randomElement(using: &chance) {
        try app.hide(devices.remove(at: one))
      }
      let counted = try app.database.read { connection in
        try connection.rows(
          """
          SELECT operator.name, count(*) FROM device
          JOIN operator ON operator.rowid = device.operator_rowid
          WHERE device.hidden = 0 GROUP BY operator.name
          """
        ) { ($0.text(0), $0.int(1)) }
      }
      var expected: [String: Int64] = [:]
      for (name, count) in counted {
        expected[String(name.lowercased().prefix { $0.isLetter }), default: 0] += count
      }
      var found: [String: Int64] = [:]
      for one in try list()["operators"]?.arrayValue ?? [] {
        found[one["key"]?.stringValue ?? ""] = one["devices"]?.intValue.map { Int64($0) }
      }
      #expect(found == expected)
    }
  }
}
