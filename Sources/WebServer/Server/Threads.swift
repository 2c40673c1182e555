internal import CMicroHTTPD
internal import Glibc

/// A separate thread, to be joined or detached once.
struct WorkerThread {
  private let handle: pthread_t

  /// - Returns: nil when the system has no more threads.
  init?(_ work: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    // Released by runWorker, or below if the thread cannot be created.
    let box = Unmanaged.passRetained(Work(work))
    guard pthread_create(&handle, nil, runWorker, box.toOpaque()) == 0 else {
      box.release()
      return nil
    }
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }

  func detach() { pthread_detach(handle) }
}

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWorker(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}
