internal import Glibc

/// A lock with a condition variable.
///
/// Not based on ``Locked``, whose body has exclusive access until it ends: here other threads change the
/// value while one waits.
///
/// `@unchecked Sendable`, because the compiler sees a `var` and two pointers. The pointers are set once.
/// The value is accessed only while the mutex is held; waiting releases the mutex and acquires it again.
package final class Monitor<Value>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  package init(_ value: sending Value) {
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    self.value = value
    pthread_mutex_init(lock, nil)
    // The monotonic clock: a wait must not last a year because the wall clock was set back.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    pthread_cond_destroy(changed)
    lock.deallocate()
    changed.deallocate()
  }

  /// Runs `body` with the lock held, then wakes all waiting threads.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return try body(&value)
  }

  /// Like ``withLock``, after waiting until `condition` is true or until `deadline`.
  package func wait<Result>(
    until condition: (borrowing Value) -> Bool, orUntil deadline: ContinuousClock.Instant? = nil,
    _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    while !condition(value) {
      guard let deadline else {
        pthread_cond_wait(changed, lock)
        continue
      }
      let left = deadline - .now
      guard left > .zero else { break }
      var end = Self.moment(after: left)
      pthread_cond_timedwait(changed, lock, &end)
    }
    return try body(&value)
  }

  /// A time on the condition's clock. Limited to an hour; the remaining time is computed again after each
  /// wait.
  private static func moment(after duration: Duration) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let (seconds, attoseconds) = duration.components
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(min(seconds, 3_600)) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
