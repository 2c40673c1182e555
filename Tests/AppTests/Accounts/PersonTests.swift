@testable import Accounts
@testable import App
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct PersonTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `a profile counts the user's contributions and upheld flags`() throws {
    let ana = try app.account("Ana")
    let made = try app.contributions(of: ana)
    try app.app.profiles.run()
    let answer = app.get("/api/people/ana")
    #expect(answer.status == .ok)
    // Verdicts are not counted, because the public data do not show their authors.
    #expect(
      try answer.json == [
        "username": "Ana", "role": "contributor", "joined_on": "2026-11-14",
        "contributions": ["devices": 1, "edits": 1, "photos": 1],
        "flags": ["upheld": 1],
        "recent": [
          [
            "device": [
              "id": .string(made.deviceID), "name": "Câmara", "category": "camera_fixed",
            ], "revision": 2, "kind": "edit", "made_at": "2026-11-21T12:00:00Z",
          ],
          [
            "device": [
              "id": .string(made.deviceID), "name": "Câmara", "category": "camera_fixed",
            ], "revision": 1, "kind": "add", "made_at": "2026-11-21T12:00:00Z",
          ],
        ],
      ])
  }

  @Test func `a flag counts publicly once upheld, and once per flagged item`() throws {
    let ana = try app.account("ana")
    let rui = try app.account("rui")
    let moderator = try app.account("mod", role: .moderator)
    let devices = try (0..<3).map { _ in try app.device(by: ana) }
    /// As in the next day's profile.
    func upheld() throws -> JSONValue? {
      app.clock.advance(by: .seconds(86_400))
      try app.app.profiles.run()
      return try app.get("/api/people/ana").json["flags"]
    }
    func report(_ device: TestDevice, _ note: String) {
      _ = app.send(
        .post, "/api/reports",
        json: [
          "target": ["type": "device", "id": .string(device.id)], "reason": "offensive",
          "note": .string(note),
        ])
    }
    for device in devices {
      app.flag("device", device.id, as: rui.identity)
      for words in ["One", "Another", "One"] { report(device, words) }
    }
    #expect(try upheld() == ["upheld": 0])
    app.act("dismiss", "device", devices[0].id, as: moderator.identity)
    #expect(try upheld() == ["upheld": 0])
    let hidden = app.act("hide", "device", devices[1].id, as: moderator.identity)
    #expect(try upheld() == ["upheld": 1])
    try app.undo(hidden, as: moderator.identity)
    #expect(try upheld() == ["upheld": 0])
    app.act("hide", "device", devices[1].id, as: moderator.identity)
    let seen = try app.queue(as: moderator.identity).first?["account"]?["flags"]
    #expect(
      seen == ["received": 12, "open": 4, "upheld": 4, "dismissed": 4, "anonymous": 9])
  }

  @Test func `hidden contributions are neither listed nor counted`() throws {
    let ana = try app.account("ana")
    let made = try app.contributions(of: ana)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE device SET hidden = 1 WHERE rowid = ?", [.integer(made.device)])
    }
    try app.app.profiles.run()
    let profile = try app.get("/api/people/ana").json
    #expect(
      profile["contributions"] == ["devices": 0, "edits": 0, "photos": 0])
    #expect(profile["recent"] == [])
  }

  @Test func `figures are published once a day, for all accounts at once`() throws {
    let people = try (0..<10).map { try app.account("person\($0)") }
    for person in people { _ = try app.contributions(of: person) }
    func numbers() throws -> Set<String> {
      Set(
        try people.map {
          try #require(try app.get("/api/people/\($0.username)").json["contributions"]).text
        })
    }
    #expect(try numbers() == ["{\"devices\":0,\"edits\":0,\"photos\":0}"])
    try app.app.profiles.run()
    let first: Set = ["{\"devices\":1,\"edits\":1,\"photos\":1}"]
    #expect(try numbers() == first)
    for person in people { _ = try app.contributions(of: person) }
    app.clock.set("2026-11-21T23:59:59Z")
    try app.app.profiles.run()
    #expect(try numbers() == first)
    app.clock.set("2026-11-22T00:00:00Z")
    try app.app.profiles.run()
    #expect(try numbers() == ["{\"devices\":2,\"edits\":2,\"photos\":2}"])
  }

  @Test func `the job is one of the program's repeated jobs`() {
    #expect(app.app.works[ProfilePublication.job] != nil)
    #expect(app.app.repeatedWorks[ProfilePublication.job] == .seconds(3_600))
  }

  @Test func `a profile contains no private data, for any requester`() throws {
    let ana = try app.account("ana")
    for identity in [Identity.visitor, ana.identity] {
      let answer = app.get("/api/people/ana", as: identity)
      #expect(!answer.text.contains("example.org"))
      #expect(!answer.text.contains(ana.id))
      #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
      #expect(answer.headers["Set-Cookie"] == nil)
    }
  }

  @Test func `an unknown, unconfirmed or invalid name returns 404`() throws {
    _ = try app.account("eva", isConfirmed: false)
    for name in ["eva", "nobody", "a", "eva@example.org", "<img onerror=x>", "..."] {
      let path = "/api/people/" + PercentEncoding.component(name)
      #expect(app.send(target: path).status == .notFound, "\(name)")
    }
  }

  @Test func `a user whose name was reserved later has a profile`() throws {
    _ = try app.account("adrnin")
    #expect(app.get("/api/people/adrnin").status == .ok)
  }

  @Test func `names of any script have a profile`() throws {
    _ = app.signUp("Ελένη", email: "eleni@example.org")
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(try app.lastMail.token)]).status == .ok)
    let answer = app.send(target: "/api/people/" + PercentEncoding.component("ελενη"))
    #expect(try answer.json["username"] == "Ελένη")
  }

  @Test func `an unchanged profile returns 304`() throws {
    let ana = try app.account("ana")
    let tag = try #require(app.get("/api/people/ana").headers["ETag"])
    let known: Headers = ["If-None-Match": tag]
    #expect(app.get("/api/people/ana", headers: known).status == .notModified)
    _ = try app.contributions(of: ana)
    #expect(app.get("/api/people/ana", headers: known).status == .ok)
  }

  @Test func `at most the last twenty contributions are listed`() throws {
    let ana = try app.account("ana")
    for place in 1...11 { _ = try app.contributions(of: ana, name: "Câmara \(place)") }
    let recent = try app.get("/api/people/ana").json["recent"]?.arrayValue
    #expect(recent?.count == 20)
  }
}
