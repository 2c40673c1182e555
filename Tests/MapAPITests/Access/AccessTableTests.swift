import Foundation
import Logging
import TestClient
import Testing
import WebServer

@testable import MapAPI

/// `docs/access.md` says who gets what, of every endpoint, and a running server keeps to it.
@Suite struct AccessTableTests {
  @Test(arguments: AccessTable.rows)
  func `everybody gets what the table says`(row: AccessTable.Row) throws {
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
    // Somebody who stays, whoever goes.
    _ = try app.account("root", role: .admin)

    for (person, status) in row.statuses {
      // Nobody is kept waiting for what others have done.
      app.clock.advance(by: .seconds(3_600))
      let scene = try AccessScene(app, person)
      let request = try make(scene)
      let client = try RawClient(port: server.port)
      client.send(request.bytes)
      let answer = try #require(client.receive(), "\(person.rawValue)")
      #expect(answer.status == status, "\(person.rawValue): \(answer.text)")
      app.app.administration.desk.rest()
    }
  }

  @Test func `the table has every endpoint, and nothing else`() throws {
    let app = try TestApp()
    let declared = Set(app.app.endpoints.map { "\($0.method.rawValue) \($0.path)" })
    let told = Set(AccessTable.rows.map(\.endpoint))
    #expect(declared.subtracting(told).sorted() == [])
    #expect(told.subtracting(declared).sorted() == [])
  }

  @Test func `every line of the table is read, and every request has its line`() {
    let lines = AccessTable.lines.filter { $0.hasPrefix("| `") }
    #expect(lines.count == AccessTable.rows.count)
    let rows = AccessTable.rows.map { "\($0.endpoint), \($0.of)" }
    #expect(Set(rows).count == rows.count)
    let requests = AccessRequests.all.map { "\($0.endpoint), \($0.of)" }
    #expect(Set(requests).subtracting(rows).sorted() == [])
    let columns = AccessTable.Person.allCases.map(\.rawValue).joined(separator: " | ")
    for line in AccessTable.lines where line.hasPrefix("| endpoint ") {
      #expect(line.hasSuffix("| \(columns) |"))
    }
  }
}
