internal import CMicroHTTPD
internal import Locking

/// Something for which a connection sleeps.
protocol Suspended: AnyObject, Sendable {
  /// Ends the sleep with what there is, as the server stops.
  func abandon()
}

/// A connection as libmicrohttpd knows it, lent to other threads for one thing only: resuming it.
///
/// `@unchecked Sendable`: `MHD_resume_connection` may be called from any thread, and a suspended
/// connection is not freed before it is resumed.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// The connections that sleep. libmicrohttpd aborts the process if it is stopped while there is one,
/// so all go to sleep and wake up through here, and after ``close()`` none goes to sleep.
final class Suspensions: Sendable {
  private let state = Monitor(State())

  private struct State {
    var isClosed = false
    var sleeping: [ObjectIdentifier: any Suspended] = [:]
  }

  /// Puts the connection to sleep; only from a callback on its own thread.
  ///
  /// - Returns: false when the server is stopping.
  func suspend(_ connection: ConnectionHandle, for owner: any Suspended) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.sleeping[ObjectIdentifier(owner)] = owner
      MHD_suspend_connection(connection.pointer)
      return true
    }
  }

  /// Wakes the connection; from any thread, once for each sleep.
  func resume(_ connection: ConnectionHandle, for owner: any Suspended) {
    state.withLock { state in
      guard state.sleeping.removeValue(forKey: ObjectIdentifier(owner)) != nil else { return }
      MHD_resume_connection(connection.pointer)
    }
  }

  /// Lets none sleep any more and wakes those who do.
  func close() {
    let sleeping = state.withLock { state in
      state.isClosed = true
      return Array(state.sleeping.values)
    }
    for owner in sleeping { owner.abandon() }
  }

  var isEmpty: Bool { state.withLock { $0.sleeping.isEmpty } }
}
