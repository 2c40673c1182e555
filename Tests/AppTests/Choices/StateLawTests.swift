import JSON
import PrivacyMap
@testable import Rights
import Testing
import WebServer

/// The law of the United States, which differs by state, and of Switzerland.
@Suite struct StateLawTests {
  private let app: TestApp

  /// Towns around the line between Texas and Oklahoma, in the middle of California, and on both sides of
  /// the Rhine.
  private static let towns: [TestPlaces.Town] = [
    ("Denison", "Texas", "US", -96.54, 33.76), ("Sherman", "Texas", "US", -96.61, 33.64),
    ("Colbert", "Oklahoma", "US", -96.50, 33.85), ("Fresno", "California", "US", -119.77, 36.75),
    ("Clovis", "California", "US", -119.70, 36.83), ("Madera", "California", "US", -120.06, 36.96),
    ("Sanger", "California", "US", -119.56, 36.71), ("Selma", "California", "US", -119.61, 36.57),
    ("Parlier", "California", "US", -119.53, 36.61),
    ("Diessenhofen", "Thurgau", "CH", 8.74958, 47.68908),
    ("Gailingen", "Baden-Württemberg", "DE", 8.75567, 47.69711),
    ("Lausanne", "Vaud", "CH", 6.63, 46.52), ("Lugano", "Ticino", "CH", 8.95, 46.01),
  ]

  init() throws {
    app = try TestApp { folder in
      try TestFolder.linkCountries(folder)
      try TestPlaces.make(in: folder, adding: Self.towns)
    }
  }

  private func device(
    _ longitude: Double, _ latitude: Double, of kind: Operator.Kind? = nil
  ) throws -> String {
    try app.device(.alpr, longitude: longitude, latitude: latitude) { fields in
      fields.answersFor = kind.map { Operator(name: "Somebody", kind: $0) }
    }.id
  }

  private func law(_ device: String, _ query: TestApp.Parameters = [:]) throws -> JSONValue {
    try #require(try app.get(Path.item(device) + "/choices", query).json["rights"])
  }

  private func codes(_ law: JSONValue) -> [String] {
    (law["rights"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
  }

  @Test func `where all towns around are in one state, the law is that of the state`() throws {
    let found = try law(try device(-119.75, 36.8))
    #expect(found["regime"] == "us-ca" && found["region"] == "US-CA")
    #expect(found["region_uncertain"] == false && found["regions"] == [])
    #expect(found["authority"]?["name"] == "Attorney General of California")
    #expect(found["label"] == "law of California" && found["letter_language"] == "en")
    #expect(try law(try device(-119.75, 36.8), ["region": "US-TX"])["region"] == "US-CA")
  }

  @Test func `near a state line the person may state the other state`() throws {
    let id = try device(-96.53, 33.8)
    let found = try law(id)
    #expect(found["region"] == "US-TX" && found["region_uncertain"] == true)
    #expect(found["regions"]?.arrayValue?.count == 51)
    #expect(try law(id, ["region": "US-OK"])["regime"] == "us-ok")
    #expect(try law(id, ["region": "US-ZZ"])["regime"] == "us-tx")
    #expect(app.get(Path.item(id) + "/choices", ["region": "texas"]).status == .badRequest)
  }

  @Test func `far from any town no state is assumed`() throws {
    let id = try device(-110, 40)
    #expect(try law(id)["regime"] == .null && law(id)["region_uncertain"] == true)
    #expect(try law(id, ["region": "US-UT"])["regime"] == "us-ut")
  }

  @Test
  func `records are requested from public bodies, and rights under a privacy act from companies`()
    throws
  {
    let own = ["access", "rectify", "erase", "object"]
    #expect(codes(try law(try device(-119.75, 36.8, of: .public))) == ["records"])
    #expect(codes(try law(try device(-119.75, 36.8, of: .company))) == own)
    #expect(codes(try law(try device(-119.75, 36.8))) == own + ["records"])
    // Oklahoma has no privacy act.
    let line = try device(-96.53, 33.8)
    #expect(codes(try law(line, ["region": "US-OK"])) == ["records"])
  }

  @Test func `notes about plate readers are shown for plate readers only`() throws {
    func notes(_ id: String) throws -> [String] {
      (try law(id)["limits"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
    }
    #expect(try notes(try device(-119.75, 36.8)) == ["readers", "exempt"])
    let camera = try app.device(longitude: -119.75, latitude: 36.8).id
    #expect(try notes(camera) == ["exempt"])
  }

  @Test func `a public records request cites the act of the state and its time`() throws {
    let id = try device(-119.75, 36.8, of: .public)
    let letter = try app.get("/api/letters", ["device": id, "kind": "records", "lang": "en"]).json
    let body = try #require(letter["body"]?.stringValue)
    #expect(
      body.contains("Under the California Public Records Act (Cal. Gov. Code § 7920.000 et seq.)"))
    #expect(body.contains("within 10 days of receiving this letter (Cal. Gov. Code § 7922.535(a))"))
    #expect(letter["languages"] == ["en", "pt"] && letter["missing"] == [])
    let company = try device(-119.75, 36.8, of: .company)
    let refused = app.get("/api/letters", ["device": company, "kind": "records"])
    #expect(refused.status == .unprocessableContent)
  }

  @Test func `an opt-out needs no reason, and its ledger has the time of the act`() throws {
    let ana = try app.account()
    let id = try app.choice(
      of: ana, about: try device(-96.53, 33.8, of: .company), "object", ["region": "US-TX"])
    let choice = try app.get("/api/choices/\(id)", as: ana.identity).json
    #expect(choice["regime"] == "us-tx" && choice["letter"] == "opt_out")
    #expect(choice["deadline"] == ["first": "P45D", "extension": "P45D", "basis": "statutory"])
    let letter = try app.get("/api/choices/\(id)/letter", as: ana.identity).json
    #expect(letter["fields"]?.arrayValue?.contains { $0["placeholder"] == "reason" } == false)
  }

  @Test func `business days count as whole weeks and three days more`() throws {
    func first(_ state: String) throws -> String? {
      let id = try device(-110, 40, of: .public)
      let rights = try law(id, ["region": state])["rights"]
      return rights?.arrayValue?.first?["deadline"]?.stringValue
    }
    #expect(try first("US-GA") == "P10D")  // 3 business days
    #expect(try first("US-IL") == "P10D")  // 5
    #expect(try first("US-NJ") == "P17D")  // 7
    #expect(try first("US-WY") == "P30D")  // 30 days
    #expect(try first("US-NC") == "P1M")  // as promptly as possible
  }

  @Test func `near the Rhine the person chooses between the two countries, and the place agrees`()
    throws
  {
    let id = try device(8.7509, 47.6908)
    let found = try law(id)
    #expect(found["country_uncertain"] == true && found["countries"] == ["DE", "CH"])
    let swiss = try law(id, ["country": "CH"])
    #expect(swiss["regime"] == "ch-fadp" && swiss["authority"]?["code"] == "chedoeb")
    func place(_ country: String) throws -> String {
      let letter = try app.get(
        "/api/letters", ["device": id, "kind": "access", "lang": "de", "country": country]
      ).json
      let lines = letter["body"]?.stringValue?.split(separator: "\n") ?? []
      return lines.first { $0.hasPrefix("Ort: ") }.map(String.init) ?? ""
    }
    #expect(try place("DE").hasPrefix("Ort: bei Gailingen, Deutschland ("))
    #expect(try place("CH").hasPrefix("Ort: bei Diessenhofen, Schweiz ("))
  }

  @Test(
    arguments: [
      (8.7509, 47.6908, "CH", "de"), (6.63, 46.52, nil, "fr"), (8.95, 46.01, "CH", "it"),
      (8.7509, 47.6908, "DE", "de"), (-8.5, 39.0, nil, "pt"), (2.35, 48.85, nil, "fr"),
      (12.5, 41.9, nil, "it"), (-3.7038, 40.4168, nil, "es"), (18.06, 59.33, nil, "en"),
    ] as [(Double, Double, String?, String)])
  func `a letter is written in the language of the authority, unless the person chooses another`(
    longitude: Double, latitude: Double, country: String?, language: String
  ) throws {
    let id = try device(longitude, latitude)
    let query: TestApp.Parameters = country.map { ["country": $0] } ?? [:]
    #expect(try law(id, query)["letter_language"]?.stringValue == language)
    let ana = try app.account("ana")
    var place: JSONObject = [:]
    if let country { place["country"] = .string(country) }
    let choice = try app.choice(of: ana, about: id, "access", .object(place))
    let kept = try app.get("/api/choices/\(choice)", as: ana.identity).json
    #expect(kept["language"]?.stringValue == language)
    place["language"] = "en"
    let english = try app.choice(of: ana, about: id, "erase", .object(place))
    #expect(try app.get("/api/choices/\(english)", as: ana.identity).json["language"] == "en")
  }

  @Test func `a letter in French has French words, and reasons in French`() throws {
    let id = try device(6.63, 46.52)
    let letter = try app.get(
      "/api/letters",
      [
        "device": id, "kind": "access", "which": "complain", "state": "refused", "lang": "fr",
      ]
    ).json
    let body = try #require(letter["body"]?.stringValue)
    #expect(body.contains("Appareil : "))
    #expect(body.contains("(Lecteur de plaques d’immatriculation)"))
    #expect(body.contains("(Droit d’accès, article 25 LPD)"))
    #expect(letter["reasons"]?["no_data"] == "Nous n’avons pas de données vous concernant")
    #expect(letter["help"]?["register"]?["name"] == "Zefix")
    let spanish = app.get("/api/letters", ["device": id, "kind": "access", "lang": "es"])
    #expect(spanish.status == .conflict)
  }

  @Test func `a language without letters under this law is refused`() throws {
    let ana = try app.account()
    let id = try app.choice(of: ana, about: try device(6.63, 46.52), "access", [:])
    func change(_ language: String) -> TestAnswer {
      app.send(
        .patch, "/api/choices/\(id)", json: ["language": .string(language)], as: ana.identity)
    }
    #expect(change("es").status == .badRequest)
    #expect(change("it").status == .ok)
  }
}
