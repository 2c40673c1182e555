internal import CMicroHTTPD
internal import Locking

/// An object that suspends a connection.
protocol Suspended: AnyObject, Sendable {
  /// Ends the suspension with the available data, because the server is stopping.
  func abandon()

  /// Whether its body never ends by itself, so that a stop must end it.
  var isEndless: Bool { get }
}

extension Suspended {
  var isEndless: Bool { false }
}

/// A libmicrohttpd connection that other threads may only resume.
///
/// `@unchecked Sendable`: `MHD_resume_connection` may be called from any thread, and a suspended
/// connection is not freed before it is resumed.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// The suspended connections. libmicrohttpd aborts the process if it is stopped while a connection is suspended. All
/// suspensions therefore go through this class, and after ``close()`` no connection can be suspended.
final class Suspensions: Sendable {
  private let state = Monitor(State())

  private struct State {
    var isClosed = false
    var isStopping = false
    var sleeping: [ObjectIdentifier: any Suspended] = [:]
  }

  /// Suspends the connection. Must be called from a callback on its own thread.
  ///
  /// - Returns: false when the server is stopping.
  func suspend(_ connection: ConnectionHandle, for owner: any Suspended) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !(state.isStopping && owner.isEndless) else { return false }
      state.sleeping[ObjectIdentifier(owner)] = owner
      MHD_suspend_connection(connection.pointer)
      return true
    }
  }

  /// Resumes the connection. May be called from any thread, once per suspension.
  func resume(_ connection: ConnectionHandle, for owner: any Suspended) {
    state.withLock { state in
      guard state.sleeping.removeValue(forKey: ObjectIdentifier(owner)) != nil else { return }
      MHD_resume_connection(connection.pointer)
    }
  }

  /// Ends all bodies without an end of their own, so that a stop need not wait for them.
  func endEndless() {
    let endless = state.withLock { state in
      state.isStopping = true
      return state.sleeping.values.filter(\.isEndless)
    }
    for owner in endless { owner.abandon() }
  }

  /// Prevents further suspensions and resumes all suspended connections.
  func close() {
    let sleeping = state.withLock { state in
      state.isClosed = true
      return Array(state.sleeping.values)
    }
    for owner in sleeping { owner.abandon() }
  }

  var isEmpty: Bool { state.withLock { $0.sleeping.isEmpty } }
}
