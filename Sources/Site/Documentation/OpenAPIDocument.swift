import JSON
import Service
import WebServer

/// The OpenAPI 3.0.3 document of an instance, generated from its endpoints.
struct OpenAPIDocument {
  let title: String
  let description: String
  /// The address of the instance without a trailing slash; the prefix of every path.
  let server: String
  let contact: String?
  let licence: String

  /// The document as JSON, without references to other documents.
  ///
  /// With `root`, the paths are relative to this path, which becomes a part of the address of the server. Paths that
  /// are not below it have a separate server object.
  func bytes(
    of endpoints: [Endpoint], schemas: [JSONSchema.Named], relativeTo root: String = ""
  ) -> [UInt8] {
    let paths = Self.order(endpoints.map(\.path)).map { path in
      let operations = endpoints.filter { $0.path == path }
      var item = JSONObject(
        operations.map { ($0.method.rawValue.lowercased(), Self.operation.json($0)) })
      guard path == root || path.hasPrefix(root + "/") else {
        item["servers"] = Self.servers(server)
        return (key: path, value: JSONValue.object(item))
      }
      let rest = String(path.dropFirst(root.count))
      return (key: rest.isEmpty ? "/" : rest, value: JSONValue.object(item))
    }
    var info: JSONObject = [
      "title": .string(title), "version": .string(Farol.version),
      "description": .string(description),
    ]
    info["contact"] = contact.map { ["name": .string($0)] }
    info["license"] = ["name": .string(licence)]
    var json = JSONWriter(capacity: 256 * 1_024)
    json.value([
      "openapi": "3.0.3", "info": .object(info), "servers": Self.servers(server + root),
      "paths": .object(JSONObject(paths)), "components": OpenAPISchemas.components(schemas),
    ])
    return json.bytes
  }

  private static func servers(_ url: String) -> JSONValue { [["url": .string(url)]] }

  private static let operation = JSONShape<Endpoint>(
    nil, .text("operationId", \.id), .texts("tags") { [$0.tag] }, .text("summary", \.summary),
    .list("parameters", of: Parameter.shape, \.parameters),
    .object("requestBody", body, \.body).optional,
    .init("security", .list(of: .object)) { security(of: $0) }.optional,
    // OpenAPI 3.0 has scopes for OAuth only, so an extension names the scopes of tokens.
    .text("x-scope") { $0.access == .everyone ? nil : $0.access.scope?.rawValue }.optional,
    .object("responses", responses(of:)))

  private static let body = JSONShape<Endpoint.Body>(
    nil, .text("description") { "At most \($0.limit) bytes." }, .flag("required") { _ in true },
    .object("content") { body in
      content(([body.type] + body.others).map { ($0, body.schema) }, other: .object)
    })

  private static let answer = JSONShape<Endpoint.Answer>(
    nil, .text("description", \.description),
    .object("content") { $0.content.isEmpty ? nil : content($0.content, other: .file) }.optional)

  /// Media types with their schemas; `other` is the schema of types without one.
  private static func content(
    _ types: [(type: String, schema: String?)], other: JSONSchema
  ) -> JSONObject {
    JSONObject(
      types.map { type, schema in
        (type, ["schema": schema.map(JSONSchema.reference)?.value ?? other.value])
      })
  }

  private static func security(of endpoint: Endpoint) -> JSONValue? {
    guard endpoint.access != .everyone else { return nil }
    return endpoint.access.isForBrowsers
      ? [["session": []]] : [["session": []], ["token": []]]
  }

  private static func responses(of endpoint: Endpoint) -> JSONObject {
    let declared = Set(endpoint.answers.map(\.status))
    let others = refusals(of: endpoint).filter { !declared.contains($0.0) }.map { status, text in
      Endpoint.Answer(
        status: status, description: text,
        content: status == 304 ? [] : [("application/problem+json", "problem")])
    }
    let hasPages = endpoint.answers.contains { $0.content.contains { $0.type == "text/html" } }
    return JSONObject(
      (endpoint.answers + others).map { one in
        ("\(one.status)", answer.json(hasPages ? withPage(one) : one))
      })
  }

  /// A refusal with `f=html` is a page, too.
  private static func withPage(_ answer: Endpoint.Answer) -> Endpoint.Answer {
    guard answer.content.contains(where: { $0.type == "application/problem+json" }) else {
      return answer
    }
    return Endpoint.Answer(
      status: answer.status, description: answer.description,
      content: answer.content + [("text/html", nil)])
  }

  /// The refusals of an operation that it does not declare itself.
  static func refusals(of endpoint: Endpoint) -> [(Int, String)] {
    var all = everyOperation
    if endpoint.method == .get {
      all.append((304, "Not modified since the version in If-None-Match."))
      all.append((412, "Not the version in If-Match."))
    }
    if endpoint.path.contains("/items/{id}") {
      all.append(
        (410, "The device was deleted: when, by whom and why, and what it was merged into."))
    }
    if endpoint.access != .everyone {
      all += restricted
      if !endpoint.method.isRead { all.append(lessPermitted) }
    } else {
      if endpoint.asksWho { all.append((401, "The token is not valid.")) }
      if endpoint.refusesOtherSites { all.append((403, "Sent by a page of another site.")) }
    }
    if endpoint.body != nil { all += writes }
    return all.sorted { $0.0 < $1.0 }
  }

  private static let restricted: [(Int, String)] = [
    (401, "Not signed in."), (403, "Not permitted; `type` states the reason if programs need it."),
  ]
  private static let lessPermitted = (
    409, "The account lost a right while the request waited; `type` is `/problems/overtaken`."
  )
  private static let writes: [(Int, String)] = [
    (415, "The body has another type than those declared."),
    (422, "Well-formed but refused: `errors` names each field."),
  ]

  /// The refusals that every operation may return.
  static let everyOperation: [(Int, String)] = [
    (400, "Malformed: `errors` names each field."),
    (404, "Not found."),
    (406, "None of the media types in Accept is available."),
    (
      413,
      "The body is too long, or this operation accepts no body other than an empty JSON object."
    ),
    (414, "The address is longer than 32,768 bytes."),
    (429, "Too many requests; Retry-After states when to try again."),
    (431, "The header fields are longer than the server accepts."),
    (500, "An internal error; the server has logged it."),
    (503, "Overloaded, timed out or shutting down; Retry-After states when to try again."),
  ]

  /// Paths in the order of their first operation.
  private static func order(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
