internal import CMicroHTTPD
internal import Locking

/// Carries a body from the thread that writes it to the connection that sends it.
///
/// It holds at most ``capacity`` bytes: a writer that is ahead waits, a connection that is ahead
/// sleeps. A writer that may not wait for ever puts what is left aside, into a file without a name
/// (``putAside(after:)``), and is done.
final class BodyPipe: Suspended {
  private let connection: ConnectionHandle
  private let suspensions: Suspensions
  private let room: AsideRoom
  private let state = Monitor(State())

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes of the first piece that were sent.
    var offset = 0
    var held = 0
    var sent = 0
    var isSleeping = false
    var isFinished = false
    /// The writer failed or the server stops: the client must see a broken body, not a short one.
    var isBroken = false
    /// The client has gone.
    var isAbandoned = false
    /// When the writer no longer waits.
    var waitsUntil: ContinuousClock.Instant?
    /// What was written after that, and how much of it was sent.
    var aside: StoredBody?
    var asideOffset = 0
  }

  private static let capacity = 262_144

  init(connection: ConnectionHandle, suspensions: Suspensions, room: AsideRoom) {
    self.connection = connection
    self.suspensions = suspensions
    self.room = room
  }

  deinit { room.leave(state.withLock { $0.aside?.count ?? 0 }) }

  /// Body bytes handed over so far.
  var sent: Int { state.withLock { $0.sent } }

  // The writer's side.

  /// Waits for room, or puts the piece aside once it has waited long enough.
  ///
  /// - Throws: ``BodyWriter/Stopped`` when nobody reads any more, ``NoRoomAside``.
  func write(_ piece: [UInt8]) throws {
    let deadline = state.withLock { $0.waitsUntil }
    let turn = state.wait(
      until: { $0.held < Self.capacity || $0.aside != nil || $0.isAbandoned || $0.isBroken },
      orUntil: deadline
    ) { take(piece, &$0) }
    switch turn {
    case .taken: break
    case .closed: throw BodyWriter.Stopped()
    case .noRoom: throw NoRoomAside()
    case .aside(let file):
      guard room.enter(piece.count) else { throw NoRoomAside() }
      guard piece.withUnsafeBytes({ file.append($0) }) else {
        room.leave(piece.count)
        throw NoRoomAside()
      }
      state.withLock { wake(&$0) }
    }
  }

  /// Where a piece goes.
  private enum Turn { case taken, closed, noRoom, aside(StoredBody) }

  private func take(_ piece: [UInt8], _ state: inout State) -> Turn {
    guard !state.isAbandoned, !state.isBroken else { return .closed }
    if state.aside == nil, state.held >= Self.capacity {
      // The wait has run out.
      guard let file = StoredBody() else { return .noRoom }
      state.aside = file
    }
    if let file = state.aside { return .aside(file) }
    state.pieces.append(piece)
    state.held += piece.count
    wake(&state)
    return .taken
  }

  /// Lets the writer wait for the client for so long in all, and no longer.
  func putAside(after patience: Duration) {
    state.withLock { $0.waitsUntil = .now + patience }
  }

  /// Ends the body; `isBroken` cuts the connection instead of ending it well.
  func finish(isBroken: Bool) {
    state.withLock { state in
      state.isFinished = true
      state.isBroken = state.isBroken || isBroken
      wake(&state)
    }
  }

  func abandon() { finish(isBroken: true) }

  // The connection's side.

  /// Fills `room`, or puts the connection to sleep and answers 0.
  func read(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    state.withLock { state in
      guard !state.isBroken else { return microHTTPDEndWithError }
      guard let piece = state.pieces.first else {
        if let count = readAside(&state, into: room) { return count }
        guard !state.isFinished else { return microHTTPDEndOfStream }
        state.isSleeping = suspensions.suspend(connection, for: self)
        return state.isSleeping ? 0 : microHTTPDEndWithError
      }
      let count = min(room.count, piece.count - state.offset)
      _ = room.update(fromContentsOf: piece[state.offset..<state.offset + count])
      state.offset += count
      state.sent += count
      state.held -= count
      if state.offset == piece.count {
        state.pieces.removeFirst()
        state.offset = 0
      }
      return count
    }
  }

  /// Copies from what was put aside; nil where nothing of it is left just now.
  ///
  /// It was written a moment ago, so that as a rule it comes from memory, not from the disk.
  private func readAside(
    _ state: inout State, into room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    guard let aside = state.aside, aside.count > state.asideOffset else { return nil }
    let bytes = aside.bytes(state.asideOffset..<state.asideOffset + room.count)
    guard !bytes.isEmpty else { return microHTTPDEndWithError }
    _ = room.update(fromContentsOf: bytes)
    state.asideOffset += bytes.count
    state.sent += bytes.count
    return bytes.count
  }

  /// Nobody will read again.
  func close() { state.withLock { $0.isAbandoned = true } }

  private func wake(_ state: inout State) {
    guard state.isSleeping else { return }
    state.isSleeping = false
    suspensions.resume(connection, for: self)
  }
}
