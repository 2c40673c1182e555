@testable import App
import Foundation
import JSON
import Locking
@testable import Lists
@testable import Operations
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// No request of the greatest length may hold the one writer longer than its budget (docs/reference/performance.md,
/// "Budget of the writer").
///
/// The test measures processor time of the thread that writes, so that a busy machine changes
/// nothing. A debug build is slower than a release build; its limit is twice the time.
@Suite struct WriterBudgetTests {
  @Test func `every endpoint that writes has a request for the hostile bodies`() throws {
    let app = try TestApp()
    let writing = app.app.endpoints.filter { !$0.method.isRead }
    let known = Set(WritingCase.all.map(\.endpoint))
    let lacking = writing.map { "\($0.method.rawValue) \($0.path)" }.filter { !known.contains($0) }
    #expect(lacking == [])
    #expect(writing.count > 50)
  }

  @Test(arguments: WritingCase.all)
  func `no hostile body holds the writer longer than its budget`(_ written: WritingCase) throws {
    let app = try TestApp { folder in
      try TestPlaces.make(in: folder)
      try TestTiles.make(in: folder)
    }
    // An account that stays when others are deleted.
    _ = try app.account("root", role: .admin)
    let found = app.app.endpoints.first { "\($0.method.rawValue) \($0.path)" == written.endpoint }
    let endpoint = try #require(found)
    let good = try written.request(app)
    let longest = app.hold(good)
    #expect(longest < WriterBudget.processor, "as it should be: \(longest)")
    guard let body = endpoint.body else { return }
    let bodies = try written.hostileBodies(like: good, as: body, app)
    var worst = (name: "", hold: Duration.zero)
    for hostile in bodies {
      var request = try written.request(app)
      request.body = hostile.body
      if body.type != "multipart/form-data" { #expect(hostile.body.count <= body.limit) }
      let hold = app.hold(request)
      #expect(hold < WriterBudget.processor, "\(hostile.name): \(hold)")
      if hold > worst.hold { worst = (hostile.name, hold) }
    }
    WriterBudget.tell(
      "\(written.endpoint): \(longest) as usual, at most \(worst.hold) with \(worst.name)")
  }
}

/// The writer time that a request may take.
enum WriterBudget {
  static let processor: Duration = {
    #if DEBUG
      .milliseconds(100)
    #else
      .milliseconds(50)
    #endif
  }()

  /// Prints the figures in the output, for docs/reference/performance.md.
  static func tell(_ figure: String) {
    FileHandle.standardError.write(Data("writer held: \(figure)\n".utf8))
  }
}

/// One endpoint that writes, and a permitted role.
struct WritingCase: Sendable, CustomTestStringConvertible {
  let endpoint: String
  let person: AccessTable.Person
  private let make: AccessRequests.Make

  var testDescription: String { endpoint }

  /// For each endpoint the first line of the access table that permits a role, or that lets a role
  /// reach its handler.
  static let all: [WritingCase] = {
    var known: Set<String> = []
    return (rows { (200..<300).contains($0) } + rows { ![401, 403, 404].contains($0) })
      .compactMap { row, person -> WritingCase? in
        guard !row.endpoint.hasPrefix("GET "), !known.contains(row.endpoint),
          let request = AccessRequests.all.first(where: {
            $0.endpoint == row.endpoint && $0.of == row.of
          })
        else { return nil }
        known.insert(row.endpoint)
        return WritingCase(endpoint: row.endpoint, person: person, make: request.make)
      }
  }()

  private static func rows(
    _ isMeant: (Int) -> Bool
  ) -> [(row: AccessTable.Row, person: AccessTable.Person)] {
    AccessTable.rows.compactMap { row in
      row.statuses.first { isMeant($0.status) }.map { (row, $0.person) }
    }
  }

  /// A request that would succeed, about its own resources.
  func request(_ app: TestApp) throws -> AccessRequest { try prepared(app).request }

  /// The same with a token, and the account that sends it; nil for a visitor.
  func prepared(
    _ app: TestApp, _ token: AccessTable.Token? = nil
  ) throws -> (request: AccessRequest, asker: TestAccount?) {
    app.clock.advance(by: .seconds(3_600))
    let scene = try AccessScene(app, person, token)
    return (try make(scene), scene.asker)
  }

  func hostileBodies(
    like good: AccessRequest, as body: Endpoint.Body, _ app: TestApp
  ) throws -> [(name: String, body: [UInt8])] {
    guard body.type != "multipart/form-data" else {
      return Self.forms(good.body ?? []).map { ($0.name, Array($0.text.utf8)) }
    }
    let document = try app.get("/api/openapi.json").json
    let schema = HostileBodies.Schema(
      ["$ref": .string("#/\(body.schema ?? "")")], in: document["components"]?["schemas"])
    let value = try good.body.map { try JSONValue(parsing: $0) } ?? [:]
    // Names of members take more room than the fillers allow for.
    return HostileBodies(good: value, size: body.limit * 9 / 10, schema: schema).all.map {
      ($0.name, Array($0.text.utf8))
    }
  }

  /// The form with one more part, and with many.
  private static func forms(_ good: [UInt8]) -> [HostileBodies.Body] {
    let start = String(decoding: good, as: UTF8.self)
      .replacingOccurrences(of: "--XX--\r\n", with: "")
    func part(_ name: String, _ text: String) -> String {
      "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n"
    }
    let room = HostileBodies.size - start.utf8.count - 1_024
    let names = ["alt", "title", "name", "licence", "id"]
    return names.map { name in
      HostileBodies.Body(
        name: "a long \(name)",
        text: start + part(name, String(repeating: "a\u{301}\u{316}", count: room / 5))
          + "--XX--\r\n")
    } + [
      HostileBodies.Body(
        name: "many parts",
        text: start + String(repeating: part("x", "y"), count: room / part("x", "y").utf8.count)
          + "--XX--\r\n")
    ]
  }
}

extension TestApp {
  /// The longest that a request held the writer at once, in processor time.
  func hold(_ sent: AccessRequest) -> Duration {
    var headers = Headers()
    for (name, value) in sent.headers { headers.add(name, value) }
    let request = Request(sent.method, sent.path, headers: headers, body: sent.body ?? [])
    return hold { _ = app.router.respond(to: request) }
  }

  /// The longest that an operation held the writer at once, in processor time.
  func hold(_ work: () -> Void) -> Duration {
    let longest = Holds()
    database.activity.watchHolds { longest.note($0) }
    work()
    app.imports.worker.rest()
    database.activity.watchHolds(nil)
    return longest.processor
  }
}

/// The longest of several holds.
private final class Holds: Sendable {
  private let longest = Locked(Duration.zero)

  var processor: Duration { longest.withLock { $0 } }

  func note(_ hold: Duration) { longest.withLock { $0 = max($0, hold) } }
}
