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

  /// Returns once one of them has come.
  func wait() -> Request {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
    return received == SIGHUP ? .reload : .stop
  }
}
