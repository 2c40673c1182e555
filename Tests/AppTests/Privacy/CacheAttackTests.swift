import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn about hidden events from versions, times and caches of public responses.
@Suite struct CacheAttackTests {
  let app: TestApp
  let ana: TestAccount
  let mia: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    mia = try app.account("mia", role: .moderator)
    device = try app.device(by: ana, name: "Seen", longitude: 1)
  }

  /// A device that a moderator has hidden.
  private func hidden() throws -> TestDevice {
    let device = try app.device(by: ana, name: "Unseen", longitude: 7.4, latitude: 46.9)
    let answer = app.act("hide", "device", device.id, as: mia.identity)
    try #require(answer.status.code < 300, "\(answer.text)")
    return device
  }

  @Test func `an attacker does not learn that a hidden device was edited`() throws {
    let hidden = try hidden()
    try app.expectNoTrace(of: "an edit of a hidden device") {
      let answer = try app.patch(
        hidden.id, ["properties": ["name": "Another name"]], as: ana.identity)
      try #require(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that a hidden device got a verdict`() throws {
    let hidden = try hidden()
    try app.expectNoTrace(of: "a verdict on a hidden device") {
      let answer = app.post(
        Path.item(hidden.id) + "/claims",
        ["claim": "present", "verdict": "dispute", "basis": "seen"], as: mia.identity)
      try #require(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that a hidden device was deleted`() throws {
    let hidden = try hidden()
    let admin = try app.account("adm", role: .admin)
    try app.expectNoTrace(of: "the deletion of a hidden device") {
      let answer = app.send(
        .delete, Path.item(hidden.id),
        headers: ["If-Match": try app.tag(hidden.id, as: admin.identity)],
        json: ["reason": "It shows somebody."], as: admin.identity)
      try #require(answer.status == .noContent, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that a new account gave a verdict`() throws {
    let new = try app.account("new", isNew: true)
    try app.expectNoTrace(of: "a verdict that does not count yet") {
      let answer = app.post(
        Path.item(device.id) + "/claims",
        ["claim": "present", "verdict": "dispute", "basis": "seen"], as: new.identity)
      try #require(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that the author of a device gave a verdict`() throws {
    try app.expectNoTrace(of: "a verdict of the author") {
      let answer = app.post(
        Path.item(device.id) + "/claims",
        ["claim": "data", "verdict": "confirm", "basis": "seen"], as: ana.identity)
      try #require(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that a verdict was repeated`() throws {
    let ben = try app.account("ben")
    let verdict: JSONValue = ["claim": "present", "verdict": "confirm", "basis": "seen"]
    #expect(app.post(Path.item(device.id) + "/claims", verdict, as: ben.identity).status == .ok)
    try app.expectNoTrace(of: "the same verdict once more") {
      let answer = app.post(Path.item(device.id) + "/claims", verdict, as: ben.identity)
      try #require(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn that a pending photo was refused`() throws {
    let ben = try app.account("ben")
    let photo = try app.photo(of: device, by: ben, state: "waiting")
    try app.expectNoTrace(of: "a photo that was never public") {
      let answer = app.act("hide", "photo", photo, as: mia.identity)
      try #require(answer.status.code < 300, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn about a flag, a choice or a request`() throws {
    let ben = try app.account("ben")
    try app.expectNoTrace(of: "a flag") {
      try #require(app.flag("device", device.id, as: ben.identity).status.code < 300)
    }
    try app.expectNoTrace(of: "a choice") { _ = try app.choice(of: ben, about: device.id) }
    try app.expectNoTrace(of: "a request for records") {
      _ = try app.dataRequest(from: ben, to: ana)
    }
    app.expectNoTrace(of: "a request for research") {
      _ = app.post(
        "/api/account/research-access",
        [
          "project": "Cameras", "until": "2027-03-01",
          "purpose": "How many cameras say who runs them, town by town.",
        ], as: ben.identity)
    }
  }

  @Test func `an attacker does not learn that an account was made, changed or deleted`() throws {
    try app.expectNoTrace(of: "an account that signs up and confirms") {
      #expect(app.signUp("neu").status == .accepted)
      let token = try app.lastMail.token
      #expect(app.post("/api/accounts/confirm", ["token": .string(token)]).status == .ok)
    }
    let neu = try app.signIn("neu").identity
    app.expectNoTrace(of: "a new name of an account that nothing names") {
      let answer = app.send(
        .patch, "/api/account",
        json: ["username": "neuer", "current_password": .string(TestApp.password)], as: neu)
      #expect(answer.status == .ok, "\(answer.text)")
    }
    app.expectNoTrace(of: "the end of an account that nothing names") {
      let answer = app.send(
        .delete, "/api/account", json: ["password": .string(TestApp.password)], as: neu)
      #expect(answer.status == .noContent, "\(answer.text)")
    }
  }

  @Test func `an attacker does not learn from a known version that a device exists`() throws {
    let known = try #require(app.get(Path.item(device.id)).headers["ETag"])
    let history = try #require(app.get(Path.item(device.id) + "/history").headers["ETag"])
    _ = app.act("hide", "device", device.id, as: mia.identity)
    for (path, tag) in [
      (Path.item(device.id), known), (Path.item(device.id) + "/history", history),
      ("/devices/\(device.id)", known),
    ] {
      for tag in [tag, "*"] {
        let answer = app.get(path, headers: ["If-None-Match": tag])
        #expect(answer.status == .notFound, "\(path) \(tag)")
      }
      #expect(app.send(.head, path).status == .notFound, "\(path)")
    }
  }

  @Test func `an attacker gets no response of another user from a shared cache`() throws {
    let id = try app.choice(of: ana, about: device.id)
    for path in [
      "/api/account", "/api/choices", "/api/choices/\(id)", "/api/data-requests", "/api/session",
      "/api/account/tokens", "/api/account/sessions", "/api/account/export",
      "/api/account/research-access", Path.item(device.id) + "/location",
      Path.item(device.id) + "/claims",
    ] {
      let answer = app.get(path, as: ana.identity)
      #expect(answer.status == .ok, "\(path) \(answer.text)")
      let control = answer.headers["Cache-Control"] ?? ""
      #expect(control.contains("no-store"), "\(path): \(control)")
      #expect(answer.headers["Access-Control-Allow-Origin"] != "*", "\(path)")
    }
  }

  @Test func `an attacker does not learn the requester from a public response`() throws {
    let coarse = try app.added(["precision": "1km"], as: ana)
    for path in [
      Path.item(coarse), Path.items, Path.item(coarse) + "/history", "/api/statistics",
      "/api/exports/devices.csv", "/api/people/ana",
    ] {
      let (visitor, author) = (app.get(path), app.get(path, as: ana.identity))
      if path != Path.item(coarse) { #expect(visitor.bytes == author.bytes, "\(path)") }
      #expect(author.headers["Set-Cookie"] == nil)
      let isShared = (author.headers["Cache-Control"] ?? "").contains("public")
      if isShared { #expect(visitor.bytes == author.bytes, "\(path) is kept for others") }
    }
  }
}
