package import Operations
import Service

extension OpenedInstance {
  /// Opens the whole application on a database.
  package static let wholly: Opening = { database, folders, environment, logger in
    let app = try App(
      database: database, folders: folders, settings: InstanceSettings(),
      addresses: Addresses(base: "http://127.0.0.1"), secure: false, environment: environment,
      logger: logger)
    return OpenedInstance(map: app.map, features: app.features, stop: app.stop)
  }
}
