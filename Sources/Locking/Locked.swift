package import Glibc

/// A value that one thread at a time may touch.
///
/// Made of pthread's mutex and not of `Synchronization.Mutex`, for two reasons (Swift 6.3 on Linux,
/// docs/decisions/0013-locks-of-our-own.md): that one spins a thousand pauses and then enters a futex with
/// inheritance of priority, so that sixteen threads at one lock need tens of microseconds for each
/// taking instead of a tenth of one; and its steps lie in a library that the thread sanitizer does not see
/// into, which reports races that are none.
///
/// `@unchecked Sendable`, as the compiler knows nothing of memory behind pointers: both pointers are set
/// once; the value is given away by whoever makes the lock (`sending`), is touched only between locking
/// and unlocking, and nothing of it may be kept beyond (`sending` again).
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // In memory of their own, as a mutex must not move.
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

  /// Runs `body` while no other thread does; whoever holds the lock must not take it again.
  ///
  /// - Parameter body: what to do with the value.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
