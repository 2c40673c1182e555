package import SpatialDatabase
package import WebServer

/// One operation of the API: its path, parameters, responses, permitted callers and handler.
///
/// The router and the OpenAPI document are both generated from these, so they always agree.
package struct Endpoint: Sendable {
  /// A response as declared in the OpenAPI document.
  package struct Answer: Sendable {
    package let status: Int
    package let description: String
    /// Media types, each with the name of a schema in the document, or nil for bytes.
    package let content: [(type: String, schema: String?)]

    package init(status: Int, description: String, content: [(type: String, schema: String?)]) {
      self.status = status
      self.description = description
      self.content = content
    }

    package static func ok(
      _ description: String, _ type: String = "application/json", schema: String? = nil
    ) -> Answer {
      Answer(status: 200, description: description, content: [(type, schema)])
    }

    /// 201 with a `Location`.
    package static func created(
      _ description: String, _ type: String = "application/json", schema: String? = nil
    ) -> Answer {
      Answer(status: 201, description: description, content: [(type, schema)])
    }

    /// 202: the result is not part of the response; with a schema, the response describes the progress.
    package static func accepted(_ description: String, schema: String? = nil) -> Answer {
      Answer(
        status: 202, description: description,
        content: schema.map { [("application/json", $0)] } ?? [])
    }

    /// A refusal specific to this operation.
    package static func refusal(_ status: Int, _ description: String) -> Answer {
      Answer(
        status: status, description: description,
        content: [("application/problem+json", "problem")])
    }

    /// 204.
    package static func done(_ description: String) -> Answer {
      Answer(status: 204, description: description, content: [])
    }
  }

  /// The request body as declared in the OpenAPI document.
  package struct Body: Sendable {
    package let type: String
    /// The name of a schema in the document; nil for bytes.
    package let schema: String?
    /// The maximum length in bytes.
    package let limit: Int
    /// Other accepted media types of the same content.
    package var others: [String] = []

    /// Whether the body is received into a file instead of memory.
    var isStored = false

    package init(
      type: String, schema: String?, limit: Int, others: [String] = [], isStored: Bool = false
    ) {
      self.type = type
      self.schema = schema
      self.limit = limit
      self.others = others
      self.isStored = isStored
    }

    /// A form with a file, of at most `limit` bytes. With `isStored` the upload may take ten minutes.
    package static func form(_ schema: String, limit: Int, isStored: Bool = false) -> Body {
      Body(type: "multipart/form-data", schema: schema, limit: limit, isStored: isStored)
    }

    /// The maximum length of JSON with some texts of a few thousand characters, in bytes.
    package static let usualLimit = 64 << 10
    /// The maximum length of JSON with names and secrets, or one short text, in bytes.
    package static let smallLimit = 16 << 10

    /// JSON of at most `limit` bytes.
    package static func json(_ schema: String, limit: Int = usualLimit) -> Body {
      Body(type: "application/json", schema: schema, limit: limit)
    }
  }

  /// The part of a write that runs after its request has been read. It runs in a transaction that it may share with
  /// other writes; if it throws, only its own changes are rolled back. It cannot read the body
  /// (``RequestBody/object(of:types:maximum:)``), because other writes wait for it.
  package typealias Change = @Sendable (Connection) throws -> Response

  /// The part of a read that runs after the caller's permission is checked.
  package typealias Work = @Sendable () throws -> Response

  /// The handler, and the thread it runs on.
  package enum Handler: Sendable {
    /// A read with the same response for all callers. It begins on a server thread, and moves to the queue of costly
    /// reads (``CostlyReads``) when it turns out not to be quick; until then it must change nothing.
    case open(@Sendable (Request) throws -> Response)
    /// A read that depends on the caller, likewise.
    case personal(@Sendable (Request, Caller) throws -> Response)
    /// A write: parsed and checked on the server's thread, carried out by the single writer.
    case change(@Sendable (Request, Caller) throws -> Change)
    /// Work with passwords, in turns by network on a separate queue: each hash takes a core for a while.
    case password(@Sendable (Request, Caller) throws -> Response)
    /// Work that is too slow for a server thread; runs on the work queue.
    case slow(@Sendable (Request, Caller) throws -> Response)
    /// Work that may take a minute, such as opening exports. Runs on a separate queue, so that
    /// photos do not wait for it.
    case long(@Sendable (Request, Caller) throws -> Response)
    /// Work that waits for another server, on a separate queue.
    case apart(RequestQueue, @Sendable (Request, Caller) throws -> Response)
    /// A slow read that checks permissions itself, on a separate queue; not for web pages.
    case aside(RequestQueue, @Sendable (Request) throws -> Work)
  }

  package let id: String
  package let method: Method
  package let path: String
  package let tag: String
  package let summary: String
  package let access: Access
  package let parameters: [Parameter]
  package let body: Body?
  package let answers: [Answer]
  let handler: Handler
  /// Whether the handler itself refuses undeclared parameters, because some parameters depend on the
  /// contents of the database.
  package var judgesQuery = false
  /// Whether a replica must not answer (``VisitorReading``).
  private(set) var needsPrimary = false
  /// Whether the key to the operation is a token in the request (``withToken()``).
  private(set) var isKeyed = false

  /// `id` is the unique `operationId`. `path` is a template such as
  /// `/api/tiles/devices/{z}/{x}/{y}.mvt`. `answers` are the successful responses; the errors that
  /// every operation may return are added.
  package init(
    _ id: String, _ path: String, tag: String, summary: String, parameters: [Parameter] = [],
    answers: [Answer], _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    self.init(
      id, .get, path, tag: tag, summary: summary, access: .everyone, parameters: parameters,
      answers: answers, .open(handler))
  }

  /// An operation of any method, with restricted access.
  package init(
    _ id: String, _ method: Method, _ path: String, tag: String, summary: String, access: Access,
    parameters: [Parameter] = [], body: Body? = nil, answers: [Answer], _ handler: Handler
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.tag = tag
    self.summary = summary
    self.access = access
    self.parameters = parameters
    self.body = body
    self.answers = answers
    self.handler = handler
  }

  /// The same, but never answered by a replica, although it is for everyone: it depends on a secret that may have been
  /// withdrawn, or on the primary itself.
  package func ofPrimary() -> Endpoint {
    var endpoint = self
    endpoint.needsPrimary = true
    return endpoint
  }

  /// The same, for an operation whose key is a token in the address or the body, from a mail or a letter.
  ///
  /// Any holder of the token may use it, from any site: a web mail program sends the request of its button from its own
  /// page (RFC 8058). A browser's cookie gives such a request nothing. The cookie is ignored if it would be refused
  /// elsewhere because the request comes from another site.
  package func withToken() -> Endpoint {
    var endpoint = self
    endpoint.isKeyed = true
    return endpoint
  }

  /// Whether it identifies the caller, and so refuses an invalid token.
  package var asksWho: Bool {
    if case .open = handler { false } else { true }
  }

  /// Whether a page of another site may not send it, because the cookie of a browser would be its key.
  package var refusesOtherSites: Bool { asksWho && !method.isRead && !isKeyed }

  /// The names of its query parameters.
  package var queryNames: Set<String> {
    Set(parameters.lazy.filter { $0.location == .query }.map(\.name))
  }
}

extension Parameter {
  /// Whether it may occur only once in a query.
  package var isSingle: Bool {
    if case .repeated = schema { false } else { location == .query }
  }

  /// `f`, which names a format and takes precedence over `Accept`.
  package static func format(_ formats: [String]) -> Parameter {
    .query("f", .oneOf(formats), "The format of the response; takes precedence over Accept.")
  }

  /// `lang`, which names a language and takes precedence over `Accept-Language`.
  package static func language(_ languages: [String]) -> Parameter {
    .query("lang", .oneOf(languages), "The language of names and definitions.")
  }
}
