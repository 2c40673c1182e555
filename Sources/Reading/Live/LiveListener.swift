import Locking
import WebServer

/// A client of the stream, with its filter and its queue of messages.
final class LiveListener: Sendable {
  let filter: LiveFilter
  /// Equal for listeners with equal filters.
  let key: [UInt8]
  let network: ClientAddress
  let body: PushedBody
  private let memory: LiveMemory
  private let state = Locked(State())

  private struct State {
    /// Whole messages that wait for room in the body.
    var outbox: [[UInt8]] = []
    var bytes = 0
    /// The last number sent to the listener.
    var reached: Int64 = 0
  }

  /// The maximum number of bytes that wait for one listener, in addition to the bytes in its body.
  private static let maximum = 1 << 20

  init(
    filter: LiveFilter, key: [UInt8], network: ClientAddress, body: PushedBody, memory: LiveMemory
  ) {
    (self.filter, self.key, self.network) = (filter, key, network)
    (self.body, self.memory) = (body, memory)
  }

  deinit { state.withLock { memory.giveBack($0.bytes) } }

  /// Whether no message waits for room in the body.
  var isDrained: Bool { state.withLock { $0.outbox.isEmpty } }

  /// Sends messages, and after them the number that they reach. A listener that is too far behind gets `reload`
  /// instead.
  func send(_ messages: [[UInt8]], reaching sequence: Int64) {
    state.withLock { state in
      state.reached = max(state.reached, sequence)
      let pieces = LiveMessage.pieces(messages + [LiveMessage.reached(sequence)])
      let count = pieces.reduce(0) { $0 + $1.count }
      if state.bytes + count <= Self.maximum, memory.take(count) {
        state.outbox += pieces
        state.bytes += count
      } else {
        // Messages are whole, so waiting ones can be dropped.
        forget(&state)
        put(LiveMessage.reload(state.reached), &state)
      }
      flush(&state)
    }
  }

  /// Sends one message that has the number itself, such as `ready` or `reload`.
  func send(only message: [UInt8], reaching sequence: Int64) {
    state.withLock { state in
      state.reached = max(state.reached, sequence)
      put(message, &state)
      flush(&state)
    }
  }

  /// Keeps the connection open. `sequence` is the last number sent to all listeners.
  func keepOpen(_ sequence: Int64) {
    state.withLock { state in
      state.reached = max(state.reached, sequence)
      put(LiveMessage.reached(state.reached), &state)
      flush(&state)
    }
  }

  /// Sends the reason why the stream ends, and ends it.
  func close(_ reason: LiveMessage.Reason) {
    state.withLock { state in
      forget(&state)
      _ = body.push(LiveMessage.closing(state.reached, reason))
    }
    body.finish()
  }

  /// Moves messages from the queue into the body while it has room.
  func flush() { state.withLock { flush(&$0) } }

  private func put(_ piece: [UInt8], _ state: inout State) {
    // Small, so it may exceed the limit.
    _ = memory.take(piece.count, isNeeded: true)
    state.outbox.append(piece)
    state.bytes += piece.count
  }

  private func flush(_ state: inout State) {
    while let piece = state.outbox.first, body.hasRoom(for: piece.count) {
      guard body.push(piece) else { return forget(&state) }
      state.outbox.removeFirst()
      state.bytes -= piece.count
      memory.giveBack(piece.count)
    }
  }

  private func forget(_ state: inout State) {
    memory.giveBack(state.bytes)
    (state.outbox, state.bytes) = ([], 0)
  }
}

/// The bytes that wait for all listeners together.
final class LiveMemory: Sendable {
  private let bytes = Locked(0)
  private static let maximum = 32 << 20

  /// Takes room. Returns false if the memory is full, unless the message `isNeeded`.
  func take(_ count: Int, isNeeded: Bool = false) -> Bool {
    bytes.withLock { bytes in
      guard isNeeded || bytes + count <= Self.maximum else { return false }
      bytes += count
      return true
    }
  }

  func giveBack(_ count: Int) { bytes.withLock { $0 -= count } }
}
