@testable import App
import JSON
@testable import Service
import Testing
@testable import WebServer

/// `POST /api/coordinate-conversions`.
@Suite struct ConversionTests {
  let app: TestApp
  let ana: TestAccount
  private static let path = "/api/coordinate-conversions"

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func convert(_ body: JSONValue) -> TestAnswer {
    app.send(.post, Self.path, json: body, as: ana.identity)
  }

  @Test func `positions come back in degrees, in their order, and the system has a name`() throws {
    let found = try convert([
      "crs": "urn:ogc:def:crs:EPSG::25832",
      "positions": [[691_603.0, 5_334_760.0], .null, [1e99, 0.0]],
    ]).json
    #expect(found["crs"] == "EPSG:25832")
    #expect(found["name"] == "ETRS89 / UTM zone 32N")
    #expect(found["positions"] == [[11.5754906, 48.13722], .null, .null])
  }

  @Test func `an unknown system and other positions are refused with the field`() throws {
    #expect(convert(["crs": "EPSG:1", "positions": []]).status == .unprocessableContent)
    #expect(convert(["crs": "🙂", "positions": []]).status == .unprocessableContent)
    for positions in [[[1.0]], [["a", 1.0]], [[1.0, 2.0, 3.0]], ["x"]] as [JSONValue] {
      #expect(convert(["crs": "EPSG:25832", "positions": positions]).status == .badRequest)
    }
    #expect(convert(["crs": "EPSG:25832"]).status == .badRequest)
    #expect(convert(["positions": []]).status == .badRequest)
    let many = JSONValue.array(Array(repeating: .null, count: 2_001))
    #expect(convert(["crs": "EPSG:25832", "positions": many]).status == .badRequest)
  }

  @Test func `an account converts 120 times in ten minutes`() throws {
    for _ in 1...120 {
      #expect(convert(["crs": "EPSG:25832", "positions": []]).status == .ok)
    }
    #expect(convert(["crs": "EPSG:25832", "positions": []]).status == .tooManyRequests)
  }
}
