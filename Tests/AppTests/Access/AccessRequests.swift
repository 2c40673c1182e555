@testable import Downloads
import JSON
import WebServer

/// A request for each line of the access table, valid in everything but its sender.
struct AccessRequests {
  typealias Make = @Sendable (AccessScene) throws -> AccessRequest

  let endpoint: String
  let of: String
  let make: Make

  init(_ endpoint: String, _ of: String, _ make: @escaping Make) {
    self.endpoint = endpoint
    self.of = of
    self.make = make
  }

  static let all =
    open + devices + photos + people + moderation + administration + importSchedules + proposals
    + choices
    + dataRequests
    + organisations + collections + watches + visits + mappingDays
    + operators

  /// Endpoints with the same response for all roles, requested plainly or by an example.
  private static let open =
    (plain + exports).map { path in AccessRequests("GET \(path)", "–") { $0.get(path) } }
    + examples.map { template, path in
      AccessRequests("GET \(template)", "–") { scene in
        // An empty tile would return 204 instead of 200.
        _ = try scene.device()
        return scene.get(path)
      }
    }
    + [
      AccessRequests("GET /api/exports/devices.pmtiles", "before the first night") {
        $0.get("/api/exports/devices.pmtiles")
      },
      AccessRequests("GET /api/snapshots/{file}", "unknown file") {
        $0.get("/api/snapshots/2020-01-01.csv.gz")
      },
      AccessRequests("GET /api/cards/devices/{id}.png", "on the map") {
        $0.get("/api/cards/devices/\(try $0.device().id).png")
      },
      AccessRequests("GET /api/cards/devices/{id}.png", "hidden") {
        $0.get("/api/cards/devices/\(try $0.hiddenDevice().id).png")
      },
      AccessRequests("GET /api/places/{id}/border", "without a border") {
        $0.get("/api/places/2/border")
      },
      AccessRequests("GET /api/cards/places/{id}.png", "unknown place") {
        $0.get("/api/cards/places/0.png")
      },
      AccessRequests("POST /api/page-errors", "–") {
        $0.send(.post, "/api/page-errors?kind=error")
      },
      AccessRequests("GET /metrics", "metrics off") { $0.get("/metrics") },
      AccessRequests("GET /streets/{map}/{z}/{x}/{y}.mvt", "without street maps") {
        $0.get("/streets/none/1/0/0.mvt")
      },
      AccessRequests("GET /street-graphs/{graph}/{x}/{y}.piece", "without street graphs") {
        $0.get("/street-graphs/none/0/0.piece")
      },
      AccessRequests("GET /api/people/{username}", "a confirmed one") {
        $0.get("/api/people/\($0.author.username)")
      },
      AccessRequests("GET /api/people/{username}", "an unconfirmed one") {
        $0.get("/api/people/\(try $0.somebody(isConfirmed: false).username)")
      },
      AccessRequests("POST /api/reports", "a device") {
        report(of: try $0.device(), $0)
      },
      AccessRequests("POST /api/reports", "a hidden device") {
        report(of: try $0.hiddenDevice(), $0)
      },
    ]

  private static let plain = [
    "/api", "/api/conformance", "/api/openapi.json", "/api/docs", "/api/settings",
    "/api/collections", "/api/collections/devices", "/api/collections/devices/queryables",
    "/api/collections/devices/schema", "/api/collections/devices/feature-schema",
    Path.items, "/api/tiles/devices.json", "/api/collections/devices/tiles",
    "/api/collections/devices/tiles/WebMercatorQuad", "/api/tileMatrixSets/WebMercatorQuad",
    "/api/taxonomies", "/api/street-graphs", "/healthz", "/readyz",
    "/api/exports/devices.csv-metadata.json",
    "/api/feeds/devices.atom", "/api/feeds/devices.json", "/api/live", "/api/snapshots",
    "/api/catalogue", "/api/cards/statistics.png",
  ]

  private static let exports = ExportFormat.allCases.map { TestApp.exportPath($0) }

  private static let examples = [
    ("/api/tiles/devices/{z}/{x}/{y}.mvt", "/api/tiles/devices/0/0/0.mvt"),
    (
      "/api/collections/devices/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}",
      "/api/collections/devices/tiles/WebMercatorQuad/0/0/0"
    ),
    ("/api/cells/{cell}/changes", "/api/cells/783732/changes"),
    ("/api/places", "/api/places?q=sao"),
    ("/api/places/nearest", "/api/places/nearest?near=-9.1,38.7"),
    ("/api/places/{id}", "/api/places/2"),
    ("/api/cards/places/{id}.png", "/api/cards/places/2.png"),
    ("/api/taxonomies/{scheme}", "/api/taxonomies/categories"),
    ("/basemap/{z}/{x}/{y}.mvt", "/basemap/1/0/0.mvt"),
  ]

  private static func report(of device: TestDevice, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/reports",
      [
        "target": ["type": "device", "id": .string(device.id)], "reason": "gone",
        "note": "It was taken down.",
      ])
  }
}
