import JSON
import Logging
import SpatialDatabase
import WebServer

/// `/healthz` and `/readyz`, for monitoring.
struct HealthRoutes {
  let database: Database
  let index: MapIndex
  /// Whether the country of devices is computed.
  let hasCountries: Bool
  let logger: Logger

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getHealth", "/healthz", tag: "Operation", summary: "Whether the program is running.",
        answers: [.ok("Alive.", "application/json", schema: "health")]
      ) { _ in Self.status("alive") },
      Endpoint(
        "getReadiness", "/readyz", tag: "Operation",
        summary: "Whether the database responds and the map is in memory.",
        answers: [
          .ok("Ready.", "application/json", schema: "health"),
          .refusal(503, "The database does not respond."),
        ], ready),
    ]
  }

  @Sendable private func ready(_ request: Request) throws -> Response {
    let devices: Int64?
    do {
      devices = try database.read { try $0.integer("SELECT 1 FROM category LIMIT 1") }
    } catch {
      logger.error("the database does not answer", metadata: ["error": "\(error)"])
      throw Refusal.readingImpossible
    }
    return Self.status(
      devices == nil ? "empty" : "ready", countries: hasCountries ? "ready" : "missing")
  }

  private static func status(_ word: String, countries: String? = nil) -> Response {
    var json = JSONWriter()
    json.beginObject()
    json.member("status", word)
    if let countries { json.member("countries", countries) }
    json.endObject()
    var response = Response.json(json.bytes)
    response.headers.setDefault("Cache-Control", "no-store")
    return response
  }
}
