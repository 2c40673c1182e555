import Foundation

/// The signals that a server obeys, waited for by one thread.
struct Signals {
  /// What they ask for.
  enum Request { case stop, reload }

  private var signals = sigset_t()

  /// Blocks them for this thread and all it starts from now on.
  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    // Also from a terminal that goes, which must not end the program.
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits until one of them has come.
  ///
  /// - Parameters:
  ///   - seconds: between two turns of `body`.
  ///   - body: what is done meanwhile, again and again.
  /// - Returns: what it asks for.
  func wait(every seconds: Int, _ body: () -> Void) -> Request {
    var signals = signals
    var end = timespec(tv_sec: seconds, tv_nsec: 0)
    while true {
      switch sigtimedwait(&signals, nil, &end) {
      case SIGHUP: return .reload
      case SIGTERM, SIGINT: return .stop
      // Nothing came, or another signal was handled.
      default: if errno == EAGAIN { body() }
      }
    }
  }
}
