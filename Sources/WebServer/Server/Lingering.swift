// See the comment in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc
internal import Locking

/// Reads and discards data that clients still send after a rejected request.
///
/// Closing a socket with unread data resets the connection. A client that sends its whole body
/// before reading would then see a connection error instead of the response (RFC 9112 §9.6). The
/// server therefore sends the response and closes its sending side. A second descriptor of the
/// socket, unknown to libmicrohttpd, keeps the receiving side open until the client has read the
/// response.
final class Lingering: Sendable {
  /// Limits for reading from rejected clients.
  struct Limits: Sendable {
    /// Number of connections at a time. Further ones are closed at once.
    var connections = 64
    /// Bytes per connection: some times the longest body that a route accepts, so that a client that
    /// sends a file that is too long reads the response. Python's, for example, sends the whole body first.
    var bytes = 256 << 20
    /// The maximum time per connection.
    var time: Duration
    /// The maximum time without a byte.
    var silence = Duration.seconds(5)
  }

  private struct Guest {
    let socket: Int32
    let end: Int64
    var silentUntil: Int64
    var bytes = 0
  }

  private struct State {
    /// Connections added since the thread last checked.
    var arrived: [Guest] = []
    var count = 0
    var isStopped = false
  }

  private let state = Monitor(State())
  private let limits: Limits
  /// Signals a new connection or the stop.
  private let wakeup: Wakeup
  private let thread: Monitor<WorkerThread?>

  /// Nil when the system has no more threads or descriptors.
  init?(_ limits: Limits) {
    self.limits = limits
    guard let wakeup = Wakeup() else { return nil }
    self.wakeup = wakeup
    let started = WorkerThread { [state, limits] in Self.run(state, limits, wakeup) }
    thread = Monitor(started)
    guard started != nil else {
      wakeup.close()
      return nil
    }
  }

  deinit { stop() }

  /// Takes over the socket of a connection that is about to be closed.
  func takeIn(_ socket: Int32) {
    let isWelcome = state.withLock { state in
      guard !state.isStopped, state.count < limits.connections else { return false }
      state.count += 1
      return true
    }
    guard isWelcome else { return }
    let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return state.withLock { $0.count -= 1 } }
    let now = Clock.now
    let guest = Guest(
      socket: own, end: now &+ limits.time.wholeNanoseconds,
      silentUntil: now &+ limits.silence.wholeNanoseconds)
    state.withLock { $0.arrived.append(guest) }
    wakeup.signal()
  }

  /// Closes the remaining connections, and waits until the thread has ended.
  func stop() {
    // Only the caller that removes the thread stops it. Afterwards the kernel may reuse the
    // descriptors.
    let taken = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let taken else { return }
    state.withLock { $0.isStopped = true }
    wakeup.signal()
    taken.join()
    wakeup.close()
  }

  private static func run(_ state: Monitor<State>, _ limits: Limits, _ wakeup: Wakeup) {
    var guests: [Guest] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let isStopped = state.withLock { state in
        guests += state.arrived
        state.arrived = []
        return state.isStopped
      }
      guard !isStopped else {
        for guest in guests { close(guest.socket) }
        return
      }
      let ready = wait(for: guests, wakeup)
      var staying: [Guest] = []
      for (guest, isReady) in zip(guests, ready) {
        var guest = guest
        if (!isReady || read(&guest, into: &room, limits)), guest.bytes <= limits.bytes,
          min(guest.end, guest.silentUntil) > Clock.now
        {
          staying.append(guest)
        } else {
          close(guest.socket)
        }
      }
      let left = guests.count - staying.count
      if left > 0 { state.withLock { $0.count -= left } }
      guests = staying
    }
  }

  /// Waits for data, a time limit or a new connection.
  ///
  /// - Returns: for each connection, whether there is something to read.
  private static func wait(for guests: [Guest], _ wakeup: Wakeup) -> [Bool] {
    var polled = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
    polled += guests.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    let next = guests.map { min($0.end, $0.silentUntil) }.min()
    let milliseconds = next.map { max(0, ($0 &- Clock.now) / 1_000_000 + 1) } ?? -1
    poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
    wakeup.clear()
    return polled.dropFirst().map { $0.revents != 0 }
  }

  /// - Returns: false when the client has closed or disconnected.
  private static func read(_ guest: inout Guest, into room: inout [UInt8], _ limits: Limits) -> Bool
  {
    let count = recv(guest.socket, &room, room.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      return count < 0 && (errno == EAGAIN || errno == EINTR)
    }
    guest.bytes += count
    guest.silentUntil = Clock.now &+ limits.silence.wholeNanoseconds
    return true
  }
}
