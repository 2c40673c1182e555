/// Whether requests write as fast as the processor allows.
///
/// The writer's processor time shows it: requests that arrive steadily on a slow disk also wait for each other, but the
/// processor is idle meanwhile. And for a moment after each transaction nothing may wait, even if clients write without
/// a pause.
///
/// It is recognised within ``window``, before the work that may wait has begun with the first changes: this work would
/// take processor time from the clients and from the threads that answer them, so the writer would have less to do. A
/// short time is weak evidence, so it takes a high load, and ``longWindow`` confirms it.
struct Saturation {
  /// The time over which the load is measured until the writer is saturated.
  static let window = Duration.milliseconds(50)
  /// The share of a processor above which it is. At 500 devices a second the writer uses a quarter of a processor, and
  /// on a busy machine sometimes two thirds for so short a time. At the highest rate it uses more than three quarters
  /// (docs/reference/load.md).
  static let load = 0.7
  /// The time over which the load is measured from then on.
  static let longWindow = Duration.milliseconds(500)
  /// The share of a processor below which it is no longer saturated.
  static let lowLoad = 0.5
  /// The time without a transaction that ends it, too.
  static let pause = Duration.milliseconds(500)

  /// The begin of the current window.
  private var begin: ContinuousClock.Instant?
  /// The end of the last transaction.
  private var last: ContinuousClock.Instant?
  /// The processor time in the current window.
  private var used = Duration.zero
  private var isHigh = false

  /// Records a transaction with writes of requests.
  ///
  /// - Parameters:
  ///   - processor: the processor time that it took for requests.
  ///   - moment: its end.
  mutating func note(_ processor: Duration, at moment: ContinuousClock.Instant) {
    defer { last = moment }
    guard let begin, let last, moment - last < Self.pause else {
      // The first one after a pause.
      self = Saturation()
      return self.begin = moment
    }
    used += processor
    let elapsed = moment - begin
    guard elapsed >= (isHigh ? Self.longWindow : Self.window) else { return }
    isHigh = used / elapsed > (isHigh ? Self.lowLoad : Self.load)
    self.begin = moment
    used = .zero
  }

  /// Whether the load is high, and the last transaction no longer ago than ``pause``.
  func isReached(at moment: ContinuousClock.Instant) -> Bool {
    guard let last else { return false }
    return isHigh && moment - last < Self.pause
  }
}
