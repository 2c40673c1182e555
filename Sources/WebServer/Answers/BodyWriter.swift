internal import Compression

/// Writes a streamed body while it is being sent.
///
/// Small writes are collected into pieces of 32 KiB. A write blocks while the client is slower than
/// the writer, so memory stays constant. It throws ``BodyWriter/Stopped`` when the client has
/// disconnected.
package struct BodyWriter: ~Copyable {
  /// The client no longer reads: the writer should end without an error.
  package struct Stopped: Error {
    package init() {}
  }

  private var buffer: [UInt8] = []
  private var compressor: GzipStream?
  private let aside: (Duration) -> Void
  private let sink: ([UInt8]) throws -> Void

  /// In bytes. Fits into the 64 KiB of a connection.
  private static let pieceSize = 32_768

  init(
    gzip: Bool, aside: @escaping (Duration) -> Void = { _ in },
    sink: @escaping ([UInt8]) throws -> Void
  ) {
    self.sink = sink
    self.aside = aside
    compressor = gzip ? GzipStream(level: ContentCoding.level) : nil
  }

  package mutating func write(_ bytes: [UInt8]) throws {
    if compressor == nil {
      buffer.append(contentsOf: bytes)
    } else {
      try bytes.withUnsafeBytes { raw in
        try compressor?.compress(raw) { (piece) throws in buffer.append(contentsOf: piece) }
      }
    }
    if buffer.count >= Self.pieceSize { try send() }
  }

  package mutating func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Sets the total time to wait for a slow client from now on. After that, the rest of the body is written to disk
  /// and sent from there, so that the writer can release its resources.
  package func putAside(after delay: Duration) { aside(delay) }

  /// Sends the bytes written so far without waiting for more.
  package mutating func flush() throws {
    try compressor?.flush { (piece) throws in buffer.append(contentsOf: piece) }
    try send()
  }

  mutating func finish() throws {
    try compressor?.finish { (piece) throws in buffer.append(contentsOf: piece) }
    try send()
  }

  private mutating func send() throws {
    guard !buffer.isEmpty else { return }
    let piece = buffer
    buffer = []
    buffer.reserveCapacity(Self.pieceSize + 4_096)
    try sink(piece)
  }

  /// Wraps a body so that it is compressed.
  static func gzipped(
    _ write: @escaping @Sendable (inout BodyWriter) throws -> Void
  ) -> @Sendable (inout BodyWriter) throws -> Void {
    { writer in
      var inner = BodyWriter(gzip: true, aside: writer.aside, sink: writer.sink)
      try write(&inner)
      try inner.finish()
    }
  }
}

extension Response {
  /// The whole body in memory, for tests. Streams are run to their end; of a pushed body it is the bytes that wait for
  /// the client.
  package func collectBody() throws -> [UInt8] {
    switch body {
    case .empty, .bytes, .file:
      return body.bytes ?? []
    case .pull(let next, _):
      var bytes: [UInt8] = []
      while let piece = try next() { bytes += piece }
      return bytes
    case .kept(let file):
      var bytes: [UInt8] = []
      while let piece = try file.next() { bytes += piece }
      return bytes
    case .stream(let write):
      let collected = CollectedBytes()
      var writer = BodyWriter(gzip: false, sink: { collected.bytes += $0 })
      try write(&writer)
      try writer.finish()
      return collected.bytes
    case .pushed(let body):
      return body.waiting
    }
  }
}

/// Used only on the thread of ``Response/collectBody()``.
private final class CollectedBytes {
  var bytes: [UInt8] = []
}
