internal import CMicroHTTPD
internal import Logging
internal import Metrics

/// Counts the bodies that separate threads write.
final class StreamSlots: Sendable {
  private let limit: Int
  private let taken: Gauge

  /// `taken` is the gauge for the count.
  init(limit: Int, taken: Gauge) {
    self.limit = limit
    self.taken = taken
  }

  /// - Returns: false if all slots are in use.
  func enter() -> Bool {
    guard taken.add(1) <= limit else {
      leave()
      return false
    }
    return true
  }

  func leave() { taken.add(-1) }
}

/// Passes finished answers to libmicrohttpd.
extension ServerContext {
  func send(_ answer: Answer, on connection: Connection, _ handle: OpaquePointer) {
    connection.expectNothing()
    connection.exchange.stage = .answered
    connection.exchange.route = answer.route ?? connection.exchange.route
    connection.exchange.status = answer.status
    let isHead = connection.exchange.method == .head
    if case .stream = answer.payload, !isHead, !slots.enter() {
      activity.refusedStreams.add()
      return refuse(connection, handle, Self.tooManyStreams, closing: false)
    }
    if !isHead, case .bytes(_, let range) = answer.payload {
      connection.exchange.bytes = range.count
    }
    guard let response = response(answer, isHead: isHead, on: connection, handle) else {
      connection.cut()
      return
    }
    answer.headers.forEachCString { name, value in
      _ = MHD_add_response_header(response, name, value)
    }
    if isFull, answer.headers["Connection"] == nil {
      _ = MHD_add_response_header(response, "Connection", "close")
    }
    _ = MHD_queue_response(handle, UInt32(answer.status.code), response)
    MHD_destroy_response(response)
  }

  private static let tooManyStreams = Problem(
    .serviceUnavailable, "Too many long downloads are under way just now.",
    headers: ["Retry-After": "30"])

  private func response(
    _ answer: Answer, isHead: Bool, on connection: Connection, _ handle: OpaquePointer
  ) -> OpaquePointer? {
    switch answer.payload {
    case .empty:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .bytes(let bytes, let range):
      return lend(bytes, range)
    case .stream where isHead, .pull(_, length: nil) where isHead, .pushed where isHead:
      let response = MHD_create_response_from_callback(.max, 1, endOfBody, nil, nil)
      microhttpd_end_with_connection(response)
      return response
    case .stream(let write, let gzip):
      return stream(write, gzip: gzip, on: connection, handle)
    case .pull(let next, let length):
      // Released by releasePulled.
      let source = Unmanaged.passRetained(PulledBody(next, connection)).toOpaque()
      let size = length.map { UInt64($0) } ?? .max
      return MHD_create_response_from_callback(size, 32_768, readPulled, source, releasePulled)
    case .pushed(let body):
      connection.limitWait(to: configuration.pushedTimeout)
      body.attach(ConnectionHandle(pointer: handle), suspensions, connection)
      // Released by releasePushed.
      let context = Unmanaged.passRetained(body).toOpaque()
      return MHD_create_response_from_callback(.max, 4_096, readPushed, context, releasePushed)
    }
  }

  /// Passes the array's own bytes to libmicrohttpd without a copy.
  ///
  /// The box keeps the array alive and prevents changes to it. The elements of a native array do
  /// not move during its lifetime, so the pointer remains valid after the closure.
  private func lend(_ bytes: [UInt8], _ range: Range<Int>) -> OpaquePointer? {
    // Released by releaseLent.
    let box = Unmanaged.passRetained(LentBytes(bytes)).toOpaque()
    let start = bytes.withUnsafeBufferPointer { UnsafeMutablePointer(mutating: $0.baseAddress) }
    return MHD_create_response_from_buffer_with_free_callback_cls(
      range.count, start.map { $0 + range.lowerBound }, releaseLent, box)
  }

  private func stream(
    _ write: @escaping @Sendable (inout BodyWriter) throws -> Void, gzip: Bool,
    on connection: Connection, _ handle: OpaquePointer
  ) -> OpaquePointer? {
    let pipe = BodyPipe(
      connection: ConnectionHandle(pointer: handle), suspensions: suspensions, room: asideRoom)
    guard startWriting(pipe, gzip: gzip, write) else {
      slots.leave()
      return nil
    }
    connection.exchange.pipe = pipe
    // Released by releasePipe.
    let context = Unmanaged.passRetained(pipe).toOpaque()
    return MHD_create_response_from_callback(.max, 32_768, readPipe, context, releasePipe)
  }

  private func startWriting(
    _ pipe: BodyPipe, gzip: Bool, _ write: @escaping @Sendable (inout BodyWriter) throws -> Void
  ) -> Bool {
    let thread = WorkerThread { [logger, slots] in
      defer { slots.leave() }
      do {
        var writer = BodyWriter(gzip: gzip, aside: pipe.putAside) { try pipe.write($0) }
        try write(&writer)
        try writer.finish()
        pipe.finish(isBroken: false)
      } catch is BodyWriter.Stopped {
        pipe.finish(isBroken: true)
      } catch {
        logger.error("a body ended early", metadata: ["error": "\(String(reflecting: error))"])
        pipe.finish(isBroken: true)
      }
    }
    guard let thread else { return false }
    thread.detach()
    return true
  }
}

private final class LentBytes: Sendable {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private func releaseLent(_ box: UnsafeMutableRawPointer?) {
  if let box { Unmanaged<LentBytes>.fromOpaque(box).release() }
}

/// The rest of the last piece from a pulled body. Only the thread of its connection uses it.
private final class PulledBody {
  private let next: @Sendable () throws -> [UInt8]?
  private let connection: Connection
  private var piece: ArraySlice<UInt8> = []

  init(_ next: @escaping @Sendable () throws -> [UInt8]?, _ connection: Connection) {
    self.next = next
    self.connection = connection
  }

  func read(into room: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    while piece.isEmpty {
      guard let further = try next() else { return microHTTPDEndOfStream }
      piece = further[...]
    }
    let part = piece.prefix(room.count)
    piece = piece.dropFirst(part.count)
    connection.exchange.bytes += part.count
    return room.update(fromContentsOf: part)
  }
}

/// `MHD_CONTENT_READER_END_OF_STREAM`, a cast that Swift does not import.
let microHTTPDEndOfStream = -1
/// `MHD_CONTENT_READER_END_WITH_ERROR`, likewise.
let microHTTPDEndWithError = -2

private func room(
  _ buffer: UnsafeMutablePointer<CChar>, _ count: Int
) -> UnsafeMutableBufferPointer<UInt8> {
  UnsafeMutableBufferPointer(
    start: UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UInt8.self), count: count)
}

private func endOfBody(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int { microHTTPDEndOfStream }

private func readPulled(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let context, let buffer else { return microHTTPDEndWithError }
  let body = Unmanaged<PulledBody>.fromOpaque(context).takeUnretainedValue()
  return (try? body.read(into: room(buffer, count))) ?? microHTTPDEndWithError
}

private func releasePulled(_ context: UnsafeMutableRawPointer?) {
  if let context { Unmanaged<PulledBody>.fromOpaque(context).release() }
}

private func readPipe(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let context, let buffer else { return microHTTPDEndWithError }
  return Unmanaged<BodyPipe>.fromOpaque(context).takeUnretainedValue()
    .read(into: room(buffer, count))
}

private func releasePipe(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let pipe = Unmanaged<BodyPipe>.fromOpaque(context).takeRetainedValue()
  pipe.close()
}

private func readPushed(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let context, let buffer else { return microHTTPDEndWithError }
  return Unmanaged<PushedBody>.fromOpaque(context).takeUnretainedValue()
    .read(into: room(buffer, count))
}

private func releasePushed(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let body = Unmanaged<PushedBody>.fromOpaque(context).takeRetainedValue()
  body.close()
}
