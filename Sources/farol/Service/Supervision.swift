import Foundation
internal import Locking

/// Tells the service manager when the program is ready, and then again and again that it is alive, as
/// long as a question is answered at all.
///
/// It asks within the program, not over a socket: when all connections are taken, as in an attack, a
/// restart would help the attacker only. A question that never comes back, because something is locked
/// for good, ends the telling, and the manager restarts the program.
final class Supervision: Sendable {
  private let isStopped = Locked(false)

  /// Seconds between two questions until the program is ready.
  private static let readinessInterval = 0.1

  /// Asks by `isReady`. Once the program was ready the answer does not matter: a full disk or a
  /// database that is away are not mended by a restart.
  init(_ manager: ServiceNotification, isReady: @escaping @Sendable () -> Bool) {
    let thread = Thread { [self] in
      while !hasStopped, !isReady() { Thread.sleep(forTimeInterval: Self.readinessInterval) }
      say(.ready, to: manager)
      guard let interval = manager.watchdogInterval else { return }
      while !hasStopped {
        _ = isReady()
        say(.watchdog, to: manager)
        Thread.sleep(forTimeInterval: interval)
      }
    }
    thread.name = "supervision"
    thread.start()
  }

  private var hasStopped: Bool { isStopped.withLock { $0 } }

  private func say(_ state: ServiceNotification.State, to manager: ServiceNotification) {
    isStopped.withLock { isStopped in
      if !isStopped { manager.send(state) }
    }
  }

  /// From now on it says nothing; its thread ends by itself.
  func stop() { isStopped.withLock { $0 = true } }
}
