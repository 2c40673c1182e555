import Devices
import JSON
import Locking
package import Logging
package import Service
package import SpatialDatabase
import WebServer

/// `/healthz` and `/readyz`, for monitoring.
package struct HealthRoutes: Feature {
  package let database: Database
  /// Whether the country of devices is computed.
  package let hasCountries: Bool
  package let logger: Logger

  package var endpoints: [Endpoint] {
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
          .refusal(
            503,
            "The database does not respond, is behind what this server has seen, or a newer version has changed it."
          ),
        ], ready
      ).ofPrimary(),
    ]
  }

  package var schemas: [Schema] { [Self.health.component] }

  private static let health = JSONShape<(status: String, countries: String?)>(
    "health", .text("status") { $0.status },
    .init("countries", .oneOf(["ready", "missing"])) { $0.countries }.optional)

  package init(_ instance: Instance) throws {
    let map: LiveMap = try instance.given()
    (database, hasCountries) = (map.database, map.countries != nil)
    logger = instance.logger
  }

  @Sendable private func ready(_ request: Request) throws -> Response {
    let isFilled: Bool
    do {
      isFilled = try database.readQuickly { try HealthStore().hasCategories($0) }
      try database.confirmSchema()
    } catch let error as TooCostly {
      // It is asked again on another thread, for example before the first connection is open.
      throw error
    } catch {
      logger.error("the database does not answer", metadata: ["error": "\(error)"])
      throw Refusal.readingImpossible
    }
    return Self.status(
      isFilled ? "ready" : "empty", countries: hasCountries ? "ready" : "missing")
  }

  private static func status(_ word: String, countries: String? = nil) -> Response {
    var response = Response.json((word, countries), as: health)
    response.headers.setDefault("Cache-Control", "no-store")
    return response
  }
}
