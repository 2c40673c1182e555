import Foundation
import Logging
import SpatialDatabase

/// What only admins do, wired.
struct Administration: Sendable {
  let desk: ImportDesk
  let endpoints: [Endpoint]

  /// `media` is where photos lie, `mappings` where the mappings of imports do.
  init(
    moderation: Moderation, erasure: DeviceErasure, errors: RecentErrors, media: URL,
    mappings: URL, logger: Logger
  ) throws {
    let map = moderation.map
    desk = ImportDesk(map: map, logger: logger)
    try desk.endBroken()
    endpoints =
      Overview(map: map, errors: errors, media: media).endpoints
      + AdminAccountRoutes(moderation: moderation).endpoints
      + DeletionDesk(moderation: moderation, erasure: erasure).endpoints
      + ImportRoutes(map: map, desk: desk, mappings: ImportMappings(folder: mappings)).endpoints
  }
}
