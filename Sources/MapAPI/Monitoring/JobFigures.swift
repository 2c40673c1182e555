internal import Locking
import Metrics
import PrivacyMap

/// How jobs have ended since the start, by their kind.
package final class JobFigures: Sendable {
  /// What is known of a kind.
  private struct Kind {
    var succeeded = 0
    var failed = 0
    var lastSuccess: Timestamp?
    var lastDuration: Duration?
    /// How long after a success it is done again; nil where it is not.
    var every: Duration?
  }

  private let kinds = Locked<[String: Kind]>([:])

  package init() {}

  /// Makes kinds known, so that they are told before they are first done.
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

  /// A kind that nobody knows how to do counts with others of that sort: its name is what a database
  /// holds, perhaps one of a later Farol.
  func failed(_ name: String, took duration: Duration) {
    kinds.withLock { kinds in
      let name = kinds[name] == nil ? "unknown" : name
      kinds[name, default: Kind()].failed += 1
      kinds[name]?.lastDuration = duration
    }
  }

  /// The figures of all kinds, with what the database says of jobs that wait.
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
