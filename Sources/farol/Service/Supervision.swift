import Foundation
internal import Locking

/// Notifies the service manager when the program is ready, and then sends keep-alive messages as long as an internal
/// request gets any response.
///
/// The request does not use a socket: if an attack occupied all connections, a restart would only help the attacker.
/// If a request never returns because of a deadlock, the messages stop, and the service manager restarts the program.
final class Supervision: Sendable {
  private let isStopped = Locked(false)

  /// Seconds between two requests until the program is ready.
  private static let readinessInterval = 0.1

  /// Starts with requests to `isReady`. After the program has been ready once, the result does not
  /// matter: a restart cannot repair a full disk or a missing database.
  init(_ manager: ServiceNotification, isReady: @escaping @Sendable () -> Bool) {
    NamedThread.start("supervision") { [self] in
      while !hasStopped, !isReady() { Thread.sleep(forTimeInterval: Self.readinessInterval) }
      say(.ready, to: manager)
      guard let interval = manager.watchdogInterval else { return }
      while !hasStopped {
        _ = isReady()
        say(.watchdog, to: manager)
        Thread.sleep(forTimeInterval: interval)
      }
    }
  }

  private var hasStopped: Bool { isStopped.withLock { $0 } }

  private func say(_ state: ServiceNotification.State, to manager: ServiceNotification) {
    isStopped.withLock { isStopped in
      if !isStopped { manager.send(state) }
    }
  }

  /// Sends nothing from now on. The thread ends by itself.
  func stop() { isStopped.withLock { $0 = true } }
}
