internal import Glibc

/// The priority of the current thread.
package enum ThreadPriority {
  /// Lowers the priority as far as possible: while there is not enough processor time for all threads, the current one
  /// gets almost none.
  package static func lower() { lower(to: 19) }

  /// Lowers the priority to a nice value, up to 19. While a thread of nice 0 competes for the processor, a thread of 5
  /// gets a quarter of it, of 10 a tenth, of 19 a seventieth (`sched_prio_to_weight` of Linux).
  package static func lower(to nice: Int32) {
    // On Linux this affects only the current thread (setpriority(2)).
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, nice)
  }
}
