internal import Locking
package import Metrics
import PrivacyMap
import SpatialDatabase
package import WebServer

/// The metrics of a running instance, and access to them (docs/metrics.md).
///
/// Counting is always on; a setting controls who may read the metrics. No label contains text that a user
/// has chosen or sent.
package final class Monitoring: Sendable {
  let access: MetricsAccess
  /// Activity of the server: connections, requests, streams.
  package let server = ServerActivity()
  /// Outcomes of jobs.
  package let jobs = JobFigures()
  let mail = Counters<MailOutcome>()
  /// A separate queue, so that metrics stay available when the other queues are busy.
  let queue = WorkQueue(width: 1, capacity: 8)
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

  /// Registers the metrics of an instance.
  func watch(_ app: App, tiles: TileCache, errors: RecentErrors, media: String) {
    let requests = RequestFigures(app.router.routes, endpoints: app.endpoints)
    let stored = StoredFigureReader(app.database, now: app.surroundings.now)
    let schema = try? app.database.read { try $0.integer("PRAGMA user_version") }
    let families =
      Self.ofBuild(schema: schema ?? 0) + MetricFamily.ofProcess + requests.families
      + ofServer + Self.ofDatabase(app.database, app.writes, stored, media: media)
      + Self.ofBackups(app.backups) + Self.ofMap(app.index, tiles, stored)
      + Self.ofQueues(app.queues)
      + jobs.families(stored) + ofMail(stored) + Self.ofPeople(app, stored)
      + ofLog(errors)
    watched.withLock { $0 = Watched(families: families, requests: requests, stored: stored) }
  }

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
