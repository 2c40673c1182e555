package import Accounts
package import Devices
package import Logging
package import PrivacyMap
package import Service
package import SpatialDatabase

/// An instance that was opened on the database of a backup.
package struct OpenedInstance {
  let map: LiveMap
  let accounts: Accounts
  let stop: () -> Void

  package init(map: LiveMap, accounts: Accounts, stop: @escaping () -> Void) {
    self.map = map
    self.accounts = accounts
    self.stop = stop
  }

  /// Opens an instance on a database, with the folders of the program.
  package typealias Opening =
    @Sendable (
      _ database: Database, _ folders: Folders, _ environment: Environment, _ logger: Logger
    ) throws -> OpenedInstance
}
