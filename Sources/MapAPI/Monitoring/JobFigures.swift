internal import Locking
import Metrics
import PrivacyMap

/// Counts job runs since the start, by kind and outcome.
package final class JobFigures: Sendable {
  /// The figures of one kind.
  private struct Kind {
    var succeeded = 0
    var failed = 0
    var lastSuccess: Timestamp?
    var lastDuration: Duration?
    /// Interval after a success until the next run; nil if the job is not repeated.
    var every: Duration?
  }

  private let kinds = Locked<[String: Kind]>([:])

  package init() {}

  /// Registers kinds, so that they are reported before their first run.
  func expect(_ names: some Sequence<String>, repeated: [String: Duration]) {
    kinds.withLock { kinds in
      for name in names { kinds[name, default: Kind()].every = repeated[name] }
    }
  }

  func succeeded(_ name: String, took duration: Duration, at now: Timestamp) {
    kinds.withLock { kinds in
      kinds[name, default: Kind()].succeeded += 1
      kinds[name]?.lastSuccess = now
      kinds[name]?.lastDuration = duration
    }
  }

  /// Records a failed run. Unregistered kinds are counted together as `unknown`: the name comes from the
  /// database and may have been written by a later version of Farol.
  func failed(_ name: String, took duration: Duration) {
    kinds.withLock { kinds in
      let name = kinds[name] == nil ? "unknown" : name
      kinds[name, default: Kind()].failed += 1
      kinds[name]?.lastDuration = duration
    }
  }

  /// Metrics of all kinds, including the waiting jobs in the database.
  func families(_ stored: StoredFigureReader) -> [MetricFamily] {
    func gauge(
      _ name: String, _ help: String, _ value: @escaping @Sendable (Kind, String) -> Double?
    ) -> MetricFamily {
      MetricFamily(.gauge, name, help, labels: ["kind"]) {
        self.all.compactMap { name, kind in
          value(kind, name).map { MetricSample($0, labels: [name]) }
        }
      }
    }
    return [
      MetricFamily(
        .counter, "farol_job_runs_total", "Completed job runs, by outcome.",
        labels: ["kind", "outcome"]
      ) {
        self.all.flatMap { name, kind in
          [
            MetricSample(Double(kind.succeeded), labels: [name, "succeeded"]),
            MetricSample(Double(kind.failed), labels: [name, "failed"]),
          ]
        }
      },
      gauge("farol_job_last_duration_seconds", "Duration of the last job of a kind.") { kind, _ in
        kind.lastDuration.map { $0 / .seconds(1) }
      },
      gauge(
        "farol_job_last_success_timestamp_seconds",
        "Time of the last successful job of a kind, as Unix time."
      ) { kind, name in
        let known = kind.lastSuccess?.secondsSinceEpoch
        let before = stored.latest?.jobs[name]?.lastSuccess(every: kind.every)
        return (known ?? before).map { Double($0) }
      },
      gauge("farol_job_interval_seconds", "Interval between repeated jobs of a kind.") {
        kind, _ in kind.every.map { $0 / .seconds(1) }
      },
      gauge(
        "farol_job_overdue_seconds", "Time the oldest job of a kind is overdue; 0 if none is due."
      ) { _, name in
        stored.latest.map { $0.jobs[name]?.overdue ?? 0 }
      },
      gauge("farol_job_given_up", "Jobs of a kind that failed permanently and are still stored.") {
        _, name in stored.latest.map { Double($0.jobs[name]?.givenUp ?? 0) }
      },
    ]
  }

  private var all: [(key: String, value: Kind)] {
    kinds.withLock { $0 }.sorted { $0.key < $1.key }
  }
}
