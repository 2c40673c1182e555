internal import CMicroHTTPD
internal import Locking

/// A body without an end whose pieces other threads push, as Server-Sent Events need it.
///
/// It needs no thread: its connection is suspended while there is nothing to send. A client that reads
/// more slowly than pieces arrive is disconnected as soon as more than `capacity` bytes wait for it. A client that does
/// not read is disconnected when the first byte has waited for ``ServerConfiguration/pushedTimeout``.
package final class PushedBody: Suspended {
  private let capacity: Int
  private let state = Monitor(State())

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes of the first piece that have been sent.
    var offset = 0
    /// Bytes that wait for the client.
    var held = 0
    var isSleeping = false
    /// No further piece is accepted; waiting pieces are sent.
    var isFinished = false
    /// The client read too slowly or has disconnected.
    var isBroken = false
    var link: Link?
  }

  /// The connection that sends the body.
  private struct Link {
    let handle: ConnectionHandle
    let suspensions: Suspensions
    let connection: Connection
  }

  /// - Parameter capacity: the number of bytes that may wait for the client.
  package init(capacity: Int = 262_144) { self.capacity = capacity }

  /// Sends a piece as soon as the client can receive it.
  ///
  /// - Returns: false if the client has disconnected, or is disconnected now because it does not read.
  package func push(_ piece: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isFinished, !state.isBroken else { return false }
      guard state.held + piece.count <= capacity else {
        cut(&state)
        return false
      }
      state.pieces.append(piece)
      state.held += piece.count
      wake(&state)
      return true
    }
  }

  /// Whether ``push(_:)`` accepts a piece of this size now. Also true if the body has ended.
  package func hasRoom(for count: Int) -> Bool {
    state.withLock { $0.isBroken || $0.isFinished || $0.held + count <= capacity }
  }

  /// Ends the body after the pieces that wait.
  package func finish() {
    state.withLock { state in
      state.isFinished = true
      wake(&state)
    }
  }

  /// Whether the client still listens, as far as the server knows.
  package var isOpen: Bool { state.withLock { !$0.isFinished && !$0.isBroken } }

  func abandon() { finish() }

  var isEndless: Bool { true }

  /// The bytes that wait for the client.
  var waiting: [UInt8] { state.withLock { $0.pieces.reduce([], +).dropFirst($0.offset) + [] } }

  /// Takes the bytes that wait for the client, as if it had read them.
  func take() -> [UInt8] {
    state.withLock { state in
      defer { (state.pieces, state.offset, state.held) = ([], 0, 0) }
      return Array(state.pieces.reduce([], +).dropFirst(state.offset))
    }
  }

  // Called by the connection.

  func attach(_ handle: ConnectionHandle, _ suspensions: Suspensions, _ connection: Connection) {
    state.withLock {
      $0.link = Link(handle: handle, suspensions: suspensions, connection: connection)
    }
  }

  /// Fills `room`, or suspends the connection and returns 0.
  func read(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    state.withLock { state in
      guard !state.isBroken, let link = state.link else { return microHTTPDEndWithError }
      guard let piece = state.pieces.first else {
        guard !state.isFinished else { return microHTTPDEndOfStream }
        state.isSleeping = link.suspensions.suspend(link.handle, for: self)
        return state.isSleeping ? 0 : microHTTPDEndOfStream
      }
      let count = min(room.count, piece.count - state.offset)
      _ = room.update(fromContentsOf: piece[state.offset..<state.offset + count])
      state.offset += count
      state.held -= count
      link.connection.exchange.bytes += count
      if state.offset == piece.count {
        state.pieces.removeFirst()
        state.offset = 0
      }
      return count
    }
  }

  /// Discards everything: the connection is closed.
  func close() {
    state.withLock { state in
      state.isBroken = true
      state.link = nil
      state.pieces = []
    }
  }

  /// Disconnects a client that does not read. Its connection waits for room in the socket, so that
  /// ``read(into:)`` would not be called: the reaper closes it.
  private func cut(_ state: inout State) {
    state.isBroken = true
    state.pieces = []
    state.link?.connection.expireNow()
    wake(&state)
  }

  private func wake(_ state: inout State) {
    guard state.isSleeping, let link = state.link else { return }
    state.isSleeping = false
    link.suspensions.resume(link.handle, for: self)
  }
}
