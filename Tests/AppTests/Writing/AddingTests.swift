import Filters
import JSON
import PrivacyMap
@testable import Contributions
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `POST …/items`: a device is added exactly as it was sent, or not at all.
@Suite struct AddingTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  @Test func `a device with three answers is added at once`() throws {
    let answer = app.add(Sent.feature(), as: ana.identity)
    #expect(answer.status == .created)
    #expect(answer.headers["Content-Type"] == "application/geo+json")
    let id = try #require(try answer.json["id"]?.stringValue)
    #expect(answer.headers["Location"] == "\(TestApp.address)\(Path.item(id))")
    #expect(answer.headers["Cache-Control"] == "private, no-store")
    #expect(try answer.position == [7.4, 46.9])
    #expect(try answer.property("status") == "reported")
    #expect(try answer.property("revision") == 1)
    #expect(try answer.property("source")?.isNull == true)

    let seen = app.get(Path.item(id))
    #expect(seen.bytes == answer.bytes)
    #expect(seen.headers["ETag"] == answer.headers["ETag"])
    #expect(try app.get(Path.items, ["bbox": "7.3,46.8,7.5,47"]).ids == [id])
    #expect(try app.get(Path.items, ["q": "camera"]).ids == [id])
  }

  @Test func `every property comes back as it was sent`() throws {
    let properties: JSONValue = [
      "name": "Câmara da praça", "category": "camera_ptz", "description": "Two lines\nof text",
      "manufacturer": "Axis", "model": "P1", "units": 3, "precision": "100m", "approximate": true,
      "level": "-1", "height": 4.5, "setting": "outdoor", "zone": "town",
      "bearings": [0, 90.5, 359.9],
      "field_of_view": 360, "mount": "pole", "data_collected": ["video", "speech"],
      "purposes": ["enforce_security"], "identifiability": "identifiable", "processing": "local",
      "storage": "local", "retention": "P30D", "shared_with": ["police"],
      "legal_basis": "public_task", "signage": "clear",
      "operator": [
        "name": "City of Bern", "kind": "public", "contact": "+41 31 321 00 00",
        "privacy_policy": "https://bern.example/privacy",
        "data_protection_contact": "privacy@bern.example",
      ],
      "choices": [
        [
          "kind": "access", "channel": "email", "target": "privacy@bern.example",
          "instructions": "Name the place and the hour.", "deadline_days": 30,
          "checked_on": "2026-11-20",
        ],
        ["kind": "opt_out", "channel": "url", "target": "https://bern.example/out"],
      ],
      "assumed": ["field_of_view"], "started_on": "2019-04", "observed_on": "2026-11-21",
    ]
    let answer = app.add(Sent.feature(properties), as: ana.identity)
    #expect(answer.status == .created, "\(answer.text)")
    for member in properties.objectValue?.members ?? [] {
      #expect(
        DeviceChange.mean(try answer.property(member.key), member.value),
        "\(member.key)")
    }
    let sent = Set(properties.objectValue?.members.map(\.key) ?? [])
    // `DevicePropertyTests` tries the plain ones.
    #expect(DeviceForm.said.subtracting(DeviceProperty.plain.map(\.name)).isSubset(of: sent))
  }

  private static let refused: [(properties: String, field: String)] = [
    (#"{"name":"\#(String(repeating: "x", count: 121))"}"#, "name"),
    (#"{"name":""}"#, "name"), (#"{"name":"a\u202Eb"}"#, "name"),
    (#"{"name":"Gate\u200B"}"#, "name"), (#"{"name":"Ga\u00ADte"}"#, "name"),
    (#"{"manufacturer":"Ax\u2060is"}"#, "manufacturer"),
    (#"{"operator":{"name":"\u3164"}}"#, "operator.name"),
    (#"{"name":"a\nb"}"#, "name"),
    (#"{"category":"camera"}"#, "category"),
    (#"{"description":"\#(String(repeating: "x", count: 2_001))"}"#, "description"),
    (#"{"units":0}"#, "units"), (#"{"units":10001}"#, "units"),
    (#"{"bearings":[360]}"#, "bearings"), (#"{"bearings":[-0.1]}"#, "bearings"),
    (#"{"field_of_view":0}"#, "field_of_view"), (#"{"field_of_view":360.5}"#, "field_of_view"),
    (#"{"precision":"10km"}"#, "precision"), (#"{"setting":"inside"}"#, "setting"),
    (#"{"data_collected":["video","thoughts"]}"#, "data_collected"),
    (#"{"retention":"30 days"}"#, "retention"), (#"{"retention":"P"}"#, "retention"),
    (#"{"retention":"P1D1Y"}"#, "retention"), (#"{"retention":"PT"}"#, "retention"),
    (#"{"observed_on":"2026-11-22"}"#, "observed_on"),
    (#"{"observed_on":"2026-02-30"}"#, "observed_on"), (#"{"started_on":"2027"}"#, "started_on"),
    (#"{"status":"confirmed"}"#, "status"), (#"{"revision":7}"#, "revision"),
    (#"{"created_at":"2020-01-01T00:00:00Z"}"#, "created_at"),
    (#"{"refs":{"osm":["node/1"]}}"#, "refs"), (#"{"assumed":["name"]}"#, "assumed"),
    (#"{"operator":{"kind":"household","name":"Eva"}}"#, "operator.name"),
    (#"{"operator":{"kind":"household","contact":"x"}}"#, "operator.contact"),
    (
      #"{"operator":{"kind":"household","privacy_policy":"https://a.example"}}"#,
      "operator.privacy_policy"
    ),
    (
      #"{"operator":{"name":"X","privacy_policy":"javascript:alert(1)"}}"#,
      "operator.privacy_policy"
    ),
    (
      #"{"operator":{"name":"X","privacy_policy":"https://a@b.example"}}"#,
      "operator.privacy_policy"
    ),
    (
      #"{"operator":{"name":"X","data_protection_contact":"a@b"}}"#,
      "operator.data_protection_contact"
    ),
    (#"{"operator":{"contact":"+41 31"}}"#, "operator.name"),
    (#"{"operator":{"kind":"city"}}"#, "operator.kind"),
    (
      #"{"choices":[{"kind":"opt_out","channel":"url","target":"ftp://a.example"}]}"#,
      "choices[0].target"
    ),
    (
      #"{"choices":[{"kind":"access"},{"kind":"access","channel":"email","target":"x"}]}"#,
      "choices[1].target"
    ),
    (#"{"choices":[{"kind":"access","deadline_days":3651}]}"#, "choices[0].deadline_days"),
  ]

  @Test func `a refused value is named`() throws {
    for (properties, field) in Self.refused {
      let sent = Sent.feature(try JSONValue(parsing: Array(properties.utf8)))
      let answer = app.add(sent, as: ana.identity)
      #expect(answer.status == .unprocessableContent, "\(properties)")
      #expect(try answer.fields == [field], "\(properties)")
    }
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
  }

  private static let malformed: [(properties: String, field: String)] = [
    (#"{"name":5}"#, "name"), (#"{"name":null}"#, "name"),
    (#"{"category":null}"#, "category"), (#"{"units":"3"}"#, "units"),
    (#"{"bearings":90}"#, "bearings"), (#"{"bearings":["north"]}"#, "bearings"),
    (#"{"operator":"City"}"#, "operator"), (#"{"operator":{"name":"X","age":3}}"#, "operator.age"),
    (#"{"choices":["opt_out"]}"#, "choices"),
    (#"{"choices":[{"channel":"url"}]}"#, "choices[0].kind"),
    (#"{"approximate":1}"#, "approximate"), (#"{"hidden":1}"#, "hidden"),
    (#"{"account":"me"}"#, "account"), (#"{"data_collected":"video"}"#, "data_collected"),
  ]

  @Test func `an unreadable member is malformed`() throws {
    for (properties, field) in Self.malformed {
      let sent = Sent.feature(try JSONValue(parsing: Array(properties.utf8)))
      let answer = app.add(sent, as: ana.identity)
      #expect(answer.status == .badRequest, "\(properties)")
      #expect(try answer.fields == [field], "\(properties)")
    }
  }

  @Test func `one response reports all errors`() throws {
    let answer = app.add(
      Sent.feature(["name": "", "category": "x", "units": 0, "height": 1e9], longitude: 181),
      as: ana.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(try Set(answer.fields) == ["name", "category", "units", "height", "geometry"])
  }

  @Test func `an error shows whole limits without a fraction`() throws {
    let answer = app.add(Sent.feature(["height": 1e9, "field_of_view": 0]), as: ana.identity)
    #expect(answer.text.contains("from -500 to 9000."))
    #expect(answer.text.contains("more than 0 and at most 360."))
  }

  @Test func `a position is two numbers on the Earth`() throws {
    let positions: [([Double], Bool)] = [
      ([180.1, 0], false), ([-180.1, 0], false), ([0, 90.1], false), ([0, -90.1], false),
      ([1, 2, 3], false), ([1], false), ([], false), ([180, 90], true), ([-180, -90], true),
    ]
    for (position, isSound) in positions {
      let feature = Sent.feature().setting(
        "geometry", "coordinates", to: .array(position.map { .double($0) }))
      let answer = app.add(feature, as: ana.identity)
      #expect(answer.status == (isSound ? .created : .unprocessableContent), "\(position)")
      if !isSound { #expect(try answer.fields == ["geometry"]) }
    }
  }

  private static let geometries = [
    "null", "[]", "{}", #"{"type":"Point"}"#, #"{"type":"Point","coordinates":["a","b"]}"#,
    #"{"type":"Point","coordinates":null}"#, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"Point","coordinates":[1,2],"crs":"x"}"#,
  ]

  @Test func `a geometry other than a point is refused`() throws {
    for geometry in Self.geometries {
      let value = try JSONValue(parsing: Array(geometry.utf8))
      let answer = app.add(Sent.feature().setting("geometry", to: value), as: ana.identity)
      #expect(
        [.badRequest, .unprocessableContent].contains(answer.status), "\(geometry)")
      #expect(try answer.fields.allSatisfy { $0.hasPrefix("geometry") }, "\(geometry)")
      #expect(try !answer.fields.isEmpty, "\(geometry)")
    }
  }

  @Test func `a body that is not a feature is refused`() throws {
    let headers: Headers = ["Content-Type": "application/geo+json"]
    for (body, status) in [
      ("", Status.badRequest), ("[]", .badRequest), ("{", .badRequest), ("{}", .badRequest),
      (#"{"type":"Feature","type":"Feature"}"#, .badRequest),
      (#"{"type":"FeatureCollection","features":[]}"#, .badRequest), ("\u{0}", .badRequest),
    ] {
      let answer = app.send(
        .post, target: Path.items, headers: headers, body: Array(body.utf8), as: ana.identity)
      #expect(answer.status == status, "\(body): \(answer.text)")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
    }
    let plain = app.send(
      .post, target: Path.items, headers: ["Content-Type": "text/plain"], body: Array("{}".utf8),
      as: ana.identity)
    #expect(plain.status == .unsupportedMediaType)
  }

  @Test func `a household's device is public to the kilometre by default`()
    throws
  {
    let shown = app.add(
      Sent.feature(["category": "doorbell_camera"], longitude: 7.4391827, latitude: 46.9518273),
      as: ana.identity)
    #expect(try shown.property("precision") == "1km")
    #expect(!shown.text.contains("7.43918"))
    let exact = app.add(
      Sent.feature(
        ["category": "doorbell_camera", "precision": "exact"], longitude: 8.4391827,
        latitude: 46.9518273), as: ana.identity)
    #expect(try exact.property("precision") == "exact")
    let camera = app.add(Sent.feature(longitude: 9), as: ana.identity)
    #expect(try camera.property("precision") == "exact")
  }

  @Test func `coordinates are in the reference system that the request names`() throws {
    let four = app.send(
      .post, Path.items,
      headers: ["Content-Crs": "<\(CoordinateSystem.epsg4326.rawValue)>"],
      json: Sent.feature(longitude: 46.9, latitude: 7.4), as: ana.identity)
    #expect(try four.position == [7.4, 46.9])
    let mercator = app.send(
      .post, Path.items, headers: ["Content-Crs": CoordinateSystem.epsg3857.rawValue],
      json: Sent.feature(longitude: 1_000_000, latitude: 6_000_000), as: ana.identity)
    #expect(try mercator.position == [8.9831528, 47.3537047])
    let unknown = app.send(
      .post, Path.items, headers: ["Content-Crs": "<EPSG:1>"], json: Sent.feature(),
      as: ana.identity)
    #expect(unknown.status == .badRequest)
  }

  @Test func `unknown values are left out, null, empty or marked as unknown`() throws {
    let answer = app.add(
      Sent.feature([
        "model": .null, "manufacturer": "  ", "retention": "unknown", "choices": [],
        "bearings": .null,
        "operator": .null, "created_at": .null, "claims": [],
      ]), as: ana.identity)
    #expect(answer.status == .created, "\(answer.text)")
    for name in ["model", "manufacturer", "retention", "operator"] {
      #expect(try answer.property(name)?.isNull == true, "\(name)")
    }
    #expect(try answer.property("bearings") == [])
  }

  @Test func `members that the server adds are accepted and ignored`() throws {
    let feature = Sent.feature()
      .setting("id", to: "01935f6e-0000-7000-8000-000000000000").setting("links", to: [])
    let answer = app.add(feature, as: ana.identity)
    #expect(answer.status == .created)
    #expect(try answer.json["id"] != "01935f6e-0000-7000-8000-000000000000")
  }

  @Test func `a moderator may add an object that only looks like a device`() throws {
    let mia = try app.account("mia", role: .moderator)
    let answer = app.add(Sent.feature(["status": "not_a_device"]), as: mia.identity)
    #expect(try answer.property("status") == "not_a_device")
    #expect(try app.get(Path.items).ids.isEmpty)
    #expect(try app.get(Path.items, ["status": "not_a_device"]).ids.count == 1)
  }

  @Test func `only confirmed accounts add devices`() throws {
    let unconfirmed = try app.account("uma", isConfirmed: false)
    let suspended = try app.account("sue", isSuspended: true)
    let reader = try app.token(ana.rowid, [.read])
    #expect(app.add(Sent.feature(), as: .visitor).status == .unauthorized)
    for identity in [unconfirmed.identity, suspended.identity, reader] {
      #expect(app.add(Sent.feature(), as: identity).status == .forbidden)
    }
    #expect(app.add(Sent.feature(), as: try app.token(ana.rowid, [.contribute])).status == .created)
  }

  @Test func `the true point and the author are stored and never published`() throws {
    let id = try app.added(
      ["precision": "area"], longitude: 7.4391827, latitude: 46.9518273, as: ana)
    let kept = try app.database.readPrivate { connection in
      try connection.first(
        """
        SELECT device_location.longitude, device_location.latitude, account_rowid
        FROM device JOIN device_location ON device_rowid = device.rowid
        """
      ) { ($0.double(0), $0.double(1), $0.int(2)) }
    }
    #expect(kept?.0 == 7.4391827 && kept?.1 == 46.9518273 && kept?.2 == ana.rowid)
    let seen = app.get(Path.item(id))
    #expect(!seen.text.contains("7.43918") && !seen.text.contains("ana"))
  }

  @Test func `devices of a new account are public and marked for review`() throws {
    let nia = try app.account("nia", isNew: true)
    _ = try app.added(as: nia)
    _ = try app.added(longitude: 8, as: ana)
    #expect(try app.get(Path.items).matched == 2)
    #expect(
      try app.text(
        "SELECT kind || number || account_rowid || ' of ' || (SELECT count(*) FROM review) FROM review"
      )
        == "contribution1\(nia.rowid) of 1")
  }

  @Test func `a new account adds ten devices an hour, any other three hundred`() throws {
    let nia = try app.account("nia", isNew: true)
    for place in 0..<10 { _ = try app.added(longitude: Double(place), as: nia) }
    let refused = app.add(Sent.feature(longitude: 10), as: nia.identity)
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
    #expect(refused.headers["RateLimit"] == "\"default\";r=0;t=3600")
    _ = try app.added(longitude: 10, as: ana)
    app.clock.advance(by: .seconds(3_601))
    _ = try app.added(longitude: 11, as: nia)
    for place in 0..<299 { _ = try app.added(latitude: Double(place) / 10, as: ana) }
    _ = try app.added(longitude: 50, as: ana)
    #expect(app.add(Sent.feature(longitude: 51), as: ana.identity).status == .tooManyRequests)
  }
}
