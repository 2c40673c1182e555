@testable import App
import PrivacyMap
import Testing
import WebServer

/// Filters within the limits of CQL2 whose calculations are nested as deeply as possible.
@Suite struct NestedFilterTests {
  enum Shape: String, CaseIterable, Sendable {
    case signs, sum, difference, quotient, power, inner, innerDifference, innerQuotient, signedSum
    case signedQuotient, list, range, conditions

    private func nested(_ count: Int, _ start: String, _ middle: String = "units") -> String {
      String(repeating: start, count: count) + middle + String(repeating: ")", count: count)
    }

    private func chain(_ count: Int, _ step: String) -> String {
      "units" + String(repeating: step, count: count) + " > 1"
    }

    func filter(_ count: Int) -> String {
      switch self {
      case .signs: String(repeating: "-", count: count) + "units > 1"
      case .sum: chain(count, " + 1")
      case .difference: chain(count, " - 1")
      case .quotient: chain(count, " DIV 1")
      case .power: chain(count, "^1")
      case .inner: "1 > " + nested(count, "1 + (")
      case .innerDifference: "1 > " + nested(count, "1 - (")
      case .innerQuotient: "1 > " + nested(count, "1 DIV (")
      case .signedSum: "1 > " + nested(count, "-(1 + ")
      case .signedQuotient: nested(count, "-(1 DIV ") + " IS NULL"
      case .list: "units IN (1, \(nested(count, "1 - (")))"
      case .range: "units BETWEEN 1 AND " + nested(count, "1 - (")
      case .conditions: nested(8, "NOT (units > 1 AND ", "1 > " + nested(count, "1 - ("))
      }
    }
  }

  @Test(arguments: Shape.allCases)
  func `a nested filter is answered or refused, and never fails`(shape: Shape) throws {
    let app = try TestApp()
    _ = try app.device { $0.units = 2 }
    var isRefused = false
    for count in [1, 2, 3, 4] + Array(5...32) + [60, 100] {
      for path in [
        "/api/collections/devices/items", "/api/statistics", "/api/tiles/devices/0/0/0.mvt",
        "/api/feeds/devices.json",
      ] {
        let answer = app.get(path, ["filter": shape.filter(count), "filter-lang": "cql2-text"])
        if count <= 3 {
          #expect([.ok, .noContent].contains(answer.status), "\(path) \(count): \(answer.text)")
        }
        let expected: [Status] = isRefused ? [.badRequest] : [.ok, .noContent, .badRequest]
        #expect(expected.contains(answer.status), "\(path) \(count): \(answer.text)")
        isRefused = isRefused || answer.status == .badRequest
      }
    }
    #expect(isRefused)
  }
}
