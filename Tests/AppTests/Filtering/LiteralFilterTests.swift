@testable import App
import JSON
import PrivacyMap
import Testing
import WebServer

/// Filters that compare literals with each other, which no reader of lists writes, but an attacker does.
@Suite struct LiteralFilterTests {
  private static let (one, half) = ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5Z")

  private func count(_ filter: String) throws -> Int? {
    let app = try TestApp()
    _ = try app.device { $0.units = 2 }
    let answer = app.get(
      "/api/collections/devices/items", ["filter": filter, "filter-lang": "cql2-text"])
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json["features"]?.arrayValue?.count
  }

  @Test func `two times with fractions are compared exactly`() throws {
    let (one, half) = (Self.one, Self.half)
    for (sign, left, right, found) in [
      ("=", one, half, 0), ("=", half, half, 1), ("<>", one, half, 1), ("<>", half, half, 0),
      ("<", one, half, 1), ("<", half, one, 0), ("<", half, half, 0), (">", half, one, 1),
      (">", one, half, 0), ("<=", half, half, 1), ("<=", half, one, 0), (">=", half, one, 1),
      (">=", one, half, 0),
    ] {
      let filter = "TIMESTAMP('\(left)') \(sign) TIMESTAMP('\(right)')"
      #expect(try count(filter) == found, "\(filter)")
    }
  }

  @Test func `times with fractions in ranges and lists are answered`() throws {
    let half = "TIMESTAMP('\(Self.half)')"
    #expect(try count("\(half) BETWEEN \(half) AND \(half)") == 1)
    #expect(try count("\(half) IN (TIMESTAMP('\(Self.one)'), \(half))") == 1)
    #expect(try count("\(half) = DATE('2020-01-01')") == 1)
  }

  @Test(arguments: ["'x'", "''", "1", "0.5", "TRUE", "CASEI('x')", "CASEI(name)", "units + 1"])
  func `no literal is null`(operand: String) throws {
    #expect(try count("(\(operand)) IS NULL") == 0)
    #expect(try count("(\(operand)) IS NOT NULL") == 1)
  }

  @Test(arguments: ["name + 1", "units ^ category", "-operator", "CASEI(units)", "1 / 'x'"])
  func `a calculation with a text is refused, also if only its value is asked for`(
    operand: String
  ) throws {
    let app = try TestApp()
    _ = try app.device()
    let answer = app.get(
      "/api/collections/devices/items",
      ["filter": "(\(operand)) IS NULL", "filter-lang": "cql2-text"])
    #expect(answer.status == .badRequest, "\(answer.text)")
  }
}
