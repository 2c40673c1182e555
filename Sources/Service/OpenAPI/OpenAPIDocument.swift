package import JSON
import WebServer

/// The OpenAPI 3.0.3 document of an instance, generated from its endpoints.
package struct OpenAPIDocument {
  package let title: String
  package let description: String
  /// The address of the instance without a trailing slash; the prefix of every path.
  package let server: String
  package let contact: String?
  package let licence: String

  package init(
    title: String, description: String, server: String, contact: String?, licence: String
  ) {
    self.title = title
    self.description = description
    self.server = server
    self.contact = contact
    self.licence = licence
  }

  /// The document as JSON, without references to other documents.
  package func bytes(
    of endpoints: [Endpoint], schemas: [(key: String, value: JSONValue)]
  ) -> [UInt8] {
    var json = JSONWriter(capacity: 64 * 1_024)
    json.beginObject()
    json.member("openapi", "3.0.3")
    writeInfo(to: &json)
    json.key("servers")
    json.beginArray()
    json.beginObject()
    json.member("url", server)
    json.endObject()
    json.endArray()
    json.key("paths")
    json.beginObject()
    for path in Self.order(endpoints.map(\.path)) {
      json.key(path)
      json.beginObject()
      for endpoint in endpoints where endpoint.path == path { write(endpoint, to: &json) }
      json.endObject()
    }
    json.endObject()
    json.key("components")
    json.value(OpenAPISchemas.components(schemas))
    json.endObject()
    return json.bytes
  }

  private func writeInfo(to json: inout JSONWriter) {
    json.key("info")
    json.beginObject()
    json.member("title", title)
    json.member("version", Farol.version)
    json.member("description", description)
    if let contact {
      json.key("contact")
      json.beginObject()
      json.member("name", contact)
      json.endObject()
    }
    json.key("license")
    json.beginObject()
    json.member("name", licence)
    json.endObject()
    json.endObject()
  }

  private func write(_ endpoint: Endpoint, to json: inout JSONWriter) {
    json.key(endpoint.method.rawValue.lowercased())
    json.beginObject()
    json.member("operationId", endpoint.id)
    json.key("tags")
    json.strings([endpoint.tag])
    json.member("summary", endpoint.summary)
    json.key("parameters")
    json.beginArray()
    for parameter in endpoint.parameters { parameter.write(to: &json) }
    json.endArray()
    if let body = endpoint.body { write(body, to: &json) }
    if endpoint.access != .everyone {
      json.key("security")
      json.raw(
        endpoint.access.isForBrowsers
          ? "[{\"session\":[]}]" : "[{\"session\":[]},{\"token\":[]}]")
      // OpenAPI 3.0 has scopes for OAuth only, so an extension names the scopes of tokens.
      if let scope = endpoint.access.scope { json.member("x-scope", scope.rawValue) }
    }
    json.key("responses")
    json.beginObject()
    for answer in endpoint.answers { write(answer, to: &json) }
    let declared = Set(endpoint.answers.map(\.status))
    for (status, description) in Self.refusals(of: endpoint) where !declared.contains(status) {
      write(
        Endpoint.Answer(
          status: status, description: description,
          content: status == 304 ? [] : [("application/problem+json", "problem")]), to: &json)
    }
    json.endObject()
    json.endObject()
  }

  private func write(_ body: Endpoint.Body, to json: inout JSONWriter) {
    json.key("requestBody")
    json.beginObject()
    json.key("required")
    json.bool(true)
    json.key("content")
    json.beginObject()
    for type in [body.type] + body.others {
      json.key(type)
      json.beginObject()
      json.key("schema")
      if let schema = body.schema {
        json.beginObject()
        json.member("$ref", "#/components/schemas/\(schema)")
        json.endObject()
      } else {
        json.raw("{\"type\":\"object\"}")
      }
      json.endObject()
    }
    json.endObject()
    json.endObject()
  }

  private func write(_ answer: Endpoint.Answer, to json: inout JSONWriter) {
    json.key("\(answer.status)")
    json.beginObject()
    json.member("description", answer.description)
    if !answer.content.isEmpty {
      json.key("content")
      json.beginObject()
      for content in answer.content {
        json.key(content.type)
        json.beginObject()
        json.key("schema")
        if let schema = content.schema {
          json.beginObject()
          json.member("$ref", "#/components/schemas/\(schema)")
          json.endObject()
        } else {
          json.raw("{\"type\":\"string\",\"format\":\"binary\"}")
        }
        json.endObject()
      }
      json.endObject()
    }
    json.endObject()
  }

  /// The refusals of an operation that it does not declare itself.
  package static func refusals(of endpoint: Endpoint) -> [(Int, String)] {
    var all = everyOperation
    if endpoint.method == .get {
      all.append((304, "Not modified since the version in If-None-Match."))
    }
    if endpoint.path.contains("/items/{id}") {
      all.append(
        (410, "The device was deleted: when, by whom and why, and what it was merged into."))
    }
    if endpoint.access != .everyone {
      all += restricted
    } else {
      if endpoint.asksWho { all.append((401, "The token is not valid.")) }
      if !endpoint.method.isRead { all.append((403, "Sent by a page of another site.")) }
    }
    if endpoint.body != nil { all += writes }
    return all.sorted { $0.0 < $1.0 }
  }

  private static let restricted: [(Int, String)] = [
    (401, "Not signed in."), (403, "Not permitted; `type` states the reason if programs need it."),
  ]
  private static let writes: [(Int, String)] = [
    (415, "The body has another type than those declared."),
    (422, "Well-formed but refused: `errors` names each field."),
  ]

  /// The refusals that every operation may return.
  package static let everyOperation: [(Int, String)] = [
    (400, "Malformed: `errors` names each field."),
    (404, "Not found."),
    (406, "None of the media types in Accept is available."),
    (413, "The body is too long, or this operation accepts no body."),
    (414, "The address is longer than 8,192 bytes."),
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
