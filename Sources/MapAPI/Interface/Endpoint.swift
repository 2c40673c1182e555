import SpatialDatabase
package import WebServer

/// One operation of the interface: its path, what it takes, what it answers and who does it.
///
/// The router and the OpenAPI document are both made from these, so neither can say what the other
/// does not.
package struct Endpoint: Sendable {
  /// An answer as the OpenAPI document declares it.
  package struct Answer: Sendable {
    package let status: Int
    package let description: String
    /// Media types, each with the name of a schema of the document, or nil for bytes.
    package let content: [(type: String, schema: String?)]

    static func ok(
      _ description: String, _ type: String = "application/json", schema: String? = nil
    ) -> Answer {
      Answer(status: 200, description: description, content: [(type, schema)])
    }

    /// The same, to be had as a page too.
    var alsoAsPage: Answer {
      Answer(
        status: status, description: description, content: content + [ResourcePages.content])
    }

    /// 201 with a `Location`.
    static func created(
      _ description: String, _ type: String = "application/json", schema: String? = nil
    ) -> Answer {
      Answer(status: 201, description: description, content: [(type, schema)])
    }

    /// 202: what comes of it is not told here, or, with a schema, how far it is.
    static func accepted(_ description: String, schema: String? = nil) -> Answer {
      Answer(
        status: 202, description: description,
        content: schema.map { [("application/json", $0)] } ?? [])
    }

    /// A refusal that only this operation has.
    static func refusal(_ status: Int, _ description: String) -> Answer {
      Answer(
        status: status, description: description,
        content: [("application/problem+json", "problem")])
    }

    /// 204.
    static func done(_ description: String) -> Answer {
      Answer(status: 204, description: description, content: [])
    }
  }

  /// The body of a request as the OpenAPI document declares it.
  package struct Body: Sendable {
    package let type: String
    /// The name of a schema of the document; nil for bytes.
    package let schema: String?
    /// The longest one, in bytes.
    package let limit: Int
    /// Other types of the same.
    package var others: [String] = []

    /// Keeps it in a file while it comes, in place of memory.
    var isStored = false

    /// A form with a file, of at most so many bytes; a stored one has ten minutes to come.
    static func form(_ schema: String, limit: Int, isStored: Bool = false) -> Body {
      Body(type: "multipart/form-data", schema: schema, limit: limit, isStored: isStored)
    }

    /// JSON of at most 1 MiB.
    static func json(_ schema: String) -> Body {
      Body(type: "application/json", schema: schema, limit: 1 << 20)
    }
  }

  /// What remains to be done of a write when its request has been read: runs in a transaction that it
  /// may share with other writes, and is undone alone when it throws.
  typealias Change = @Sendable (Connection) throws -> Response

  /// What remains to be done of a read when it is clear that the caller may.
  typealias Work = @Sendable () throws -> Response

  /// Who does it, and on which thread.
  enum Handler: Sendable {
    /// A quick read that is the same for everybody.
    case open(@Sendable (Request) throws -> Response)
    /// A quick read that asks who reads.
    case personal(@Sendable (Request, Caller) throws -> Response)
    /// A write: read and checked on the server's thread, carried out by the one writer.
    case change(@Sendable (Request, Caller) throws -> Change)
    /// Work that takes longer than a server thread has: done by the work queue.
    case slow(@Sendable (Request, Caller) throws -> Response)
    /// Work that may take a minute, on a queue of its own, so that passwords and photos do not wait for
    /// it: opening exports.
    case long(@Sendable (Request, Caller) throws -> Response)
    /// Work that waits for somebody else's server, on a queue of its own.
    case apart(WorkQueue, @Sendable (Request, Caller) throws -> Response)
    /// A read that judges by itself who may and takes its time, on a queue of its own; for no web page.
    case aside(WorkQueue, @Sendable (Request) throws -> Work)
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
  /// Whether the handler itself refuses parameters that are not declared, because some depend on
  /// what is in the database.
  var judgesQuery = false

  /// `id` is the `operationId`, unique; `path` a template such as
  /// `/api/tiles/devices/{z}/{x}/{y}.mvt`; `answers` are the good ones: what every operation may
  /// answer otherwise is added.
  init(
    _ id: String, _ path: String, tag: String, summary: String, parameters: [Parameter] = [],
    answers: [Answer], _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    self.init(
      id, .get, path, tag: tag, summary: summary, access: .everyone, parameters: parameters,
      answers: answers, .open(handler))
  }

  /// An operation of any method, for some.
  init(
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

  /// Whether it looks who sent a request, and so refuses a token that does not hold.
  var asksWho: Bool {
    if case .open = handler { false } else { true }
  }

  /// Names of the query parameters it takes.
  var queryNames: Set<String> {
    Set(parameters.lazy.filter { $0.location == .query }.map(\.name))
  }
}

extension Parameter {
  /// Whether a query may hold it once only.
  var isSingle: Bool {
    if case .repeated = schema { false } else { location == .query }
  }

  /// `f`, which names an encoding and beats `Accept`.
  static func format(_ formats: [String]) -> Parameter {
    .query("f", .oneOf(formats), "The encoding of the answer; it beats the Accept header.")
  }

  /// `lang`, which names a language and beats `Accept-Language`.
  static func language(_ languages: [String]) -> Parameter {
    .query("lang", .oneOf(languages), "The language of names and definitions.")
  }
}
