@testable import App
import Foundation
@testable import Lists
import Logging
@testable import Operations
@testable import Service
import TestClient
import Testing
import WebServer

/// `access.tsv` states the result of every endpoint for every role, and a running server conforms to it. Its responses conform to the OpenAPI document.
@Suite struct AccessTableTests {
  private static let contract = Result {
    SchemaCheck(document: try TestApp().get("/api/openapi.json").json)
  }

  @Test(arguments: AccessTable.rows)
  func `every role gets the result in the access table`(row: AccessTable.Row) throws {
    let known = AccessRequests.all.first { $0.endpoint == row.endpoint && $0.of == row.of }
    let make = try #require(known?.make)
    let app = try TestApp { folder in
      try TestPlaces.make(in: folder)
      try TestTiles.make(in: folder)
    }
    let server = try Server(
      configuration: ServerConfiguration(port: 0), router: app.app.router,
      logger: Logger(label: "test") { _ in app.log })
    defer { server.stop(within: .zero) }
    // An account that stays when others are deleted.
    _ = try app.account("root", role: .admin)

    func ask(_ who: String, _ person: AccessTable.Person, _ token: AccessTable.Token?) throws -> Int
    {
      // No requester waits for the rate limits used up by others.
      app.clock.advance(by: .seconds(3_600))
      let request = try make(AccessScene(app, person, token))
      let client = try RawClient(port: server.port)
      client.send(request.bytes)
      // A stream has no end.
      let isEndless = ["GET /api/live", "GET /api/visits/stream"].contains(row.endpoint)
      let answer = try #require(client.receive(isHead: isEndless), "\(who)")
      app.app.imports.worker.rest()
      if (200..<300).contains(answer.status) {
        let faults = try Self.contract.get().faults(
          ofResponseTo: row.endpoint, status: answer.status, type: answer["Content-Type"],
          body: answer.body)
        #expect(faults == [], "\(who)")
      }
      return answer.status
    }
    for (person, status) in row.statuses {
      #expect(try ask(person.rawValue, person, nil) == status, "\(person.rawValue)")
    }
    for (token, status) in row.tokens {
      let holder = row.holder(of: token)
      #expect(
        try ask(token.title, holder, token) == status, "\(token.title) of \(holder.rawValue)")
    }
  }

  @Test func `every endpoint refuses a token without its scope`() throws {
    let app = try TestApp()
    for endpoint in app.app.endpoints where endpoint.access != .everyone {
      let name = "\(endpoint.method.rawValue) \(endpoint.path)"
      #expect((endpoint.access.scope == nil) == endpoint.access.isForBrowsers, "\(name)")
      for row in AccessTable.rows where row.endpoint == name {
        for (token, status) in row.tokens {
          guard case .scope(let scope) = token else { continue }
          let isEnough = endpoint.access.scope.map(scope.includes) ?? false
          if !isEnough { #expect(status == 403, "\(name), \(token.title)") }
        }
      }
    }
  }

  @Test func `the table has exactly the endpoints of the server`() throws {
    let app = try TestApp()
    let declared = Set(app.app.endpoints.map { "\($0.method.rawValue) \($0.path)" })
    let reported = Set(AccessTable.rows.map(\.endpoint))
    #expect(declared.subtracting(reported).sorted() == [])
    #expect(reported.subtracting(declared).sorted() == [])
  }

  @Test func `every line of the table is read, and every request has its line`() {
    #expect(AccessTable.lines.count == AccessTable.rows.count)
    let rows = AccessTable.rows.map { "\($0.endpoint), \($0.of)" }
    #expect(Set(rows).count == rows.count)
    let requests = AccessRequests.all.map { "\($0.endpoint), \($0.of)" }
    #expect(Set(requests).subtracting(rows).sorted() == [])
    let columns =
      ["area", "endpoint", "resource"] + AccessTable.Person.allCases.map(\.rawValue)
      + AccessTable.Token.allCases.map(\.title)
    #expect(String(AccessTable.titles) == columns.joined(separator: "\t"))
  }

  /// Each column of the page adds to others: it has a text in an area if, and only if, the data permit its role
  /// something there that they do not permit the others.
  @Test func `the page has a text exactly where a role may do more`() throws {
    let columns: [(of: [AccessTable.Person], beyond: [AccessTable.Person])] = [
      ([.visitor], []),
      ([.unconfirmed, .suspended], [.visitor]),
      ([.confirmed, .other], [.visitor, .unconfirmed, .suspended]),
      ([.operator], [.other]),
      ([.moderator], [.other]),
      ([.admin], [.moderator]),
    ]
    let file = Repository.root.appendingPathComponent("docs/reference/access.md")
    let table = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst()
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    var areas: [String] = []
    for row in AccessTable.rows where areas.last != row.area { areas.append(row.area) }
    #expect(table.compactMap(\.first) == areas)
    for cells in table {
      let rows = AccessTable.rows.filter { $0.area == cells.first }
      try #require(cells.count == columns.count + 1, "\(cells)")
      for (column, text) in zip(columns, cells.dropFirst()) {
        let isMore = rows.contains { row in
          let permitted = Set(row.statuses.filter { (200..<400).contains($0.status) }.map(\.person))
          return !permitted.isDisjoint(with: column.of) && permitted.isDisjoint(with: column.beyond)
        }
        #expect((text != "–") == isMore, "\(cells[0]), \(column.of)")
      }
    }
  }
}
