/// A kind of background job and its handler.
package struct Job: Sendable {
  /// The value of `job.kind`.
  package let kind: String
  /// The interval of a job that repeats forever; nil for jobs that are scheduled one by one.
  package let every: Duration?
  /// Whether it takes so long that it runs on a separate thread.
  package let isLong: Bool
  package let work: JobRunner.Work

  package init(
    _ kind: String, every: Duration? = nil, isLong: Bool = false, work: @escaping JobRunner.Work
  ) {
    self.kind = kind
    self.every = every
    self.isLong = isLong
    self.work = work
  }

  /// A repeated job without a payload.
  package init(
    _ kind: String, every: Duration, isLong: Bool = false,
    run: @escaping @Sendable () throws -> Void
  ) {
    self.init(kind, every: every, isLong: isLong) { (_: String) in try run() }
  }
}
