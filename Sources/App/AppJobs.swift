import Operations
package import Service
import SpatialDatabase

extension App {
  /// The background jobs. Jobs that erase data also record the number of erased rows.
  private var jobs: [Job] {
    let retention = Retention(
      instance.retention, database: database, environment: environment)
    let sweeps = Set(retention.rules.map(\.job))
    return features.flatMap { $0.jobs }.map { job in
      guard sweeps.contains(job.kind) else { return job }
      return Job(job.kind, every: job.every, isLong: job.isLong) {
        try retention.noting(job.kind, job.work, $0)
      }
    }
  }

  /// The handlers of jobs, by kind.
  package var works: [String: JobRunner.Work] {
    Dictionary(jobs.map { ($0.kind, $0.work) }) { first, _ in first }
  }

  /// Kinds of jobs that take so long that they get separate threads.
  package var longWorks: Set<String> { Set(jobs.filter(\.isLong).map(\.kind)) }

  /// Kinds of jobs that repeat, with their intervals.
  package var repeatedWorks: [String: Duration] {
    Dictionary(jobs.compactMap { job in job.every.map { (job.kind, $0) } }) { first, _ in first }
  }
}
