internal import Glibc

/// Marks the threads that serve sockets while a handler runs on them. Work of variable cost must not run there: each
/// request that such a thread takes too long for delays all other connections of that thread.
///
///     let rows = try SocketThread.running { try handler(request) }  // throws TooCostly
///     try SocketThread.leave()  // in the work: has no effect on any other thread
package enum SocketThread {
  /// The values of a marked thread, before and after ``leave()``. The value of others is nil.
  private static let (serving, left) = (1, 2)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the current thread serves sockets.
  package static var isCurrent: Bool { pthread_getspecific(key) != nil }

  /// Whether the body that runs on this thread has reached ``leave()``.
  package static var hasLeft: Bool {
    pthread_getspecific(key) == UnsafeMutableRawPointer(bitPattern: left)
  }

  /// Runs `body` with the mark.
  ///
  /// - Throws: ``TooCostly`` if `body` reached ``leave()``, even if code in between caught the error there, because its
  ///   result is then incomplete; and errors from `body`.
  package static func running<T>(_ body: () throws -> T) throws -> T {
    let before = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: serving))
    defer { pthread_setspecific(key, before) }
    let result = Result { try body() }
    if hasLeft { throw TooCostly() }
    return try result.get()
  }

  /// Ends a request that is too costly for the current thread, if that thread serves sockets.
  ///
  /// - Throws: ``TooCostly``.
  package static func leave() throws(TooCostly) {
    guard isCurrent else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: left))
    throw TooCostly()
  }
}

/// A request needs work of variable cost. The router runs its handler once more, from the start, on another thread.
package struct TooCostly: Error {
  package init() {}
}
