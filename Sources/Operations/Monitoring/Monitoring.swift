package import Devices
internal import Locking
package import Metrics
import PrivacyMap
package import Reading
package import Service
package import SpatialDatabase
package import WebServer

/// The metrics of a running instance, and access to them (docs/reference/metrics.md).
///
/// Counting is always on; a setting controls who may read the metrics. No label contains text that a user
/// has chosen or sent.
package final class Monitoring: Feature {
  let access: MetricsAccess
  /// Activity of the server: connections, requests, streams.
  package let server = ServerActivity()
  /// Outcomes of jobs.
  package let jobs = JobFigures()
  package let mail = Counters<MailOutcome>()
  /// A separate queue, so that metrics stay available when the other queues are busy.
  package let queue = RequestQueue("metrics", width: 1, capacity: 8)
  private let logLinesDropped: Counter
  private let watched = Locked<Watched?>(nil)

  /// The sources of metrics, set once the instance is wired.
  private struct Watched {
    let families: [MetricFamily]
    let requests: RequestFigures
    let stored: StoredFigureReader
  }

  /// `logLinesDropped` counts log lines that could not be written.
  package init(access: MetricsAccess = .nobody, logLinesDropped: Counter = Counter()) {
    self.access = access
    self.logLinesDropped = logLinesDropped
  }

  /// The parts of an instance that have metrics.
  package struct Watch: Sendable {
    package let map: LiveMap
    package let router: Router
    package let features: [any Feature]
    /// Those of all features.
    package let endpoints: [Endpoint]
    package let writes: GroupedWriter
    package let queues: [(name: String, queue: any MeasuredQueue)]
    package let tiles: TileCache
    package let errors: RecentErrors
    /// The folder of photos.
    package let media: String

    package init(
      map: LiveMap, router: Router, features: [any Feature], endpoints: [Endpoint],
      writes: GroupedWriter, queues: [(name: String, queue: any MeasuredQueue)], tiles: TileCache,
      errors: RecentErrors,
      media: String
    ) {
      self.map = map
      self.router = router
      self.features = features
      self.endpoints = endpoints
      self.writes = writes
      self.queues = queues
      self.tiles = tiles
      self.errors = errors
      self.media = media
    }
  }

  /// Registers the metrics of an instance.
  package func watch(_ parts: Watch) {
    let database = parts.map.database
    let requests = RequestFigures(parts.router.routes, endpoints: parts.endpoints)
    let stored = StoredFigureReader(database, now: parts.map.environment.now)
    let schema = try? database.read { try Int64($0.schemaVersion()) }
    let families =
      Self.ofBuild(schema: schema ?? 0) + MetricFamily.ofProcess + requests.families
      + ofServer + Self.ofDatabase(database, parts.writes, stored, media: parts.media)
      + Self.ofMap(parts.map.index, parts.tiles, stored)
      + Self.ofQueues(parts.queues)
      + jobs.families(stored) + ofMail(stored) + Self.ofPeople(stored) + ofLog(parts.errors)
      + parts.features.flatMap { $0.metrics }
    watched.withLock { $0 = Watched(families: families, requests: requests, stored: stored) }
  }

  package var endpoints: [Endpoint] { MetricsRoutes(monitoring: self).endpoints }

  /// All metrics.
  package var families: [MetricFamily] { watched.withLock { $0?.families } ?? [] }

  /// Reads the figures that come from the database.
  func refresh() { watched.withLock { $0?.stored }?.refresh() }

  /// A callback that counts the finished requests of a server.
  package var observer: @Sendable (AccessRecord) -> Void {
    let requests = watched.withLock { $0?.requests }
    return { requests?.observe($0) }
  }

  private static func ofBuild(schema: Int64) -> [MetricFamily] {
    [
      MetricFamily(
        .gauge, "farol_build_info", "Always 1; the labels state the running version.",
        labels: ["version", "schema"]
      ) { [MetricSample(1, labels: [Farol.version, "\(schema)"])] }
    ]
  }

  private func ofLog(_ errors: RecentErrors) -> [MetricFamily] {
    [
      .counter("farol_log_errors_total", "Errors logged.", errors.counted),
      .counter(
        "farol_log_lines_dropped_total", "Log lines that could not be written.",
        logLinesDropped),
    ]
  }
}
