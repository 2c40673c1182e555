import Import
import JSON
import PrivacyMap
import Testing

@Suite struct OpenStreetMapListTests {
  let webcams: MappedList
  let switzerland: MappedList

  init() throws {
    webcams = try MappedList(shipped: "osm-webcams-world", fixture: "webcams.json")
    switzerland = try MappedList(
      shipped: "osm-surveillance-switzerland", fixture: "switzerland.json")
  }

  /// The device whose retained column has a value.
  private func device(_ list: MappedList, _ key: String, _ value: String) throws -> ImportedDevice {
    try #require(list.devices.first { $0.tags.contains(.init(key, value)) })
  }

  @Test func `no row is lost`() {
    for list in [webcams, switzerland] {
      #expect(list.counts.devices + list.counts.skipped + list.counts.refused == list.counts.rows)
    }
    #expect(webcams.counts.rows == 42)
    #expect(switzerland.counts.rows == 22)
  }

  @Test func `a device is identified by its element and version`() throws {
    let found = try #require(webcams.device("node/6267262125"))

    #expect(found.otherKeys.map(\.namespace) == ["osm"])
    #expect(found.otherKeys.map(\.key) == ["node/6267262125"])
    #expect(found.otherKeys.first?.version != nil)
    #expect(
      found.fields.name == "Webcam, دوربین و دزدگیر -قاضی"
        || found.fields.name == "دوربین و دزدگیر -قاضی")
  }

  @Test func `names keep flag emoji and all scripts`() {
    #expect(webcams.device("node/11889750706")?.fields.name.contains("🇳🇱") == true)
  }

  @Test func `a guard is a person, unless a camera is described`() throws {
    #expect(Set(webcams.refusals.map(\.reason.code)) == ["person"])
    #expect(webcams.refusals.count == 1)
    let camera = try device(switzerland, "surveillance", "guard")
    #expect(camera.notes.map(\.code).contains("perhaps_a_person"))
  }

  @Test func `a dummy camera is skipped as not a device, and stays findable`() throws {
    #expect(try device(switzerland, "surveillance", "fake").fields.status == .notADevice)
  }

  @Test func `tags become categories`() throws {
    #expect(try device(switzerland, "surveillance:type", "ALPR").fields.category == "alpr")
    #expect(
      try device(switzerland, "surveillance", "maxspeed").fields.category == "traffic_enforcement")
    #expect(
      try device(switzerland, "camera:mount", "doorbell").fields.category == "doorbell_camera")
    #expect(try device(switzerland, "camera:type", "panning").fields.category == "camera_ptz")
    #expect(try device(webcams, "man_made", "monitoring_station").fields.category == "environment")
    #expect(try device(webcams, "surveillance", "ANPR").fields.category == "alpr")
    #expect(try device(webcams, "surveillance", "webcan").fields.category == "webcam")
  }

  @Test func `several cameras in one node are counted`() throws {
    #expect(try device(switzerland, "camera:count", "3").fields.units == 3)
    #expect(try device(switzerland, "level", "-1").fields.level == "-1")
    #expect(try device(switzerland, "height", "2.5").fields.height == 2.5)
    #expect(try device(webcams, "height", "20 m").fields.height == 20)
  }

  @Test func `the position of ways and relations is their centre, approximately`() {
    let shapes = webcams.devices.filter { $0.sourceKey?.hasPrefix("node") == false }

    #expect(shapes.count == 4)
    #expect(shapes.allSatisfy { $0.isApproximate })
  }

  @Test func `a position that the mapper guessed is approximate`() throws {
    #expect(try device(webcams, "fixme", "position").isApproximate)
    #expect(try device(webcams, "note", "location estimated").isApproximate)
    #expect(try !device(webcams, "height", "20 m").isApproximate)
  }

  @Test func `the operator of a restaurant is not the operator of its camera`() throws {
    let found = try device(webcams, "amenity", "restaurant")

    #expect(found.fields.answersFor == nil)
    #expect(found.isApproximate)
    #expect(found.fields.name.hasPrefix("Webcam, "))
  }

  @Test func `no public text contains an address, a phone number or a feed`() throws {
    let publicTags = try PublicTags(seedFile("public-tags.json"))
    for device in webcams.devices + switzerland.devices {
      let fields = device.fields
      let texts =
        [
          fields.name, fields.description, fields.manufacturer, fields.model, fields.level,
          fields.answersFor?.name,
        ].compactMap { $0 } + publicTags.shown(device.tags).map(\.value)
        + device.notes.map(\.detail)
      for text in texts {
        #expect(!text.contains("example.org"))
        #expect(!text.contains("5550100"))
        #expect(!text.contains("://"))
      }
    }
  }

  @Test func `unmapped tags are kept for the export to OpenStreetMap`() throws {
    let found = try device(webcams, "amenity", "restaurant")

    #expect(found.tags.contains { $0.key == "opening_hours" })
    #expect(!found.tags.contains { ["user", "uid", "changeset"].contains($0.key) })
  }

  @Test func `line breaks become spaces in a name and stay in a description`() {
    for device in webcams.devices {
      #expect(!device.fields.name.contains { $0.isNewline })
      #expect(device.fields.name.unicodeScalars.count <= 120)
    }
  }

  @Test func `the OpenStreetMap tags of an exported category map back to it`() throws {
    let mapping = try seedMapping("osm")
    for term in try seedFile("taxonomies/categories.json")["terms"]?.arrayValue ?? [] {
      guard let tags = term["osm"]?["export"], tags.objectValue != nil else { continue }
      let element: JSONValue = [["type": "node", "id": 1, "lat": 1, "lon": 2, "tags": tags]]
      var writer = JSONWriter()
      writer.value(element)

      let list = try MappedList(mapping, ByteSource(bytes: writer.bytes))

      #expect(list.devices.first?.fields.category == term["code"]?.stringValue)
    }
  }
}

@Suite struct PlateReaderListTests {
  let list: MappedList

  init() throws {
    list = try MappedList(shipped: "us-alpr", fixture: "alpr.json")
  }

  private func device(_ column: String, _ value: String) throws -> ImportedDevice {
    let rows = try rows(ByteSource(path: fixture("alpr.json")), try seedMapping("us-alpr").reading)
    let row = try #require(rows.first { $0.columns[column]?.stringValue == value })
    return try #require(list.devices.first { $0.row == row.number })
  }

  @Test func `every row becomes a device`() {
    #expect(list.counts.rows == 40)
    #expect(list.counts.devices == 40)
    #expect(Set(list.devices.map(\.fields.category)) == ["alpr"])
  }

  @Test(arguments: ["Flock Safetu", "flock", "FLOCK SAFETY"])
  func `several spellings of one manufacturer become one manufacturer`(brand: String) throws {
    #expect(try device("brand", brand).fields.manufacturer == "Flock Safety")
  }

  @Test func `unknown manufacturers are left out, and two of a device are flagged`() throws {
    #expect(try device("brand", "Unkwn").fields.manufacturer == nil)
    #expect(try device("brand", "Flock Safety;Motorola Solutions").fields.manufacturer == nil)
    #expect(
      try device("brand", "Flock Safety;Motorola Solutions").notes.map(\.code) == ["by_value"])
  }

  @Test func `a manufacturer is not an operator`() throws {
    let found = try device("operator", "Flock Safety")

    #expect(found.fields.answersFor == nil)
    #expect(found.fields.manufacturer == "Flock Safety")
    #expect(found.notes.contains { $0.field == "operator" })
  }

  @Test func `two spellings of one shop become one operator`() throws {
    #expect(try device("operator", "Lowes").fields.answersFor?.name == "Lowe's")
    #expect(try device("operator", "Lowe's").fields.answersFor?.name == "Lowe's")
    #expect(try device("operator", "Lowes").fields.answersFor?.kind == .company)
    #expect(
      try device("operator", "San Diego Police Department").fields.answersFor?.kind == .public)
  }

  @Test func `directions come from the text column, never from the number`() throws {
    #expect(try device("directionCardinal", "338-23").fields.bearings == [0.5])
    #expect(try device("directionCardinal", "338-23").fields.fieldOfView == 45)
    #expect(try device("directionCardinal", "270230").fields.bearings == [])
    #expect(try device("directionCardinal", "270230").notes.map(\.code) == ["not_a_direction"])
    #expect(try device("directionCardinal", "70, 210, 300").fields.bearings == [70, 210, 300])
    #expect(try device("directionCardinal", "360").fields.bearings == [0])
    #expect(try device("directionCardinal", "null").notes.isEmpty)
  }

  @Test func `an impossible month is flagged, other dates are read`() throws {
    #expect(try device("startDate", "2025-15-10").notes.map(\.code) == ["impossible_date"])
    #expect(try device("startDate", "1923").notes.map(\.code) == ["too_early"])
    #expect(try device("startDate", "2015/04/11").fields.startedOn == "2015-04-11")
    #expect(try device("startDate", "2009-05").fields.startedOn == "2009-05")
  }

  @Test func `a long operator shortens the name, not the operator`() throws {
    let found = try #require(
      list.devices.first { ($0.fields.answersFor?.name?.count ?? 0) > 100 })

    #expect(found.fields.name.unicodeScalars.count == 120)
    #expect(found.notes.map(\.code) == ["too_long"])
  }
}

@Suite struct GenevaTableTests {
  @Test func `coordinates damaged by a spreadsheet are refused with the reason`() throws {
    let list = try MappedList(shipped: "osm-surveillance-switzerland-csv", fixture: "geneva.csv")

    #expect(list.counts.rows == 19)
    #expect(list.counts.devices == 0)
    #expect(list.counts.refused == 19)
    #expect(
      Set(list.refusals.map(\.reason.code)) == ["thousands_dots", "out_of_range", "no_coordinates"])
    #expect(list.refusals.first?.sourceKey == "node/929553249")
    #expect(list.refusals.first?.reason.detail.contains("61.418.784") == true)
  }

  @Test func `valid coordinates do not move a device that is already known`() throws {
    let csv = """
      type;id;Type of camera;tags_man_made;tags_camera:direction;Image URL;lat;lon\r
      Security camera;929553249;dome;surveillance;(empty);https://example.org/photo;46.2;6.14\r

      """
    let list = try MappedList(
      seedMapping("osm-surveillance-switzerland-csv"),
      ByteSource(bytes: Array(csv.utf8), name: "a.csv"))
    let found = try #require(list.devices.first)

    #expect(found.keepsKnownPosition)
    #expect(found.otherKeys == [.init(namespace: "osm", key: "node/929553249")])
    #expect(found.fields.bearings == [])
    #expect(!found.tags.contains { $0.key == "Image URL" })
  }
}

@Suite struct NewYorkListTests {
  let older, newer, kiosks: MappedList

  init() throws {
    older = try MappedList(shipped: "nyc-wifi-hotspots", fixture: "hotspots-older.csv")
    newer = try MappedList(shipped: "nyc-wifi-hotspots", fixture: "hotspots-newer.csv")
    kiosks = try MappedList(shipped: "nyc-linknyc", fixture: "linknyc.csv")
  }

  @Test func `two editions of a list identify a device by the same key`() {
    let shared = Set(older.devices.compactMap(\.sourceKey))
      .intersection(newer.devices.compactMap(\.sourceKey))

    #expect(older.counts.devices == 14)
    #expect(newer.counts.devices == 10)
    #expect(shared.count == 6)
  }

  @Test func `a kiosk in both lists is recognised`() {
    let namedByHotspots = Set(older.devices.flatMap(\.otherKeys).map(\.key))
    let known = Set(kiosks.devices.compactMap(\.sourceKey))

    #expect(older.devices.flatMap(\.otherKeys).allSatisfy { $0.namespace == "nyc-linknyc" })
    #expect(namedByHotspots.intersection(known).count == 3)
  }

  @Test func `differing boroughs are flagged in the edition that has both`() {
    #expect(older.counts.reasons == ["flagged.boroughs_differ": 2])
    #expect(newer.counts.reasons == [:])
  }

  @Test func `a kiosk that does not work yet is flagged`() {
    #expect(kiosks.counts.reasons == ["flagged.status.not_yet_working": 5])
    #expect(kiosks.devices.allSatisfy { $0.fields.answersFor?.kind == .company })
  }

  @Test func `dates are read in both editions, and 9999 is unknown`() {
    #expect(older.devices.contains { $0.fields.startedOn == "2017-01-18" })
    #expect(newer.devices.allSatisfy { $0.fields.startedOn?.hasPrefix("9999") != true })
  }

  @Test func `a change from long to short headers does not affect the result`() {
    for device in newer.devices {
      let other = older.device(device.sourceKey ?? "")
      #expect(other == nil || other?.fields.answersFor == device.fields.answersFor)
    }
  }
}

@Suite struct BerlinListTests {
  @Test func `umlauts that were encoded twice are repaired`() throws {
    let list = try MappedList(shipped: "berlin-traffic-detectors", fixture: "detectors.geojson")

    #expect(list.counts.devices == 11)
    let first = try #require(list.device("TEU00002_Det0"))
    #expect(first.fields.name == "A115, AS Spanische Allee – Brücke")
    #expect(first.fields.description?.contains("Südwest") == true)
    #expect(first.fields.bearings == [])
    #expect(first.fields.startedOn == "2003-02-18")
    #expect(list.devices.allSatisfy { !$0.fields.name.contains("Ã") })
    #expect(list.counts.reasons == ["flagged.name.too_long": 1])
  }

  @Test func `each counter of a site becomes a device at its own position`() throws {
    let list = try MappedList(shipped: "berlin-eco-counter", fixture: "ecocounter.geojson")
    let counter = try #require(list.device("02-MI-JAN-S"))

    #expect(list.counts.rows == 4)
    #expect(list.counts.devices == 7)
    #expect(counter.part == 2)
    #expect(counter.coordinate.longitude == 13.417611074205)
    #expect(counter.fields.startedOn == "2015-04-01")
    #expect(counter.fields.observedOn == Day(year: 2024, month: 1, day: 15))
    #expect(counter.fields.answersFor?.name == "Verkehrsmanagement Berlin")
  }

  @Test func `a counter in a window is placed on its street and stays a household`() throws {
    let list = try MappedList(shipped: "berlin-telraam", fixture: "telraam.geojson")

    #expect(list.counts.rows == 6)
    #expect(list.counts.devices == 11)
    #expect(list.skipped.map(\.reason.code) == ["no_devices"])
    #expect(list.devices.allSatisfy { $0.isApproximate })
    #expect(list.devices.allSatisfy { $0.precision == .kilometre })
    #expect(list.devices.allSatisfy { $0.fields.answersFor == Operator(kind: .household) })
    #expect(list.devices.contains { $0.fields.status == .removed })
    #expect(Set(list.devices.flatMap { $0.tags.map(\.key) }) == ["segment_id"])
  }
}
