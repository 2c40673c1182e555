import JSON
import PrivacyMap
@testable import Service
import WebServer

extension AccessScene {
  /// A device of a listed operator, which has a new name. Returns the id and the name.
  private func operated() throws -> (id: String, name: String) {
    let name = "Exemplo \(try app.count("device"))"
    let device = try app.device(longitude: 7.4, latitude: 46.9) {
      $0.answersFor = Operator(name: name, kind: .company)
    }
    return (device.id, name)
  }

  /// A choice of the author's that was sent to such an operator.
  fileprivate func sentChoice() throws -> String {
    let choice = try app.choice(of: author, about: try operated().id, "access", ["country": "PT"])
    let sent = app.send(
      .post, "/api/choices/\(choice)/events", json: ["event": "sent", "channel": "email"],
      as: author.identity)
    guard sent.status == .ok else { throw Unprepared(what: sent.text) }
    return choice
  }

  /// The same choice, made common. Returns the id of the common request.
  fileprivate func commonRequest() throws -> String {
    let answer = app.send(
      .post, "/api/common-requests", json: ["choice": .string(try sentChoice())],
      as: author.identity)
    guard answer.status == .ok else { throw Unprepared(what: answer.text) }
    return try answer.json["request"]?.stringValue ?? ""
  }

  fileprivate func operatorKey() throws -> String {
    try operated().name.lowercased().replacing(" ", with: "-")
  }

  /// A decision of a moderator about an operator. Returns its id.
  fileprivate func ruling() throws -> String {
    let moderator = try somebody(role: .moderator)
    let answer = app.send(
      .post, "/api/moderation/operator-rulings",
      json: ["kind": "withhold", "operator": .string(try operatorKey())], as: moderator.identity)
    guard answer.status == .created else { throw Unprepared(what: answer.text) }
    return try answer.json["id"]?.stringValue ?? ""
  }
}

extension AccessRequests {
  static let operators = [
    AccessRequests("GET /api/operators/named", "–") { $0.get("/api/operators/named") },
    AccessRequests("GET /api/operators/named/{key}", "a listed one") {
      $0.get("/api/operators/named/\(try $0.operatorKey())")
    },
    AccessRequests("GET /api/moderation/operator-rulings", "–") {
      $0.get("/api/moderation/operator-rulings")
    },
    AccessRequests("POST /api/moderation/operator-rulings", "withhold one") {
      $0.send(
        .post, "/api/moderation/operator-rulings",
        ["kind": "withhold", "operator": .string(try $0.operatorKey())])
    },
    AccessRequests("POST /api/moderation/operator-rulings/{id}/undo", "one in effect") {
      $0.send(
        .post, "/api/moderation/operator-rulings/\(try $0.ruling())/undo", ["reason": "A mistake"])
    },
    AccessRequests("GET /api/common-requests", "–") { $0.get("/api/common-requests") },
    AccessRequests("GET /api/common-requests/{id}", "of a listed operator") {
      $0.get("/api/common-requests/\(try $0.commonRequest())")
    },
    AccessRequests("GET /api/common-requests/own", "own") { $0.get("/api/common-requests/own") },
    AccessRequests("POST /api/common-requests", "a sent choice") {
      $0.send(.post, "/api/common-requests", ["choice": .string(try $0.sentChoice())])
    },
    AccessRequests("POST /api/common-requests/{id}/join", "of a listed operator") {
      $0.send(.post, "/api/common-requests/\(try $0.commonRequest())/join")
    },
  ]
}
