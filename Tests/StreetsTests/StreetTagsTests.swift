import Testing

@testable import Streets

@Suite struct StreetTagsTests {
  /// The flags of modes as letters: `w` walking, `r` wheelchair, `c` cycling and `d` driving forward, and in capitals
  /// backward.
  private func modes(_ tags: [String: String]) -> String {
    let flags = StreetTags(tags).street?.flags ?? 0
    return "wWrRcCdD".enumerated().filter { flags & 1 << UInt16($0.offset) != 0 }
      .map { String($0.element) }.joined()
  }

  @Test(arguments: [
    (["highway": "residential"], "wWrRcCdD"),
    (["highway": "motorway"], "d"),
    (["highway": "motorway_link"], "d"),
    (["highway": "trunk"], "cCdD"),
    (["highway": "footway"], "wWrR"),
    (["highway": "footway", "bicycle": "yes"], "wWrRcC"),
    (["highway": "footway", "access": "yes"], "wWrR"),
    (["highway": "pedestrian", "motor_vehicle": "yes"], "wWrRdD"),
    (["highway": "cycleway"], "wWrRcC"),
    (["highway": "path"], "wWcC"),
    (["highway": "path", "surface": "asphalt"], "wWrRcC"),
    (["highway": "path", "motor_vehicle": "yes"], "wWcC"),
    (["highway": "track"], "wWcC"),
    (["highway": "steps"], "wW"),
    (["highway": "steps", "ramp:wheelchair": "yes"], "wWrR"),
    (["highway": "steps", "ramp:bicycle": "yes"], "wWcC"),
    (["highway": "service", "access": "private"], ""),
    (["highway": "service", "access": "private", "foot": "yes"], "wWrR"),
    (["highway": "residential", "motor_vehicle": "destination"], "wWrRcCdD"),
    (["highway": "primary", "motorroad": "yes"], "dD"),
    (["highway": "construction"], ""),
    (["building": "yes"], ""),
  ])
  func `the kind of a street and its access decide who may use it`(
    _ tags: [String: String], _ expected: String
  ) {
    #expect(modes(tags) == expected)
  }

  @Test(arguments: [
    (["oneway": "yes"], "wWrRcd"),
    (["oneway": "-1"], "wWrRCD"),
    (["oneway": "yes", "oneway:bicycle": "no"], "wWrRcCd"),
    (["oneway": "yes", "cycleway:left": "opposite_lane"], "wWrRcCd"),
    (["oneway": "reversible"], "wWrRcC"),
    (["junction": "roundabout"], "wWrRcd"),
    (["oneway:foot": "yes"], "wrcCdD"),
  ])
  func `one-way streets are those of their vehicles`(_ tags: [String: String], _ expected: String) {
    #expect(modes(tags.merging(["highway": "tertiary"]) { own, _ in own }) == expected)
  }

  @Test(arguments: [
    (["surface": "cobblestone"], false), (["smoothness": "bad"], false),
    (["incline": "12%"], false), (["incline": "-9 %"], false), (["incline": "6%"], true),
    (["incline": "up"], true), (["width": "0.8"], false), (["width": "2"], true),
    (["kerb": "raised"], false), (["wheelchair": "no"], false),
    (["wheelchair": "yes", "surface": "gravel"], true), (["surface": "asphalt"], true),
  ])
  func `wheelchairs need an even and wide way without a kerb`(
    _ tags: [String: String], _ isUsable: Bool
  ) {
    let found = modes(tags.merging(["highway": "footway"]) { own, _ in own })
    #expect(found == (isUsable ? "wWrR" : "wW"))
  }

  @Test(arguments: [
    ("50", 50), ("30 mph", 48), ("walk", 7), ("none", 130), ("DE:urban", 50), ("fast", 30),
    ("0", 30), ("99999999999999999999", 200), ("", 30),
  ])
  func `a speed limit is read in its unit`(_ text: String, _ speed: UInt8) {
    let street = StreetTags(["highway": "residential", "maxspeed": text]).street
    #expect(street?.speed == speed)
  }

  @Test(arguments: [
    ("level", "1;2", 1), ("level", "-0.5", -1), ("layer", "-2", -2), ("layer", "inf", 0),
    ("level", "1e9", 99), ("layer", "bridge", 0),
  ])
  func `a level is a small number`(_ key: String, _ text: String, _ level: Int8) {
    #expect(StreetTags(["highway": "steps", key: text]).street?.level == level)
  }

  @Test func `tunnels, bridges, roundabouts and crossings are marked`() {
    let tags = ["highway": "footway", "footway": "crossing", "bridge": "yes", "tunnel": "no"]
    let flags = StreetTags(tags).street?.flags ?? 0
    #expect(flags & Street.crossing != 0)
    #expect(flags & Street.bridge != 0)
    #expect(flags & Street.tunnel == 0)
    #expect(flags >> 8 & 15 == UInt16(StreetKind.footway.rawValue))
  }

  @Test func `a long name is cut between characters`() {
    let name = String(repeating: "ß", count: 600)
    let street = StreetTags(["highway": "path", "name": name]).street
    #expect(street?.name.utf8.count == GraphLimits.nameBytes)
  }

  @Test(
    arguments: [
      (["barrier": "bollard"], 0b1100_0000), (["barrier": "gate"], 0),
      (["barrier": "gate", "access": "private"], 0b1111_1111),
      (["barrier": "stile"], 0b1111_1100), (["barrier": "kerb", "kerb": "raised"], 0b0000_1100),
      (["kerb": "lowered"], 0), (["barrier": "bollard", "motor_vehicle": "yes"], 0),
      (["barrier": "kissing_gate", "wheelchair": "yes", "bicycle": "yes"], 0b1100_0000),
    ] as [([String: String], UInt16)])
  func `a barrier closes a street for some modes`(_ tags: [String: String], _ closed: UInt16) {
    #expect(StreetTags(tags).closedModes == closed)
  }

  @Test func `a turned street has its directions exchanged`() {
    #expect(Street.turned(0b1000_0001_0110_1101) == 0b1000_0001_1001_1110)
  }
}
