/// A handler's response. The router finishes it: conditional requests, ranges, compression, CORS,
/// security headers.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: Body
  /// The version of the content. Required for 304.
  package var etag: EntityTag?
  /// Time of the last change. If-Modified-Since is evaluated only if this is set.
  package var lastModified: HTTPDate?
  /// Whether a body of bytes may be sent in ranges. A ``StaticFile`` always may.
  package var acceptsRanges = false
  /// Whether the body may be compressed with gzip for clients that accept it. Media types that gain
  /// nothing are never compressed.
  package var mayCompress = true

  package enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case file(StaticFile)
    /// Written while it is being sent, see ``BodyWriter``.
    case stream(@Sendable (inout BodyWriter) throws -> Void)
    /// Called for the next piece whenever the client can receive one. Nil ends the body. Runs on a server thread, so
    /// a piece should take milliseconds at most. `length` is in bytes, if known in advance, as for a file.
    case pull(@Sendable () throws -> [UInt8]?, length: Int? = nil)
    /// A file on the disk that other requests get too: also parts of it are sent.
    case kept(KeptFile)
    /// Pushed by other threads until the client disconnects, see ``PushedBody``.
    case pushed(PushedBody)

    /// The bytes of a body in memory, for tests. Nil for streams.
    package var bytes: [UInt8]? {
      switch self {
      case .empty: []
      case .bytes(let bytes): bytes
      case .file(let file): file.bytes
      case .stream, .pull, .kept, .pushed: nil
      }
    }
  }

  package init(_ status: Status = .ok, headers: Headers = [:], body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The response with a header, which replaces one of this name.
  package func with(_ header: String, _ value: String) -> Response {
    var response = self
    response.headers[header] = value
    return response
  }

  /// A body in memory. `contentType` is the whole Content-Type value.
  package static func bytes(
    _ bytes: [UInt8], contentType: String, status: Status = .ok
  ) -> Response {
    Response(status, headers: ["Content-Type": contentType], body: .bytes(bytes))
  }

  /// A body of encoded JSON. `contentType` is sent unchanged, without a charset, because some
  /// clients compare the whole value.
  package static func json(
    _ bytes: [UInt8], contentType: String = "application/json", status: Status = .ok
  ) -> Response {
    .bytes(bytes, contentType: contentType, status: status)
  }

  /// Server-Sent Events without an end.
  package static func events(_ body: PushedBody) -> Response {
    Response(
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store",
        // nginx would hold back a body that it buffers.
        "X-Accel-Buffering": "no",
      ], body: .pushed(body))
  }

  package static func text(_ text: String, status: Status = .ok) -> Response {
    .bytes(Array(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
  }

  package static func html(_ text: String, status: Status = .ok) -> Response {
    .bytes(Array(text.utf8), contentType: "text/html; charset=utf-8", status: status)
  }

  package static func file(_ file: StaticFile) -> Response {
    var response = Response(headers: ["Content-Type": file.mediaType], body: .file(file))
    response.etag = file.etag
    return response
  }

  /// A body written by a separate thread while it is being sent.
  package static func stream(
    contentType: String, _ write: @escaping @Sendable (inout BodyWriter) throws -> Void
  ) -> Response {
    Response(headers: ["Content-Type": contentType], body: .stream(write))
  }

  package static let noContent = Response(.noContent)

  package static func redirect(to location: String, status: Status = .seeOther) -> Response {
    Response(status, headers: ["Location": location])
  }
}
