import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import WebServer

extension AccessScene {
  /// An organisation with an operator account. Returns its id.
  func organisation(of account: TestAccount, _ state: String = "approved") throws -> String {
    let id = app.environment.newDeviceID().text
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO organisation (id, account_rowid, name, name_key, kind, domain, state,
          check_method, checked_at, created_at, decided_at)
        VALUES (?1, ?2, 'Exemplo', 'exemplo', 'public', ?3, ?4, 'manual', ?5, ?5, ?5)
        """,
        [
          .text(id), .integer(account.rowid), .text("x\(account.rowid).example"), .text(state),
          .text(app.clock.now.text),
        ])
    }
    return id
  }

  /// The requesting operator has an approved organisation; other callers have none.
  func operatorHasOne() throws {
    let role = try app.text(
      "SELECT role FROM account WHERE rowid = ?", [.integer(asker?.rowid ?? 0)])
    if let asker, role == "operator" { _ = try organisation(of: asker) }
  }

  /// Sets an organisation as the operator of a device: the requester's or, without one, another.
  func claim(_ device: TestDevice, _ state: String = "standing") throws {
    let own = try app.integer(
      "SELECT rowid FROM organisation WHERE account_rowid = ?", [.integer(asker?.rowid ?? 0)])
    var organisation = own
    if organisation == nil {
      _ = try self.organisation(of: somebody(role: .operator))
      organisation = try app.integer("SELECT max(rowid) FROM organisation")
    }
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO organisation_claim (id, device_rowid, organisation_rowid, state, made_at)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          .text(app.environment.newDeviceID().text), .integer(device.rowid),
          SQLValue(organisation), .text(state), .text(app.clock.now.text),
        ])
    }
  }

  /// A choice of the author's about a device that has an operator.
  func claimedChoice() throws -> String {
    let device = try device()
    try claim(device)
    return try app.choice(
      of: author, about: device.id, "access", ["country": "PT", "details": ["name": "A. Person"]])
  }

  /// The same choice, sent through Farol. Returns the id of the request.
  func request() throws -> String {
    let id = try claimedChoice()
    let sent = app.send(.post, "/api/choices/\(id)/send", json: [:], as: author.identity)
    guard sent.status == .ok else { throw Unprepared(what: sent.text) }
    return try app.text("SELECT id FROM request ORDER BY rowid DESC LIMIT 1") ?? ""
  }

  /// The token in the link of a request's letter.
  func replyToken() throws -> JSONValue {
    _ = try request()
    return .string(try app.token(in: "operator_request"))
  }
}

extension AccessRequests {
  static let organisations = known + own + ofDevices + decisions + sending + inbox + replies

  private static let known = [
    AccessRequests("GET /api/operators", "–") { $0.get("/api/operators") },
    AccessRequests("GET /api/operators/{id}", "an approved one") {
      $0.get("/api/operators/\(try $0.organisation(of: $0.somebody()))")
    },
    AccessRequests("GET /api/operators/{id}", "a pending one") {
      $0.get("/api/operators/\(try $0.organisation(of: $0.somebody(), "waiting"))")
    },
    AccessRequests("POST /api/operators", "–") {
      $0.send(
        .post, "/api/operators", ["name": "Exemplo", "kind": "public", "domain": "new.example"])
    },
    AccessRequests("POST /api/operators/check", "token from the mail") { scene in
      let somebody = try scene.somebody()
      _ = try scene.organisation(of: somebody, "waiting")
      let domain = "x\(somebody.rowid).example"
      _ = scene.app.send(
        .post, "/api/operators/mine/check",
        json: ["method": "email", "address": .string("office@\(domain)")], as: somebody.identity)
      let token = try scene.app.token(in: "operator_check")
      return scene.send(.post, "/api/operators/check", ["token": .string(token)])
    },
  ]

  private static let own = [
    ofOwn(.get, ""), ofOwn(.patch, "", ["contact": "office@x.example"]), ofOwn(.delete, ""),
    ofOwn(.post, "/check", ["method": "file"]), ofOwn(.post, "/check/file"),
  ]

  private static func ofOwn(
    _ method: Method, _ path: String, _ json: JSONValue? = nil
  ) -> AccessRequests {
    AccessRequests("\(method.rawValue) /api/operators/mine\(path)", "own") { scene in
      if let asker = scene.asker { _ = try scene.organisation(of: asker, "waiting") }
      return method == .get
        ? scene.get("/api/operators/mine\(path)")
        : scene.send(method, "/api/operators/mine\(path)", json)
    }
  }

  private static let ofDevices = [
    AccessRequests("POST \(Path.items)/{id}/operator", "on the map") { scene in
      try scene.operatorHasOne()
      return scene.send(.post, "\(Path.item(try scene.device().id))/operator", [:])
    },
    AccessRequests("POST \(Path.items)/{id}/operator", "hidden") { scene in
      try scene.operatorHasOne()
      return scene.send(.post, "\(Path.item(try scene.hiddenDevice().id))/operator", [:])
    },
    AccessRequests("POST \(Path.items)/{id}/operator", "deleted") { scene in
      try scene.operatorHasOne()
      return scene.send(.post, "\(Path.item(try scene.deletedDevice().id))/operator", [:])
    },
    ofClaimed(.delete, "/operator"), ofClaimed(.put, "/statement", ["note": "By night alone."]),
    AccessRequests("DELETE \(Path.items)/{id}/statement", "a claimed device") { scene in
      try scene.operatorHasOne()
      let device = try scene.device()
      try scene.claim(device)
      try scene.app.database.write { connection in
        try connection.execute(
          """
          INSERT INTO operator_statement (claim_rowid, content, stated_at)
          SELECT max(rowid), '{}', ? FROM organisation_claim
          """, [.text(scene.app.clock.now.text)])
      }
      return scene.send(.delete, "\(Path.item(device.id))/statement")
    },
  ]

  private static func ofClaimed(
    _ method: Method, _ path: String, _ json: JSONValue? = nil
  ) -> AccessRequests {
    AccessRequests("\(method.rawValue) \(Path.items)/{id}\(path)", "a claimed device") { scene in
      try scene.operatorHasOne()
      let device = try scene.device()
      try scene.claim(device)
      return scene.send(method, "\(Path.item(device.id))\(path)", json)
    }
  }

  private static let decisions = [
    AccessRequests("GET /api/admin/operators", "–") { $0.get("/api/admin/operators") },
    AccessRequests("POST /api/admin/operators/{id}", "approve one") { scene in
      let id = try scene.organisation(of: scene.somebody(), "waiting")
      return scene.send(
        .post, "/api/admin/operators/\(id)",
        try scene.app.proving([
          "decision": "approve", "note": "a good reason",
          "version": .string(try scene.app.version(ofOrganisation: id)),
        ]))
    },
    AccessRequests("GET /api/moderation/operator-claims", "–") {
      $0.get("/api/moderation/operator-claims")
    },
    AccessRequests("POST /api/moderation/operator-claims/{id}", "approve one") { scene in
      try scene.claim(scene.device(), "waiting")
      let id = try scene.app.text("SELECT id FROM organisation_claim ORDER BY rowid DESC") ?? ""
      let claims = try scene.app.get(
        "/api/moderation/operator-claims", ["limit": "100"], as: scene.root().identity)
      let version = try claims.json["claims"]?.arrayValue?.first { $0["id"] == .string(id) }
      return scene.send(
        .post, "/api/moderation/operator-claims/\(id)",
        [
          "decision": "approve", "reason": "a good reason",
          "version": version?["version"] ?? .null,
        ])
    },
  ]

  private static let sending = [
    AccessRequests("POST /api/choices/{id}/send", "another's") { scene in
      scene.send(.post, "/api/choices/\(try scene.claimedChoice())/send", [:])
    }
  ]

  private static let inbox = [
    AccessRequests("GET /api/operator/requests", "own") { scene in
      try scene.operatorHasOne()
      return scene.get("/api/operator/requests")
    },
    ofInbox(.get, "", "own", isOwn: true), ofInbox(.get, "", "another's", isOwn: false),
    ofInbox(.post, "/events", "own", isOwn: true),
    ofInbox(.post, "/events", "another's", isOwn: false),
  ]

  private static func ofInbox(
    _ method: Method, _ path: String, _ of: String, isOwn: Bool
  ) -> AccessRequests {
    AccessRequests("\(method.rawValue) /api/operator/requests/{id}\(path)", of) { scene in
      if isOwn { try scene.operatorHasOne() }
      let request = try scene.request()
      if !isOwn { try scene.operatorHasOne() }
      let address = "/api/operator/requests/\(request)\(path)"
      return method == .get
        ? scene.get(address) : scene.send(method, address, ["event": "acknowledged"])
    }
  }

  private static let replies = [
    AccessRequests("POST /api/replies/open", "link in a letter") { scene in
      scene.send(.post, "/api/replies/open", ["token": try scene.replyToken()])
    },
    AccessRequests("POST /api/replies", "link in a letter") { scene in
      scene.send(
        .post, "/api/replies", ["token": try scene.replyToken(), "event": "acknowledged"])
    },
  ]
}
