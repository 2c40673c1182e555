import Foundation
import Logging
import SpatialDatabase

/// Connects the parts that only admins use.
struct Administration: Sendable {
  let desk: ImportDesk
  let collections: CollectionDesk
  let endpoints: [Endpoint]

  /// `media` is the photo folder, `mappings` the folder of import mappings. `backups` may be nil.
  init(
    moderation: Moderation, erasure: DeviceErasure, errors: RecentErrors, media: URL,
    backups: Backups?, mappings: URL, accounts: Accounts, publicChanges: PublicChanges,
    logger: Logger
  ) throws {
    let map = moderation.map
    desk = ImportDesk(map: map, logger: logger)
    try desk.endBroken()
    collections = CollectionDesk(map: map, changes: publicChanges)
    try collections.endBroken()
    endpoints =
      Overview(map: map, errors: errors, media: media, backups: backups).endpoints
      + AdminAccountRoutes(moderation: moderation, accounts: accounts).endpoints
      + DeletionDesk(moderation: moderation, erasure: erasure).endpoints
      + ImportRoutes(map: map, desk: desk, mappings: ImportMappings(folder: mappings)).endpoints
      + collections.endpoints
  }
}
