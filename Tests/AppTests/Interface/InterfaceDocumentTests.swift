@testable import App
import Foundation
@testable import Service
import Testing
import WebServer

/// `docs/reference/api.md` describes the interface.
@Suite struct InterfaceDocumentTests {
  let app: TestApp
  let lines: [Substring]

  init() throws {
    app = try TestApp()
    let file = Repository.root.appendingPathComponent("docs/reference/api.md")
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  @Test func `every endpoint has a line with its parameters`() throws {
    let filters = Set(
      try #require(app.app.endpoints.first { $0.path == "/api/tiles/devices.json" }).queryNames)
    for endpoint in app.app.endpoints {
      let start = "| `\(endpoint.method.rawValue) \(endpoint.path)` |"
      let line = try #require(lines.first { $0.hasPrefix(start) }, "\(endpoint.path)")
      let takesFilters = filters.isSubset(of: endpoint.queryNames)
      #expect(line.contains("[filters]") == takesFilters, "\(endpoint.path)")
      let own = takesFilters ? endpoint.queryNames.subtracting(filters) : endpoint.queryNames
      for name in own { #expect(line.contains("`\(name)`"), "\(endpoint.path) \(name)") }
    }
  }

  @Test func `every parameter has the description of its declaration`() {
    for parameter in app.app.endpoints.flatMap(\.parameters) {
      let isTold = lines.contains { line in
        line.hasPrefix("| `\(parameter.name)` |") && line.contains(parameter.description)
      }
      #expect(isTold, "\(parameter.name)")
    }
  }

  @Test func `no line describes an address that does not exist`() {
    let known = Set(app.app.endpoints.map { "\($0.method.rawValue) \($0.path)" })
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    for line in lines where methods.contains(where: { line.hasPrefix("| `\($0) ") }) {
      let named = line.split(separator: "`").dropFirst().first.map(String.init) ?? ""
      #expect(known.contains(named), "\(named)")
    }
  }
}
