package import Accounts
import DevicePhotos
package import Devices
import Foundation
import Logging
package import Moderation
package import Service
import SpatialDatabase

/// The overview of an instance, its accounts, and deletions, for admins.
package struct Administration: Feature {
  package let moderation: Moderation
  package let accounts: Accounts
  package let erasure: DeviceErasure
  package let overview: Overview
  private let names: DeviceNames

  package init(_ instance: Instance) throws {
    let feature: ModerationFeature = try instance.part()
    moderation = feature.moderation
    let photos: Photos = try instance.part()
    names = try instance.part()
    (accounts, erasure) = (try instance.part(), photos.erasure)
    overview = Overview(
      map: moderation.map, errors: try instance.given(),
      pictures: photos.pictures, backups: Backups(instance),
      retention: Retention(
        instance.retention, database: instance.database, environment: instance.environment),
      pending: try instance.part())
  }

  package var endpoints: [Endpoint] {
    overview.endpoints
      + AdminAccountRoutes(moderation: moderation, accounts: accounts).endpoints
      + DeletionAdminRoutes(moderation: moderation, erasure: erasure, names: names).endpoints
  }
  package var schemas: [Schema] { AdministrationSchemas.all }
}
