/// Whether requests write as fast as the processor allows.
///
/// The processor time of the writer tells: requests that arrive steadily on a slow disk also wait for each other, but the
/// processor is idle meanwhile. And for a moment after each transaction nothing may wait, even if clients write without a
/// pause.
struct Saturation {
  /// The time over which the load is measured.
  static let window = Duration.milliseconds(250)
  /// The share of a processor from which on the writer counts as saturated. At 500 devices a second it uses a quarter, at
  /// the highest rate more than three quarters (docs/reference/load.md).
  static let load = 0.5

  /// The begin of the current window.
  private var begin: ContinuousClock.Instant?
  /// The processor time since then.
  private var used = Duration.zero
  private var wasReached = false

  /// Notes a transaction with writes of requests.
  ///
  /// - Parameters:
  ///   - processor: the processor time that it took.
  ///   - moment: its end.
  mutating func note(_ processor: Duration, at moment: ContinuousClock.Instant) {
    guard let begin, moment - begin < Self.window * 2 else {
      // The first one after a pause.
      self = Saturation()
      return self.begin = moment
    }
    used += processor
    let elapsed = moment - begin
    guard elapsed >= Self.window else { return }
    wasReached = used / elapsed >= Self.load
    self.begin = moment
    used = .zero
  }

  /// Whether the load was reached in the last window.
  func isReached(at moment: ContinuousClock.Instant) -> Bool {
    guard let begin else { return false }
    return wasReached && moment - begin < Self.window * 2
  }
}
