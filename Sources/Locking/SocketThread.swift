internal import Glibc

/// Marks the threads that serve sockets while a handler runs on them. Work of variable cost must not run there: each
/// request that such a thread takes too long for delays all other connections of that thread.
///
///     let rows = try SocketThread.running { try handler(request) }  // throws TooCostly
///     try SocketThread.leave()  // in the work: has no effect on any other thread
package enum SocketThread {
  /// The value of a marked thread is any pointer, the value of others is nil.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the current thread serves sockets.
  package static var isCurrent: Bool { pthread_getspecific(key) != nil }

  /// Runs `body` with the mark.
  ///
  /// - Throws: ``TooCostly`` if `body` reached ``leave()``, and errors from `body`.
  package static func running<T>(_ body: () throws -> T) rethrows -> T {
    let before = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, before) }
    return try body()
  }

  /// Ends a request that is too costly for the current thread, if that thread serves sockets.
  ///
  /// - Throws: ``TooCostly``.
  package static func leave() throws(TooCostly) {
    if isCurrent { throw TooCostly() }
  }
}

/// A request needs work of variable cost. The router runs its handler once more, from the start, on another thread.
package struct TooCostly: Error {
  package init() {}
}
