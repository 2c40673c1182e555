internal import Synchronization

/// Takes connections in and hands them to the threads that answer, to each in turn, and to one of its own
/// who asks for the server's health.
///
/// libmicrohttpd's own pool lets whichever thread wakes first take all that wait. What a browser or a proxy
/// opens at once is then answered by one thread, one request after the other, while the others idle
/// (`docs/decisions/0014-connections-in-turn.md`).
final class Acceptor: Sendable {
  private let thread: WorkerThread
  private let bell: Bell
  private let isStopped: StopFlag

  /// Nil when the system gives no more threads or descriptors.
  init?(_ listener: Int32, to daemons: Daemons, _ context: ServerContext) {
    guard let bell = Bell() else { return nil }
    let isStopped = StopFlag()
    let thread = WorkerThread {
      var door = Door(listener: listener, bell: bell, daemons: daemons, context: context)
      while !isStopped.value.load(ordering: .acquiring) { door.letIn() }
      door.close()
    }
    guard let thread else {
      bell.close()
      return nil
    }
    self.thread = thread
    self.bell = bell
    self.isStopped = isStopped
  }

  /// Waits until its thread has ended; those who come wait unanswered from then on. Once.
  func stop() {
    isStopped.value.store(true, ordering: .releasing)
    bell.ring()
    thread.join()
    bell.close()
  }
}

private final class StopFlag: Sendable {
  let value = Atomic(false)
}
