import Devices
import Foundation
internal import Locking
package import Metrics
import PrivacyMap
import Reading
package import Service
import SpatialDatabase
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

  package convenience init(_ instance: Instance) { self.init() }

  /// Registers the metrics of an instance with these features and request queues.
  package func watch(
    _ instance: Instance, _ features: [any Feature], _ router: Router,
    queues: [(name: String, queue: any MeasuredQueue)]
  ) throws {
    let map = try instance.map
    let requests = RequestFigures(router.routes, endpoints: features.flatMap { $0.endpoints })
    let stored = StoredFigureReader(
      map.database, pending: try instance.part(), now: map.environment.now)
    let schema = try? map.database.read { try Int64($0.schemaVersion()) }
    let families =
      Self.ofBuild(schema: schema ?? 0) + MetricFamily.ofProcess + requests.families + ofServer
      + Self.ofDatabase(
        map.database, instance.writes, stored, media: instance.folders.media.path)
      + Self.ofMap(map.index, try instance.part(), stored)
      + Self.ofQueues(queues + features.flatMap { $0.queues })
      + jobs.families(stored) + ofMail(stored) + Self.ofPeople(stored)
      + ofLog(try instance.given()) + features.flatMap { $0.metrics }
    watched.withLock { $0 = Watched(families: families, requests: requests, stored: stored) }
  }

  package func stop() { queue.stop() }

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
