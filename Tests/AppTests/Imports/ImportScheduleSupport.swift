@testable import App
import Foundation
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// A scheduled import of a list of cameras.
enum TestSchedule {
  static let path = "/api/admin/import-schedules"
  static let mapping: JSONValue = [
    "source": [
      "code": "city", "name": "Cameras of the city", "licence": "CC-BY-4.0",
      "attribution": "© City",
    ],
    "key": "{id}",
    "fields": [
      "name": [["from": "name"]], "category": "camera_fixed", "longitude": ["from": "lon"],
      "latitude": ["from": "lat"],
    ],
  ]

  /// A list of cameras, of which the last `refused` have no valid position.
  static func list(_ count: Int, named name: String = "Camera", refused: Int = 0) -> String {
    "id,name,lon,lat\n"
      + (0..<count).map { number in
        let latitude = number < count - refused ? 38.7 + Double(number) / 1_000 : 99
        return "\(number),\(name) \(number),-9.1,\(latitude)\n"
      }.joined()
  }

  static func body(_ path: String = "/cameras.csv", _ changes: JSONObject = [:]) -> JSONValue {
    var body = JSONObject([
      ("name", "City"), ("url", .string("https://lists.example\(path)")), ("mapping", mapping),
      ("every", "day"), ("hour", 3),
    ])
    for (name, value) in changes.members { body[name] = value }
    return .object(body)
  }
}

/// Tests of scheduled imports, with a site, an instance that reads from it, and an admin.
protocol ScheduleTesting {
  var site: ListSite { get }
  var app: TestApp { get }
  var admin: TestAccount { get }
}

extension ScheduleTesting {
  @discardableResult
  func add(_ path: String = "/cameras.csv", _ changes: JSONObject = [:]) throws -> Int64 {
    let answer = app.send(
      .post, TestSchedule.path, json: TestSchedule.body(path, changes), as: admin.identity)
    try #require(answer.status == .created)
    return Int64(try #require(try answer.json["id"]?.intValue))
  }

  func schedule(_ id: Int64 = 1) throws -> JSONValue {
    try app.get("\(TestSchedule.path)/\(id)", as: admin.identity).json
  }

  func change(_ changes: JSONValue, of id: Int64 = 1) -> TestAnswer {
    app.send(.patch, "\(TestSchedule.path)/\(id)", json: changes, as: admin.identity)
  }

  /// Lets the time of the next run come, and does it.
  func runNext() throws {
    app.clock.advance(by: .seconds(86_400))
    try app.app.works[ScheduledImport.startJob]?("{}")
    try app.work()
  }

  @discardableResult
  func runNow(_ body: JSONValue = [:]) throws -> TestAnswer {
    let answer = app.send(.post, "\(TestSchedule.path)/1/run", json: body, as: admin.identity)
    try app.work()
    return answer
  }

  func outcome() throws -> String? {
    try schedule()["last_run"]?["outcome"]?.stringValue
  }

  func devices() throws -> Int64? { try app.integer("SELECT count(*) FROM device") }

  /// The number of the last import.
  func lastImport() throws -> Int64 {
    try #require(try app.integer("SELECT max(rowid) FROM import_run"))
  }
}
