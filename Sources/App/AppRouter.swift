import Devices
import Foundation
import PrivacyMap
import Reading
import Reference
import Service
import Site
import WebServer

extension App {
  /// All endpoints and pages.
  static func router(
    _ instance: Instance, _ files: ProgramFiles, _ endpoints: [Endpoint], _ execution: Execution,
    secure: Bool
  ) throws -> Router {
    let (settings, catalogue) = (instance.settings, instance.catalogue)
    let (frame, versions) = (instance.frame, instance.versions)
    let (store, places): (DeviceStore, PlaceStore?) = try (instance.part(), instance.places)
    var router = Router()
    router.logger = instance.logger
    router.problemText = { catalogue.problemText($0, $1) }
    let refusals = DatabaseRefusals(logger: instance.logger)
    router.httpError = { refusals.refusal($0, isRead: $1) }
    router.relay = { execution.reads.relay($0, $1, $2) }
    router.security.secure = secure
    let servers = [settings.foreignTiles, settings.foreignSatellite].compactMap { $0 }
    if !servers.isEmpty {
      let origins = Array(Set(servers.map(\.origin))).sorted()
      router.security.connectSources = origins
      router.security.imageSources = origins
      router.security.referrerPolicy = "strict-origin-when-cross-origin"
    }
    for endpoint in endpoints { execution.add(endpoint, to: &router) }
    // Clients that append paths to the root (for example OWSLib) request the root with a slash.
    router.alias("/api/", of: "/api")
    let kept: ReleaseFiles = try instance.part()
    files.front.addAssets(to: &router, kept: kept.file)
    try PageRoutes(
      frame: frame, store: store, versions: versions, given: PreloadedAnswers(instance),
      places: places, operators: instance.part(),
      datasets: instance.part(CatalogueRoutes.self).schemaOrg
    ).add(to: &router)
    try PlacePages(frame: frame, store: store, statistics: instance.part(), places: places)
      .add(to: &router)
    try EmbedRoutes(frame: frame, versions: versions, security: router.security.embeddable)
      .add(to: &router)
    SecurityText(settings, catalogue, instance.addresses, instance.environment)?.add(to: &router)
    try LearnRoutes(
      frame: frame,
      pages: LearnPages(texts: files.learn, catalogue: catalogue, name: settings.name),
      database: instance.database, versions: versions
    ).add(to: &router)
    try Discovery(
      name: settings.name, store: store, addresses: instance.addresses, versions: versions,
      categories: store.vocabulary.categories.map(\.code), places: places,
      operators: instance.part()
    ).add(to: &router)
    return router
  }
}
