/// What a handler answers. The router finishes it: conditional requests, ranges, compression,
/// CORS, security headers.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: Body
  /// The version answered; makes 304 possible.
  package var etag: EntityTag?
  /// When it last changed; If-Modified-Since is answered only where this is set.
  package var lastModified: HTTPDate?
  /// Whether a body of bytes may be sent in parts; a ``StaticFile`` always may.
  package var acceptsRanges = false
  /// Whether the body may be gzipped for clients that ask; media types that gain nothing never are.
  package var mayCompress = true

  package enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case file(StaticFile)
    /// Written while it is sent; see ``BodyWriter``.
    case stream(@Sendable (inout BodyWriter) throws -> Void)
    /// Asked for the next piece whenever the client can take one; nil ends the body. Runs on a
    /// server thread, so a piece should take milliseconds at most. `length` in bytes where it is known
    /// before, as of a file.
    case pull(@Sendable () throws -> [UInt8]?, length: Int? = nil)

    /// The bytes of a body that lies in memory, for tests; nil for streams.
    package var bytes: [UInt8]? {
      switch self {
      case .empty: []
      case .bytes(let bytes): bytes
      case .file(let file): file.bytes
      case .stream, .pull: nil
      }
    }
  }

  package init(_ status: Status = .ok, headers: Headers = [:], body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A body in memory; `contentType` is the whole Content-Type value.
  package static func bytes(
    _ bytes: [UInt8], contentType: String, status: Status = .ok
  ) -> Response {
    Response(status, headers: ["Content-Type": contentType], body: .bytes(bytes))
  }

  /// JSON already written. `contentType` is sent as it is, as some clients compare it whole: no
  /// charset is added.
  package static func json(
    _ bytes: [UInt8], contentType: String = "application/json", status: Status = .ok
  ) -> Response {
    .bytes(bytes, contentType: contentType, status: status)
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

  /// A body written while it is sent, by a thread of its own.
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
