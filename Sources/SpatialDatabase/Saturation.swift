/// Whether requests write as fast as the writer can, and the processor is what limits them.
///
/// Requests that arrive steadily on a slow disk also wait for each other, but the processor is idle meanwhile.
struct Saturation {
  /// The time without a pause over which the load is measured.
  static let window = Duration.milliseconds(250)
  /// The share of a processor from which on the writer counts as saturated. At 500 devices a second it uses a quarter, at
  /// the highest rate more than half, with other work on both processors (docs/reference/load.md).
  static let load = 0.4

  /// The begin of the current window: the moment, and the processor time of the writer's thread until then.
  private var begin: (moment: ContinuousClock.Instant, processor: Duration)?
  private(set) var isReached = false

  /// Notes that a transaction has ended.
  ///
  /// - Parameters:
  ///   - isWaiting: whether a write of a request waits.
  ///   - moment: the present.
  ///   - processor: the processor time of the writer's thread so far.
  mutating func note(isWaiting: Bool, at moment: ContinuousClock.Instant, processor: Duration) {
    guard isWaiting else { return self = Saturation() }
    guard let begin else { return self.begin = (moment, processor) }
    let elapsed = moment - begin.moment
    guard elapsed >= Self.window else { return }
    isReached = (processor - begin.processor) / elapsed >= Self.load
    self.begin = (moment, processor)
  }
}
