package import Glibc

/// A value that only one thread at a time can access.
///
/// Uses a pthread mutex instead of `Synchronization.Mutex`, for two reasons (Swift 6.3 on Linux,
/// docs/decisions/0013-pthread-mutexes-for-locks.md). `Synchronization.Mutex` spins a thousand pauses and then
/// enters a futex with priority inheritance: with sixteen threads on one lock, each acquisition takes
/// tens of microseconds instead of a tenth of a microsecond. And its code is in a library that the thread
/// sanitizer does not instrument, so the sanitizer reports false races.
///
/// `@unchecked Sendable`, because the compiler cannot check memory behind pointers. Both pointers are set
/// once. The value is handed over on creation (`sending`) and accessed only while the mutex is held; no
/// reference to it may escape (`sending` again).
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Allocated separately, because a mutex must not move in memory.
  @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming sending Value) {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  @inlinable
  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with exclusive access. The lock is not recursive: its holder must not acquire it again.
  ///
  /// - Parameter body: receives the value.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
