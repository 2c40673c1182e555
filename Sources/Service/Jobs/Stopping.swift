internal import Synchronization

/// Whether the program is stopping. Jobs that take minutes ask between their steps, because the stop waits for them.
package final class Stopping: Sendable {
  private let begun = Atomic(false)

  package init() {}

  package func begin() { begun.store(true, ordering: .releasing) }

  package var hasBegun: Bool { begun.load(ordering: .acquiring) }

  /// - Throws: ``Interrupted`` if the program is stopping.
  package func confirmGoingOn() throws {
    if hasBegun { throw Interrupted() }
  }
}

/// The program is stopping; the job runs again after the next start.
package struct Interrupted: Error {
  package init() {}
}
