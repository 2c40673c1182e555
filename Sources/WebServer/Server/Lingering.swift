// As in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc
internal import Locking

/// Reads on for a while what clients still send after they were refused, and throws it away.
///
/// A socket that is closed while there is something unread is reset, and a client that sends all of
/// its body before it reads would find a broken connection in place of the answer (RFC 9112 §9.6).
/// So the answer is sent, our side is closed, and a second descriptor of the socket, which
/// libmicrohttpd does not know, keeps the other side open until the client has seen it.
final class Lingering: Sendable {
  /// What may be read for clients that were refused.
  struct Limits: Sendable {
    /// Connections at a time; those beyond are closed at once.
    var connections = 64
    /// Bytes of one.
    var bytes = 64 << 20
    /// The longest that one is kept.
    var time: Duration
    /// The longest without a byte.
    var silence = Duration.seconds(5)
  }

  private struct Guest {
    let socket: Int32
    let end: Int64
    var silentUntil: Int64
    var bytes = 0
  }

  private struct State {
    /// Those that have come since the thread looked.
    var arrived: [Guest] = []
    var count = 0
    var isStopped = false
  }

  private let state = Monitor(State())
  private let limits: Limits
  /// Rung when somebody has come, or it is time to stop.
  private let bell: Bell
  private let thread: Monitor<WorkerThread?>

  /// Nil when the system gives no more threads or descriptors.
  init?(_ limits: Limits) {
    self.limits = limits
    guard let bell = Bell() else { return nil }
    self.bell = bell
    let started = WorkerThread { [state, limits] in Self.run(state, limits, bell) }
    thread = Monitor(started)
    guard started != nil else {
      bell.close()
      return nil
    }
  }

  deinit { stop() }

  /// Takes in the socket of a connection that is about to be closed.
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
    bell.ring()
  }

  /// Closes what is left, and waits until the thread has ended.
  func stop() {
    // Whoever takes it out stops it, once: afterwards the descriptors may be somebody else's.
    let taken = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let taken else { return }
    state.withLock { $0.isStopped = true }
    bell.ring()
    taken.join()
    bell.close()
  }

  private static func run(_ state: Monitor<State>, _ limits: Limits, _ bell: Bell) {
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
      let ready = wait(for: guests, bell)
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

  /// Waits until somebody sends something, has had enough time, or comes.
  ///
  /// - Returns: for each whether there is something to be read.
  private static func wait(for guests: [Guest], _ bell: Bell) -> [Bool] {
    var polled = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
    polled += guests.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    let next = guests.map { min($0.end, $0.silentUntil) }.min()
    let milliseconds = next.map { max(0, ($0 &- Clock.now) / 1_000_000 + 1) } ?? -1
    poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
    bell.quieten()
    return polled.dropFirst().map { $0.revents != 0 }
  }

  /// - Returns: false when the client has closed, or is gone.
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
