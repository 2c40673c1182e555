internal import CMicroHTTPD

/// Carries a body from the thread that writes it to the connection that sends it.
///
/// It holds at most ``capacity`` bytes: a writer that is ahead waits, a connection that is ahead
/// sleeps.
final class BodyPipe: Suspended {
  private let connection: ConnectionHandle
  private let suspensions: Suspensions
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
  }

  private static let capacity = 262_144

  init(connection: ConnectionHandle, suspensions: Suspensions) {
    self.connection = connection
    self.suspensions = suspensions
  }

  /// Body bytes handed over so far.
  var sent: Int { state.withLock { $0.sent } }

  // The writer's side.

  /// Waits for room.
  ///
  /// - Throws: ``BodyWriter/Stopped`` when nobody reads any more.
  func write(_ piece: [UInt8]) throws(BodyWriter.Stopped) {
    let isOpen = state.wait(
      until: { $0.held < Self.capacity || $0.isAbandoned || $0.isBroken }
    ) { state in
      guard !state.isAbandoned, !state.isBroken else { return false }
      state.pieces.append(piece)
      state.held += piece.count
      wake(&state)
      return true
    }
    guard isOpen else { throw BodyWriter.Stopped() }
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

  /// Nobody will read again.
  func close() { state.withLock { $0.isAbandoned = true } }

  private func wake(_ state: inout State) {
    guard state.isSleeping else { return }
    state.isSleeping = false
    suspensions.resume(connection, for: self)
  }
}
