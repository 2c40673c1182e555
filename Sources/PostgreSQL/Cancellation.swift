internal import CPostgreSQL
internal import Dispatch

/// A request to the server to cancel a connection's running statement.
///
/// libpq sends it over a second connection and then waits, without a time limit, until the server closes that one
/// (`PQcancel`). A paused server never does, so a separate thread waits.
struct Cancellation {
  private static let queue = DispatchQueue(label: "cancellations", attributes: .concurrent)
  private let delivery = DispatchSemaphore(value: 0)

  /// Sends the request, unless there is no memory for it.
  init(of connection: OpaquePointer) {
    guard let request = PQgetCancel(connection) else {
      delivery.signal()
      return
    }
    // The copy belongs to the other thread alone, which the compiler cannot see.
    let address = Int(bitPattern: request)
    Self.queue.async { [delivery] in
      let request = OpaquePointer(bitPattern: address)
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(request, &message, Int32(message.count))
      PQfreeCancel(request)
      delivery.signal()
    }
  }

  /// Waits until the server has received the request, at most for `limit`. False if it has not: the request could then
  /// cancel a later statement of the connection.
  func isDelivered(within limit: Duration) -> Bool {
    delivery.wait(timeout: .now() + .milliseconds(limit.wholeMilliseconds)) == .success
  }
}
