@testable import App
import PrivacyMap
@testable import Downloads
@testable import Service
import Testing
import WebServer

/// Invalid values of any parameter of any path never cause a server error, and a refusal names the
/// parameter.
@Suite struct NastyValueTests {
  let app: TestApp
  /// A user with every permission.
  let admin: Identity

  init() throws {
    app = try TestApp { folder in try TestPlaces.make(in: folder) }
    admin = try app.account("root", role: .admin).identity
    _ = try RandomWorld(app, count: 30)
  }

  private static let values = [
    "", " ", "0", "-1", "1.5", "nan", "inf", "1e309", "-0", "99999999999999999999999999",
    "9223372036854775808", "2147483648", "4194304", "null", "undefined", "true", "[]", "{}", "*",
    "..", "'", "\"", "' OR 1=1 --", "%", "%25", "_", "\\", "../../../etc/passwd", "a,b,c", ",,,,",
    "1,2", "1,2,3,4", "é", "日本語", "\u{202E}abc", "\u{FEFF}", "\u{1F600}", "\u{0301}", "a\tb",
    "a\nb", "a\r\nSet-Cookie: x=y", "<script>alert(1)</script>", "{{7*7}}", "${jndi:x}", "AND",
    "NEAR(", "name:x", "^a", "a*", "\"unclosed", "(", "2026-13-45T99:99:99Z", "../..", "../2026",
    "2026-01-01T00:00:00Z/2025-01-01T00:00:00Z", "http://www.opengis.net/def/crs/EPSG/0/99999",
    String(repeating: "a", count: 3_000), String(repeating: "1,", count: 1_500),
    String(repeating: "(", count: 1_000),
  ]

  @Test func `every query parameter of every path refuses invalid values`() throws {
    // Exports share their filters, so one of them is enough.
    let others = Set(ExportFormat.allCases.dropFirst().map { TestApp.exportPath($0) })
    for endpoint in app.app.endpoints where !others.contains(endpoint.path) {
      let path = Self.filled(endpoint.path, with: [:])
      for name in endpoint.queryNames.sorted() {
        for value in Self.values {
          let answer = app.send(target: Request.target(path, [(name, value)]), as: admin)
          #expect(answer.status.code < 500, "\(path) \(name)=\(value.prefix(60))")
          if answer.status == .badRequest {
            let fields = try answer.fields
            let isNamed =
              fields == [name] || Self.companions[name].map { fields == [$0] } == true
              || endpoint.path == "/api/places" && fields == ["q"]
              || endpoint.path == "/api/visits" && fields == ["bbox"]
              || endpoint.path == "/api/letters" && (fields == ["device"] || fields == ["kind"])
            #expect(isNamed, "\(path) \(name)=\(value.prefix(60)): \(fields)")
          }
        }
      }
    }
    #expect(app.log.lines.isEmpty)
  }

  /// A parameter that is refused only because another parameter is missing.
  private static let companions = ["sortby": "near", "near": "sortby"]

  @Test func `every path parameter of every path refuses invalid values`() throws {
    for endpoint in app.app.endpoints {
      for parameter in endpoint.parameters where parameter.location == .path {
        for value in Self.values where !value.isEmpty {
          let path = Self.filled(endpoint.path, with: [parameter.name: value])
          let answer = app.send(target: path, as: admin)
          #expect(answer.status.code < 500, "\(path.prefix(100))")
          if answer.status == .badRequest {
            #expect(try answer.fields == [parameter.name], "\(path.prefix(100))")
          }
        }
      }
    }
    #expect(app.log.lines.isEmpty)
  }

  @Test func `a repeated parameter is refused, or read as a list`() throws {
    for endpoint in app.app.endpoints where endpoint.method == .get {
      let path = Self.filled(endpoint.path, with: [:])
      for parameter in endpoint.parameters where parameter.location == .query {
        let value = Self.good[parameter.name] ?? parameter.schema.example
        let pairs = [(parameter.name, value), (parameter.name, value)]
        let answer = app.send(
          target: Request.target(
            path,
            pairs + (Self.with[parameter.name] ?? []).filter { endpoint.queryNames.contains($0.0) }),
          as: admin)
        if case .repeated = parameter.schema {
          #expect(answer.status.code < 400, "\(path) \(parameter.name)")
        } else {
          let isRefused = [.notFound, .badRequest, .unauthorized].contains(answer.status)
          #expect(isRefused, "\(path) \(parameter.name)")
          if answer.status == .badRequest {
            #expect(try answer.fields == [parameter.name], "\(path)")
          }
        }
      }
    }
  }

  @Test func `an unknown parameter is refused by every path of the interface`() throws {
    for endpoint in app.app.endpoints where endpoint.path.hasPrefix("/api") {
      let path = Self.filled(endpoint.path, with: [:])
      for name in ["nothing", "BBOX", "bbox ", "limit[]", ""] {
        let answer = app.send(endpoint.method, target: Request.target(path, [(name, "1")]))
        // The parameters of a missing collection are unknown.
        if endpoint.judgesQuery {
          #expect(answer.status == .notFound, "\(path) \(name)")
          continue
        }
        #expect(answer.status == .badRequest, "\(path) \(name)")
        #expect(try answer.fields == [name])
      }
    }
  }

  @Test(arguments: [
    "?%", "?bbox=%", "?bbox=%zz", "?bbox=%00", "?bbox=%ff", "?bbox=%c0%af", "?q=%ed%a0%80", "/%",
    "/%2e%2e/%2e%2e", "/%00", "?&&&", "?=", "?=1", "?bbox", "?q=%F0%9F%98%80", "/..", "/.",
  ])
  func `percent signs that encode nothing are a client error`(end: String) {
    let answer = app.send(target: Path.items + end)
    #expect(answer.status.code < 500)
  }

  /// A valid value for a parameter, so that only the repetition is wrong.
  private static let good = [
    "bbox": "0,0,1,1", "bbox-crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "datetime": "2026-01-01T00:00:00Z",
    "category": "webcam", "data_collected": "video", "choices": "access", "operator": "a",
    "operator_kind": "public", "setting": "public", "status": "reported", "freshness": "due",
    "country": "PT", "place": "1", "q": "a", "limit": "1", "cursor": "a", "near": "1,2",
    "sortby": "name", "properties": "model", "lang": "en", "f": "json",
    "created_at": "2026-01-01", "updated_at": "2026-01-01", "last_confirmed": "2026-01-01",
    "compare": "country:PT",
  ]
  private static let with = ["limit": [("q", "a")], "near": [("sortby", "distance")]]

  private static func filled(_ template: String, with values: [String: String]) -> String {
    let usual = ["scheme": "data", "id": "01935f6e-0000-7000-8000-000000000000", "collection": "x"]
    var path = ""
    for piece in template.split(separator: "{", omittingEmptySubsequences: false) {
      guard let end = piece.firstIndex(of: "}") else {
        path += piece
        continue
      }
      let name = String(piece[..<end])
      let value = values[name] ?? usual[name] ?? "0"
      path += Request.target("", [("", value)]).dropFirst(2)
      path += piece[piece.index(after: end)...]
    }
    return path
  }
}

extension Parameter.Schema {
  /// A value that it accepts.
  fileprivate var example: String {
    switch self {
    case .number: "1"
    case .boolean: "true"
    case .date: "2026-01-31"
    case .repeated(let schema): schema.example
    default: "json"
    }
  }
}
