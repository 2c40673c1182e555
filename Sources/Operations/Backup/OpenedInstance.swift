package import Devices
package import Logging
package import PrivacyMap
package import Service
package import SpatialDatabase

/// An instance that was opened on the database of a backup.
package struct OpenedInstance {
  let map: LiveMap
  let features: [any Feature]
  let stop: () -> Void

  package init(map: LiveMap, features: [any Feature], stop: @escaping () -> Void) {
    self.map = map
    self.features = features
    self.stop = stop
  }

  /// Opens an instance on a database, with the folders of the program.
  package typealias Opening =
    @Sendable (
      _ database: Database, _ folders: Folders, _ environment: Environment, _ logger: Logger
    ) throws -> OpenedInstance
}
