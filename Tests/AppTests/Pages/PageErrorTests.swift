@testable import Site
import Service
import App
import Metrics
import Testing
import WebServer

@Suite struct PageErrorTests {
  private func report(_ app: TestApp, _ target: String) -> Status {
    app.send(.post, target: "/api/page-errors\(target)").status
  }

  @Test func `an error of a page is counted by its kind alone`() throws {
    let app = try TestApp()
    #expect(report(app, "?kind=file") == .noContent)
    #expect(report(app, "?kind=file") == .noContent)
    #expect(report(app, "?kind=error") == .noContent)
    let family = try #require(try app.app.instance.part(PageErrors.self).metrics.first)
    #expect(family.name == "farol_page_errors_total")
    let values = family.samples().map { "\($0.labels.first ?? "") \($0.value)" }
    #expect(values == ["error number(1.0)", "rejection number(0.0)", "file number(2.0)"])
  }

  @Test(arguments: ["", "?kind=other", "?kind=error&text=secret"])
  func `a report with anything else is refused`(target: String) throws {
    #expect(report(try TestApp(), target) == .badRequest)
  }

  @Test func `a network can count only a few errors`() throws {
    let app = try TestApp()
    for _ in 0..<20 { #expect(report(app, "?kind=error") == .noContent) }
    #expect(report(app, "?kind=error") == .tooManyRequests)
  }
}
