internal import CMicroHTTPD
internal import Glibc

/// A thread of our own, to be joined or detached once.
struct WorkerThread {
  private let handle: pthread_t

  /// - Returns: nil when the system gives no more threads.
  init?(_ work: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    // Released by runWorker, or here when there is no thread to run it.
    let box = Unmanaged.passRetained(Work(work))
    guard pthread_create(&handle, nil, runWorker, box.toOpaque()) == 0 else {
      box.release()
      return nil
    }
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }

  func detach() { pthread_detach(handle) }
}

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWorker(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}

/// A lock with a condition to wait for.
///
/// Made of pthread's own, not of `Synchronization.Mutex`, whose futex the thread sanitizer does not
/// see on Linux: it would report races that are none.
///
/// `@unchecked Sendable`: the value is touched only while the lock is held.
final class Monitor<Value>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: sending Value) {
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    self.value = value
    pthread_mutex_init(lock, nil)
    // By the clock that nobody sets: a wait must not last a year because the day's clock went back.
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

  /// Runs `body` with the lock held, then wakes who waits.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return try body(&value)
  }

  /// As ``withLock``, after waiting until `condition` holds, or until `deadline`.
  func wait<Result>(
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

  /// On the clock of the condition; it is asked again what is left after each wait.
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
