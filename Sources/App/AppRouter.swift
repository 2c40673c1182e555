import Foundation
import PrivacyMap
import Reading
import Service
import Site
import WebServer

extension App {
  /// All endpoints and pages. `given` are responses that pages contain, so that they need not ask.
  static func router(
    _ core: Core, _ endpoints: [Endpoint], _ execution: Execution, secure: Bool,
    catalogue datasets: CatalogueRoutes, given: PreloadedAnswers
  ) throws -> Router {
    var router = Router()
    router.logger = core.logger
    let catalogue = core.catalogue
    router.problemText = { catalogue.problemText($0, $1) }
    let refusals = DatabaseRefusals(logger: core.logger)
    router.httpError = { refusals.refusal($0, isRead: $1) }
    router.relay = { execution.reads.relay($0, $1, $2) }
    router.security.secure = secure
    let servers = [core.settings.foreignTiles, core.settings.foreignSatellite].compactMap { $0 }
    if !servers.isEmpty {
      let origins = Array(Set(servers.map(\.origin))).sorted()
      router.security.connectSources = origins
      router.security.imageSources = origins
      router.security.referrerPolicy = "strict-origin-when-cross-origin"
    }
    for endpoint in endpoints { execution.add(endpoint, to: &router) }
    // Clients that append paths to the root (for example OWSLib) request the root with a slash.
    router.alias("/api/", of: "/api")
    core.files.front.addAssets(to: &router)
    try PageRoutes(
      frame: core.frame, store: core.store, versions: core.versions, given: given,
      places: core.archives.places, datasets: datasets.schemaOrg
    ).add(to: &router)
    try EmbedRoutes(
      frame: core.frame, versions: core.versions, security: router.security.embeddable
    ).add(to: &router)
    SecurityText(core.settings, catalogue, core.addresses, core.environment)?.add(to: &router)
    try LearnRoutes(
      frame: core.frame,
      pages: LearnPages(texts: core.files.learn, catalogue: catalogue, name: core.settings.name),
      database: core.database, versions: core.versions
    ).add(to: &router)
    Discovery(
      name: core.settings.name, store: core.store, addresses: core.addresses,
      versions: core.versions,
      categories: core.vocabulary.categories.map(\.code), places: core.archives.places
    ).add(to: &router)
    return router
  }
}
