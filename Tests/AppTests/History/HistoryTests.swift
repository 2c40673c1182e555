@testable import App
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `…/items/{id}/history`: every revision can be read, compared and restored.
@Suite struct HistoryTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  /// A device of Ana's that Ben has edited twice.
  private func edited(_ more: JSONValue = [:]) throws -> String {
    var properties: JSONValue = [
      "units": 2, "bearings": [90], "operator": ["name": "City", "kind": "public"],
      "choices": [["kind": "opt_out", "channel": "post", "target": "Way 1"]],
    ]
    for member in more.objectValue?.members ?? [] {
      properties = properties.setting(member.key, to: member.value)
    }
    let id = try app.added(properties, longitude: 7.4391827, latitude: 46.9518273, as: ana)
    app.clock.advance(by: .seconds(60))
    _ = try app.patch(
      id,
      [
        "properties": [
          "name": "Second", "operator": ["name": "Town", "contact": "info@town.example"],
          "units": .null,
        ], "comment": "The sign says so",
      ], as: ben.identity)
    app.clock.advance(by: .seconds(60))
    _ = try app.patch(
      id,
      [
        "geometry": ["coordinates": [7.45, 46.96]],
        "properties": ["choices": [["kind": "access"], ["kind": "erase"]], "bearings": [0, 180]],
      ], as: ben.identity)
    return id
  }

  private func history(
    _ id: String, _ rest: String = "", as identity: Identity = .visitor
  ) throws -> JSONValue {
    let answer = app.get(Path.item(id) + "/history" + rest, as: identity)
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json
  }

  private func change(_ revision: JSONValue, _ field: String) -> JSONValue? {
    revision["changes"]?.arrayValue?.first { $0["field"]?.stringValue == field }
  }

  @Test func `the history lists author, fields, time and reason, the newest first`() throws {
    let id = try edited()
    let list = try history(id)
    #expect(list["next"] == .null)
    let revisions = try #require(list["revisions"]?.arrayValue)
    #expect(
      revisions == [
        [
          "number": 3, "kind": "edit", "made_at": "2026-11-21T12:02:00Z", "author": "ben",
          "comment": .null, "changed": ["geometry", "bearings", "choices"], "import": .null,
        ],
        [
          "number": 2, "kind": "edit", "made_at": "2026-11-21T12:01:00Z", "author": "ben",
          "comment": "The sign says so", "changed": ["name", "operator", "units"], "import": .null,
        ],
        [
          "number": 1, "kind": "add", "made_at": "2026-11-21T12:00:00Z", "author": "ana",
          "comment": .null, "changed": [], "import": .null,
        ],
      ])
  }

  @Test func `a revision has each field before and after, as in the interface`() throws {
    let id = try edited()
    let second = try history(id, "/2")
    #expect(second["number"] == 2 && second["author"] == "ben")
    #expect(
      change(second, "operator") == [
        "field": "operator", "before": ["name": "City", "kind": "public"],
        "after": ["name": "Town", "kind": "public", "contact": "info@town.example"],
      ])
    #expect(change(second, "units")?["before"] == 2 && change(second, "units")?["after"] == .null)
    #expect(change(second, "name")?["before"] == "A camera")
    #expect(second["changes"]?.arrayValue?.count == 3)

    let third = try history(id, "/3")
    #expect(change(third, "geometry")?["before"]?["coordinates"] == [7.4391827, 46.9518273])
    #expect(change(third, "geometry")?["after"]?["coordinates"] == [7.45, 46.96])
    #expect(change(third, "choices")?["before"]?[0]?["target"] == "Way 1")
    #expect(change(third, "choices")?["after"]?.arrayValue?.count == 2)

    let first = try history(id, "/1")
    #expect(change(first, "name") == ["field": "name", "before": .null, "after": "A camera"])
    #expect(change(first, "geometry")?["before"] == .null)
    #expect(change(first, "model") == nil)
  }

  @Test func `a past version equals the device at that time`() throws {
    let id = try app.added(
      [
        "units": 2, "operator": ["name": "City", "kind": "public"], "choices": [["kind": "access"]],
      ],
      as: ana)
    let then = try app.get(Path.item(id)).json
    app.clock.advance(by: .seconds(60))
    _ = try app.patch(
      id, ["properties": ["units": 3, "operator": .null, "choices": []]], as: ben.identity)
    let feature = try #require(try history(id, "/1")["feature"])
    #expect(feature["id"]?.stringValue == id)
    #expect(feature["geometry"] == then["geometry"])
    let past = try #require(feature["properties"]?.objectValue)
    for member in past.members where member.key != "photos" {
      #expect(member.value == then["properties"]?[member.key], "\(member.key)")
    }
    #expect(past["revision"] == 1 && past["updated_at"] == "2026-11-21T12:00:00Z")
    let now = try #require(try history(id, "/2")["feature"]?["properties"]?.objectValue)
    let current = try app.get(Path.item(id)).json["properties"]
    for member in now.members where member.key != "photos" {
      #expect(member.value == current?[member.key], "\(member.key)")
    }
  }

  @Test func `restoring creates a new revision with the earlier values`() throws {
    let id = try edited()
    let then = try #require(try history(id, "/1")["feature"])
    let answer = app.send(
      .post, Path.item(id) + "/history/1/restore", headers: ["If-Match": try app.tag(id)],
      json: ["comment": "It was right"], as: ben.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    for name in ["name", "units", "operator", "choices", "bearings"] {
      #expect(try answer.property(name) == then["properties"]?[name], "\(name)")
    }
    #expect(try answer.position == [7.4391827, 46.9518273])
    let entry = try #require(try history(id)["revisions"]?[0])
    #expect(
      entry["number"] == 4 && entry["kind"] == "restore" && entry["comment"] == "It was right")
    #expect(
      entry["changed"] == ["geometry", "name", "operator", "units", "bearings", "choices"])
    #expect(try app.get(Path.items, ["bbox": "7.43,46.95,7.44,46.96"]).ids == [id])
    let again = app.send(
      .post, Path.item(id) + "/history/1/restore", headers: ["If-Match": try app.tag(id)],
      json: [:],
      as: ben.identity)
    #expect(again.status == .ok)
    #expect(try again.property("revision") == 4)
  }

  @Test func `restoring needs the current version, like any edit`() throws {
    let id = try edited()
    let path = Path.item(id) + "/history/1/restore"
    func send(_ headers: Headers, _ identity: Identity, _ path: String) -> Int {
      app.send(.post, path, headers: headers, json: [:], as: identity).status.code
    }
    let tag = try app.tag(id)
    #expect(send([:], .visitor, path) == 401)
    #expect(send([:], ben.identity, Path.item(id) + "/history/9/restore") == 404)
    #expect(send([:], ben.identity, Path.item(id) + "/history/0/restore") == 404)
    #expect(send([:], ben.identity, path) == 428)
    #expect(send(["If-Match": "\"1-x\""], ben.identity, path) == 412)
    let unknown = app.send(
      .post, path, headers: ["If-Match": tag], json: ["why": "x"], as: ben.identity)
    #expect(unknown.status == .badRequest)
    #expect(send(["If-Match": tag], ben.identity, path) == 200)
  }

  @Test func `earlier points are shown no finer than the device is now`() throws {
    let id = try app.added(longitude: 7.4391827, latitude: 46.9518273, as: ana)
    _ = try app.patch(id, ["properties": ["precision": "1km"]], as: ana.identity)
    let kilometre = try app.get(Path.item(id)).json["geometry"]
    for rest in ["", "/1", "/2"] {
      let text = app.get(Path.item(id) + "/history" + rest).text
      #expect(!text.contains("7.43918") && !text.contains("46.95182"), "\(rest)")
    }
    let first = try history(id, "/1")
    #expect(first["feature"]?["geometry"] == kilometre)
    #expect(first["feature"]?["properties"]?["precision"] == "1km")
    let second = try history(id, "/2")
    #expect(
      change(second, "precision") == ["field": "precision", "before": "exact", "after": "1km"])
    #expect(change(second, "geometry") == nil)
    #expect(second["changed"] == ["geometry", "precision"])

    _ = try app.patch(id, ["properties": ["precision": "exact"]], as: ana.identity)
    #expect(try history(id, "/2")["feature"]?["geometry"] == kilometre)
    #expect(
      try history(id, "/1")["feature"]?["geometry"]?["coordinates"] == [7.4391827, 46.9518273])
  }

  @Test func `only its author can restore a finer exact point`() throws {
    let id = try app.added(longitude: 7.4391827, latitude: 46.9518273, as: ana)
    _ = try app.patch(id, ["properties": ["precision": "area", "units": 4]], as: ana.identity)
    func restore(_ account: TestAccount) throws -> TestAnswer {
      app.send(
        .post, Path.item(id) + "/history/1/restore", headers: ["If-Match": try app.tag(id)],
        json: [:], as: account.identity)
    }
    let byOther = try restore(ben)
    #expect(try byOther.property("precision") == "area")
    #expect(try byOther.property("units")?.isNull == true)
    #expect(!byOther.text.contains("7.43918"))
    let byAuthor = try restore(ana)
    #expect(try byAuthor.property("precision") == "exact")
    #expect(try byAuthor.position == [7.4391827, 46.9518273])
  }

  @Test func `a move within a cell has no position in the history`() throws {
    let id = try app.added(
      ["precision": "1km"], longitude: 7.4391827, latitude: 46.9518273, as: ana)
    let cell = try #require(
      Precision.kilometre.cell(of: try Coordinate(longitude: 7.4391827, latitude: 46.9518273)))
    _ = try app.patch(
      id, ["geometry": ["coordinates": [.double(cell.west + 1e-4), .double(cell.south + 1e-4)]]],
      as: ana.identity)
    let second = try history(id, "/2")
    #expect(second["changed"] == ["exact_place"])
    #expect(second["changes"] == [["field": "exact_place", "before": false, "after": true]])
  }

  @Test func `a long history has pages`() throws {
    let id = try app.added(as: ana)
    for number in 0..<119 {
      _ = try app.patch(
        id, ["properties": ["units": .integer(Int64(number + 5))]], as: ana.identity)
    }
    var numbers: [Int] = []
    var rest = ""
    while true {
      let page = try history(id, rest)
      numbers += (page["revisions"]?.arrayValue ?? []).compactMap { $0["number"]?.intValue }
      guard let next = page["next"]?.intValue else { break }
      rest = "?before=\(next)"
    }
    #expect(numbers == Array((1...120).reversed()))
    for before in ["0", "x", "-1", "99999999999"] {
      #expect(app.get(Path.item(id) + "/history", ["before": before]).status == .badRequest)
    }
  }

  @Test func `imports and their undoing are shown as such`() throws {
    let mapping = try TestApp.mapping(fields: #", "model": "model""#)
    try app.importCSV("id,name,lon,lat,model\n1,One,7.4,46.9,M1\n", mapping)
    let report = try app.importCSV("id,name,lon,lat,model\n1,One,7.5,46.9,M2\n", mapping)
    let id = try #require(try app.get(Path.items).ids.first)
    let entry = try #require(try history(id)["revisions"]?[0])
    #expect(entry["kind"] == "import" && entry["author"] == .null)
    #expect(entry["import"]?.intValue.map(Int64.init) == report.id)
    #expect(entry["changed"] == ["geometry", "model"])
    _ = try ImportUndo(map: app.app.map).undo(try #require(report.id))
    let undone = try history(id, "/3")
    #expect(undone["kind"] == "undo")
    #expect(change(undone, "model") == ["field": "model", "before": "M2", "after": "M1"])
    #expect(change(undone, "geometry")?["after"]?["coordinates"] == [7.4, 46.9])
  }

  @Test func `photos that a revision removed are listed without their text`() throws {
    let id = try app.added(as: ana)
    try app.app.write { connection in
      let rowid = try connection.integer("SELECT rowid FROM device") ?? 0
      for (number, state) in ["public", "deleted"].enumerated() {
        try connection.execute(
          """
          INSERT INTO photo (id, device_rowid, position, alt, state, file, width, height, created_at,
            state_before)
          VALUES (?, ?, ?, ?, ?, ?, 10, 10, '2026-11-21T12:00:00Z', 'public')
          """,
          [
            .text("01935f6e-0000-7000-8000-00000000000\(number)"), .integer(rowid),
            SQLValue(number), .text("Photo \(number)"), .text(state), .text("file\(number)"),
          ])
      }
      try connection.execute(
        """
        INSERT INTO revision (device_rowid, number, kind, made_at, before) VALUES (?, 2, 'edit',
          '2026-11-21T12:01:00Z', ?)
        """,
        [
          .integer(rowid),
          .text(
            """
            {"photos":[{"id":"01935f6e-0000-7000-8000-000000000000","alt":"Photo 0"},
            {"id":"01935f6e-0000-7000-8000-000000000001","alt":"Photo 1"}]}
            """),
        ])
      try connection.execute("UPDATE device SET revision = 2")
    }
    let second = try history(id, "/2")
    #expect(second["changed"] == ["photos"])
    #expect(
      change(second, "photos") == [
        "field": "photos",
        "before": [
          ["id": "01935f6e-0000-7000-8000-000000000000", "alt": "Photo 0"],
          ["id": "01935f6e-0000-7000-8000-000000000001", "alt": .null],
        ], "after": [["id": "01935f6e-0000-7000-8000-000000000000", "alt": "Photo 0"]],
      ])
  }

  @Test func `a deleted person has no name in it, and a renamed one the new name`() throws {
    let id = try edited()
    let path = Path.item(id) + "/history"
    let before = app.get(path)
    #expect(before.headers["Cache-Control"] == "public, max-age=0, must-revalidate")
    let tag = try #require(before.headers["ETag"])
    #expect(app.get(path, headers: ["If-None-Match": tag]).status == .notModified)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET username = 'benjamin' WHERE rowid = ?", [.integer(ben.rowid)])
      try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(ana.rowid)])
    }
    let after = app.get(path, headers: ["If-None-Match": tag])
    #expect(after.status == .ok)
    let revisions = try after.json["revisions"]
    #expect(revisions?[0]?["author"] == "benjamin" && revisions?[2]?["author"] == .null)
  }

  @Test func `the history of a hidden device is for its author and moderators`() throws {
    let mia = try app.account("mia", role: .moderator)
    let id = try edited()
    try app.hide(
      TestDevice(rowid: try #require(try app.integer("SELECT rowid FROM device")), id: id))
    for rest in ["", "/1"] {
      let path = Path.item(id) + "/history" + rest
      for identity in [Identity.visitor, ben.identity] {
        #expect(app.get(path, as: identity).status == .notFound)
      }
      for identity in [ana.identity, mia.identity] {
        let answer = app.get(path, as: identity)
        #expect(answer.status == .ok)
        #expect(answer.headers["Cache-Control"] == "private, no-store")
      }
    }
    #expect(
      try change(history(id, "/4", as: mia.identity), "hidden") == [
        "field": "hidden", "before": false, "after": true,
      ])
  }

  @Test func `an unknown revision returns 404`() throws {
    let id = try edited()
    for number in ["0", "4", "x", "-1", "1.0", "99999999999"] {
      #expect(app.get(Path.item(id) + "/history/" + number).status == .notFound, "\(number)")
    }
    let nowhere = Path.item("01935f6e-0000-7000-8000-000000000000") + "/history"
    #expect(app.get(nowhere).status == .notFound)
  }
}
