package import Accounts
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

  package init(
    moderation: Moderation, accounts: Accounts, erasure: DeviceErasure, overview: Overview
  ) {
    self.moderation = moderation
    self.accounts = accounts
    self.erasure = erasure
    self.overview = overview
  }

  package var endpoints: [Endpoint] {
    overview.endpoints
      + AdminAccountRoutes(moderation: moderation, accounts: accounts).endpoints
      + DeletionAdminRoutes(moderation: moderation, erasure: erasure).endpoints
  }
  package var schemas: [Schema] { AdministrationSchemas.all }
}
