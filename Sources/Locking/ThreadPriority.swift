internal import Glibc

/// The priority of the current thread.
package enum ThreadPriority {
  /// Lowers the priority as far as possible: while there is not enough processor time for all threads, the current one
  /// gets almost none.
  package static func lower() {
    // On Linux this affects only the current thread (setpriority(2)).
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
  }
}
