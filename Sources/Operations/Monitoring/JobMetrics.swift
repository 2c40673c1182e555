import Metrics
import PrivacyMap
import Service

extension JobFigures {
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
}
