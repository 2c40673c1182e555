internal import CMicroHTTPD
internal import Locking

/// Passes a body from the writing thread to the connection that sends it.
///
/// It buffers at most ``capacity`` bytes. A writer that is ahead blocks, a connection that is ahead
/// is suspended. A writer with a time limit writes the rest to an unlinked temporary file
/// (``putAside(after:)``) and finishes.
final class BodyPipe: Suspended {
  private let connection: ConnectionHandle
  private let suspensions: Suspensions
  private let room: AsideRoom
  private let state = Monitor(State())

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes of the first piece that have been sent.
    var offset = 0
    var held = 0
    var sent = 0
    var isSleeping = false
    var isFinished = false
    /// The writer failed or the server is stopping: the client must see an aborted body, not a
    /// short one.
    var isBroken = false
    /// The client has disconnected.
    var isAbandoned = false
    /// The time when the writer stops waiting.
    var waitsUntil: ContinuousClock.Instant?
    /// The data written after that time, and how much of it has been sent.
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

  /// Body bytes sent so far.
  var sent: Int { state.withLock { $0.sent } }

  // Called by the writer.

  /// Waits for free capacity. After the time limit it writes the piece to the file.
  ///
  /// - Throws: ``BodyWriter/Stopped`` when the client no longer reads, ``NoRoomAside``.
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

  /// The destination of a piece.
  private enum Turn { case taken, closed, noRoom, aside(StoredBody) }

  private func take(_ piece: [UInt8], _ state: inout State) -> Turn {
    guard !state.isAbandoned, !state.isBroken else { return .closed }
    if state.aside == nil, state.held >= Self.capacity {
      // The time limit is over.
      guard let file = StoredBody() else { return .noRoom }
      state.aside = file
    }
    if let file = state.aside { return .aside(file) }
    state.pieces.append(piece)
    state.held += piece.count
    wake(&state)
    return .taken
  }

  /// Limits the total time that the writer waits for the client.
  func putAside(after delay: Duration) {
    state.withLock { $0.waitsUntil = .now + delay }
  }

  /// Ends the body. `isBroken` aborts the connection instead of ending the body normally.
  func finish(isBroken: Bool) {
    state.withLock { state in
      state.isFinished = true
      state.isBroken = state.isBroken || isBroken
      wake(&state)
    }
  }

  func abandon() { finish(isBroken: true) }

  // Called by the connection.

  /// Fills `room`, or suspends the connection and returns 0.
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

  /// Copies from the file. Nil if it contains no further bytes at the moment.
  ///
  /// The data was written recently, so it usually comes from the page cache and not from the disk.
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

  /// Records that there is no reader any longer.
  func close() { state.withLock { $0.isAbandoned = true } }

  private func wake(_ state: inout State) {
    guard state.isSleeping else { return }
    state.isSleeping = false
    suspensions.resume(connection, for: self)
  }
}
