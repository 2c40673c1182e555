package import Devices
import Foundation
package import Logging
package import Operations
package import PrivacyMap
package import Service
package import Site
package import SpatialDatabase
package import WebServer

/// A Farol instance: its database, in-memory index and HTTP interface, connected.
package struct App: Sendable {
  /// The parts that features share, and the features by their types.
  package let instance: Instance
  /// The interface through which background work writes.
  package let map: LiveMap
  /// Everything that the instance can do, in the order of the documentation.
  package let features: [any Feature]
  /// Every operation of the HTTP interface, as listed in the OpenAPI document.
  package let endpoints: [Endpoint]
  /// Runs the endpoints, with queues for costly and slow ones.
  package let execution: Execution
  package let router: Router
  /// The metrics of this instance.
  package let monitoring: Monitoring
  /// Applies the writes of other servers.
  package let follower: IndexFollower

  /// Loads and connects everything that an instance needs. The database must be migrated already.
  ///
  /// `addresses` are the public addresses of the instance, and `secure` states whether they use HTTPS. `files` are the
  /// files of `folders`, if they are being read. `monitoring` must not be shared with another instance.
  package init(
    database: Database, folders: Folders, files: Future<ProgramFiles>? = nil,
    settings: InstanceSettings,
    addresses: Addresses, secure: Bool, environment: Environment, logger: Logger,
    monitoring: Monitoring = Monitoring(), features kinds: [any Feature.Type] = App.kinds
  ) throws {
    self.monitoring = monitoring
    let core = try Core(
      database: database, folders: folders, files: files, settings: settings,
      addresses: addresses, secure: secure, environment: environment, logger: logger,
      monitoring: monitoring, features: kinds)
    (instance, map, follower) = (core.instance, core.map, core.follower)
    features = try kinds.map { try core.instance.part($0) as any Feature }
    endpoints = features.flatMap { $0.endpoints }
    execution = Execution(
      gate: instance.gate, writes: instance.writes, readers: database.readersInUse.all,
      settings: settings, visitors: core.visitors)
    router = try Self.router(instance, core.files, endpoints, execution, secure: secure)
    try monitoring.watch(instance, features, router, queues: execution.queues)
  }

  /// Reads the files of the program on a separate thread. `isServed` states whether browsers will get them.
  package static func files(of folders: Folders, isServed: Bool = true) -> Future<ProgramFiles> {
    Future("files") { try ProgramFiles(folders, isServed: isServed) }
  }

  /// Starts the background work that is not a job.
  package func start() { for feature in features { feature.start() } }

  /// Finishes running work and queued writes. Later requests are refused.
  package func stop() {
    execution.stop()
    for feature in features { feature.stop() }
    follower.stop()
    writes.stop()
  }

  /// Writes, and updates the in-memory index before it returns.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T { try map.write(body) }
}

// The parts of an instance that commands and tests use directly.
extension App {
  package var database: Database { instance.database }
  package var index: MapIndex { map.index }
  package var vocabulary: Vocabulary { map.vocabulary }
  package var environment: Environment { instance.environment }
  package var stopping: Stopping { instance.stopping }
  package var catalogue: Catalogue { instance.catalogue }
  /// Serialises all writes from request handlers.
  package var writes: GroupedWriter { instance.writes }
  /// The logger of the instance, observed for the overview of recent errors.
  package var logger: Logger { instance.logger }
}
