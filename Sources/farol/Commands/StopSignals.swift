import Foundation

/// SIGTERM and SIGINT, waited for by one thread.
struct StopSignals {
  private var signals = sigset_t()

  /// Blocks them for this thread and all it starts from now on.
  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // The terminal that started the program may go.
    signal(SIGHUP, SIG_IGN)
  }

  /// Returns once one of them has come.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
  }
}
