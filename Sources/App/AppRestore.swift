package import Logging
package import Operations
package import PrivacyMap
package import Service

extension Restore {
  /// Replaces an instance with the backup in a folder; `erasures` contains the erasures since then.
  package init(
    backup: String, to place: Place, program: Program, erasures: ErasureList,
    environment: Environment, logger: Logger
  ) {
    self.init(
      backup: backup, to: place, program: program, erasures: erasures, environment: environment,
      logger: logger
    ) { database, folders, environment, logger in
      let app = try App(
        database: database, folders: folders, settings: InstanceSettings(),
        addresses: Addresses(base: "http://127.0.0.1"), secure: false, environment: environment,
        logger: logger)
      return OpenedInstance(map: app.map, features: app.features, stop: app.stop)
    }
  }
}
