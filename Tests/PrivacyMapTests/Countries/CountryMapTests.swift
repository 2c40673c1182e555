import Foundation
import PrivacyMap
import Testing

/// The map of countries made at set-up, tested at places that are easy to check.
@Suite struct CountryMapTests {
  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("data/countries.bin")

  static let map = Result { try CountryMap([UInt8](Data(contentsOf: file))) }

  private func look(_ longitude: Double, _ latitude: Double) throws -> CountryMap.Answer {
    try Self.map.get().country(at: Coordinate(longitude: longitude, latitude: latitude))
  }

  /// A place and the expected result.
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    let longitude, latitude: Double
    let country: String?
    let isUncertain: Bool
    var testDescription: String { name }

    init(
      _ name: String, _ longitude: Double, _ latitude: Double, _ country: String?,
      uncertain: Bool = false
    ) {
      (self.name, self.longitude, self.latitude) = (name, longitude, latitude)
      (self.country, isUncertain) = (country, uncertain)
    }
  }

  @Test(
    arguments: [
      Place("Strasbourg, the minster", 7.7508, 48.5819, "FR", uncertain: true),
      Place("Kehl, the station", 7.8085, 48.5762, "DE", uncertain: true),
      Place("Basel, the minster", 7.5924, 47.5565, "CH", uncertain: true),
      Place("Weil am Rhein", 7.6200, 47.5940, "DE", uncertain: true),
      Place("Saint-Louis", 7.5600, 47.5880, "FR", uncertain: true),
      Place("Elvas", -7.1630, 38.8806, "PT"),
      Place("Caia, west of the river", -7.0420, 38.8830, "PT", uncertain: true),
      Place("Badajoz", -6.9707, 38.8786, "ES"),
      Place("Valença", -8.6400, 42.0270, "PT", uncertain: true),
      Place("Tui", -8.6450, 42.0470, "ES", uncertain: true),
      Place("Konstanz", 9.1750, 47.6633, "DE", uncertain: true),
      Place("Kreuzlingen", 9.1750, 47.6450, "CH", uncertain: true),
      Place("San Diego, San Ysidro", -117.0430, 32.5520, "US", uncertain: true),
      Place("Tijuana", -117.0382, 32.5149, "MX", uncertain: true),
      Place("Narva", 28.1903, 59.3772, "EE", uncertain: true),
      Place("Ivangorod", 28.2190, 59.3740, "RU", uncertain: true),
      Place("Görlitz", 14.9870, 51.1526, "DE", uncertain: true),
      Place("Zgorzelec", 15.0060, 51.1500, "PL", uncertain: true),
      Place("Newry", -6.3370, 54.1760, "GB"),
      Place("Dundalk", -6.4160, 54.0010, "IE", uncertain: true),
      Place("Hong Kong, Sheung Shui", 114.1280, 22.5010, "HK", uncertain: true),
      Place("Shenzhen, Luohu", 114.1190, 22.5400, "CN", uncertain: true),
    ])
  func `places on the two sides of a border have different countries`(place: Place) throws {
    let found = try look(place.longitude, place.latitude)
    #expect(found.country == place.country)
    #expect(found.isUncertain == place.isUncertain)
  }

  @Test(
    arguments: [
      Place("Vatican, Saint Peter's", 12.4539, 41.9022, "VA", uncertain: true),
      Place("Rome, Castel Sant'Angelo", 12.4663, 41.9031, "IT", uncertain: true),
      Place("San Marino", 12.4473, 43.9360, "SM", uncertain: true),
      Place("Monaco, the casino", 7.4286, 43.7392, "MC", uncertain: true),
      Place("Beausoleil", 7.4230, 43.7440, "FR", uncertain: true),
      Place("Maseru", 27.4850, -29.3150, "LS", uncertain: true),
      Place("Lesotho, the highlands", 28.2500, -29.5500, "LS"),
      Place("Llívia", 1.9810, 42.4640, "ES", uncertain: true),
      Place("Büsingen", 8.6900, 47.6970, "DE", uncertain: true),
      Place("Campione d'Italia", 8.9710, 45.9690, "IT", uncertain: true),
      Place("Gibraltar", -5.3536, 36.1408, "GI", uncertain: true),
      Place("La Línea", -5.3480, 36.1680, "ES", uncertain: true),
      Place("Ceuta", -5.3170, 35.8890, "ES", uncertain: true),
      Place("Fnideq", -5.3570, 35.8480, "MA", uncertain: true),
      Place("Melilla", -2.9381, 35.2923, "ES", uncertain: true),
      Place("Andorra la Vella", 1.5218, 42.5063, "AD", uncertain: false),
      Place("Vaduz", 9.5215, 47.1410, "LI", uncertain: true),
    ])
  func `small countries and enclaves are found`(place: Place) throws {
    let found = try look(place.longitude, place.latitude)
    #expect(found.country == place.country)
    if place.isUncertain { #expect(found.isUncertain) }
  }

  @Test(
    arguments: [
      Place("Corvo", -31.1130, 39.6720, "PT", uncertain: true),
      Place("Funchal", -16.9100, 32.6500, "PT", uncertain: true),
      Place("Berlenga", -9.5090, 39.4150, "PT", uncertain: true),
      Place("Lisbon, Rossio", -9.1390, 38.7139, "PT", uncertain: true),
      Place("Lisbon, the pier of Cacilhas, over water", -9.1500, 38.6900, "PT", uncertain: true),
      Place("Brighton, the pier's end", -0.1367, 50.8147, "GB", uncertain: true),
      Place("Heligoland", 7.8890, 54.1820, "DE", uncertain: true),
      Place("Réunion, the middle", 55.4800, -21.1200, "RE"),
      Place("Puerto Rico, the middle", -66.4000, 18.2200, "PR"),
      Place("Torshavn", -6.7720, 62.0110, "FO", uncertain: true),
      Place("Nuuk", -51.7360, 64.1750, "GL", uncertain: true),
      Place("Longyearbyen", 15.6350, 78.2200, "SJ", uncertain: true),
      Place("Mariehamn", 19.9440, 60.0970, "AX", uncertain: true),
      Place("Sint Maarten, Philipsburg", -63.0470, 18.0260, "SX", uncertain: true),
      Place("Saint-Martin, Marigot", -63.0830, 18.0680, "MF", uncertain: true),
      Place("The sea 10 km off Cascais", -9.5500, 38.6500, "PT", uncertain: true),
      Place("The middle of the Atlantic", -40.0, 30.0, nil),
      Place("The middle of the Pacific", -150.0, -40.0, nil),
    ])
  func `islands, piers and the sea are assigned correctly`(place: Place) throws {
    let found = try look(place.longitude, place.latitude)
    #expect(found.country == place.country)
    #expect(found.isUncertain == place.isUncertain)
  }

  @Test(
    arguments: [
      Place("Coruche", -8.5, 39.0, "PT"), Place("Madrid", -3.7038, 40.4168, "ES"),
      Place("Munich", 11.5755, 48.1374, "DE"),
      Place("Prishtina", 21.1655, 42.6629, "XK", uncertain: true),
      Place("Prizren, near Albania", 20.7397, 42.2139, "XK", uncertain: true),
      Place("Belgrade", 20.4612, 44.8125, "RS"), Place("Niš", 21.8958, 43.3209, "RS"),
      Place("Kukës, Albania", 20.4210, 42.0770, "AL"),
      Place("Crimea, Simferopol", 34.1008, 44.9572, "UA", uncertain: true),
      Place("Northern Cyprus", 33.5000, 35.2800, "CY", uncertain: true),
      Place("Western Sahara", -13.0, 25.0, "EH", uncertain: true),
      Place("Srinagar", 74.7973, 34.0837, "IN", uncertain: true),
      Place("Taipei county", 121.45, 24.75, "TW"),
      Place("Chukotka, west of 180°", 179.9, 67.0, "RU"),
      Place("Chukotka, east of 180°", -179.9, 67.0, "RU"),
      Place("Chukotka, at 180°", 180, 67.0, "RU"), Place("Chukotka, at −180°", -180, 67.0, "RU"),
      Place("Taveuni, Fiji, east of 180°", -179.97, -16.85, "FJ"),
      Place("The North Pole", 0, 90, nil), Place("The South Pole", 0, -90, "AQ"),
      Place("The South Pole, at 180°", 180, -90, "AQ"), Place("Antarctica", 90, -75, "AQ"),
    ])
  func `interiors, disputed areas, antimeridian and poles are correct`(place: Place) throws {
    let found = try look(place.longitude, place.latitude)
    #expect(found.country == place.country)
    #expect(found.isUncertain == place.isUncertain)
  }

  @Test(arguments: [
    (11.5755, 48.1374, "DE-BY"), (13.4050, 52.5200, "DE-BE"), (13.0645, 52.3906, "DE-BB"),
    (9.9937, 53.5511, "DE-HH"), (8.6821, 50.1109, "DE-HE"), (7.8500, 47.9950, "DE-BW"),
    (8.5833, 53.5396, "DE-HB"), (6.9969, 49.2402, "DE-SL"), (13.7373, 51.0504, "DE-SN"),
  ])
  func `the states of Germany are found`(longitude: Double, latitude: Double, state: String) throws
  {
    #expect(try look(longitude, latitude).state == state)
  }

  @Test func `only places in Germany have a state`() throws {
    #expect(try look(7.7508, 48.5819).state == nil)
  }

  @Test(
    arguments: [
      (8.7509, 47.6908, ["CH", "DE"]), (9.5, 47.27, ["AT", "CH", "LI"]), (13.4050, 52.5200, ["DE"]),
      (-9.2, 38.7, ["PT"]), (-30, 30, []),
    ] as [(Double, Double, [String])])
  func `the countries near a point are those on both sides of each border nearby`(
    longitude: Double, latitude: Double, countries: [String]
  ) throws {
    let point = try Coordinate(longitude: longitude, latitude: latitude)
    #expect(try Self.map.get().countries(near: point) == countries)
  }

  @Test func `the country is uncertain within five kilometres of its border`() throws {
    // East of Elvas the border is the Caia, at about 7.03° west.
    func isUncertain(_ longitude: Double) throws -> Bool {
      try look(longitude, 38.90).isUncertain
    }
    let border = try #require(
      stride(from: -7.2, to: -6.9, by: 0.0005).first { try look($0, 38.90).country == "ES" })
    let degree = 111.195 * cos(38.9 * .pi / 180)
    #expect(try isUncertain(border - 0.5 / degree))
    #expect(try !isUncertain(border - 12 / degree))
    #expect(try !isUncertain(border + 12 / degree))
  }

  @Test func `every country with a legal rule is on the map`() throws {
    let codes = try Self.map.get().codes
    let law = [
      "AT", "AX", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GF", "GP",
      "GR",
      "HR", "HU", "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MF", "MQ", "MT", "NL", "NO", "PL",
      "PT",
      "RE", "RO", "SE", "SI", "SK", "YT",
    ]
    #expect(law.filter { !codes.contains($0) } == [])
  }

  @Test func `a truncated, changed or foreign file is refused`() throws {
    let whole = [UInt8](try Data(contentsOf: Self.file))
    for file in [[], Array("farol-countries 1\n".utf8), Array(whole.dropLast(1)), whole + [0]] {
      #expect(throws: CountryMap.InvalidFile.self) { try CountryMap(file) }
    }
    var foreign = whole
    foreign[0] = UInt8(ascii: "F")
    #expect(throws: CountryMap.InvalidFile.self) { try CountryMap(foreign) }
    var wild = whole
    // The last record: its areas and counts point outside the file.
    for place in (whole.count - 4_000)..<whole.count { wild[place] = 0x7F }
    #expect(throws: CountryMap.InvalidFile.self) { try CountryMap(wild) }
  }
}
