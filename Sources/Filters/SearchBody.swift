import JSON
package import Service
package import WebServer

/// A search: query parameters as members of a JSON object, because an address cannot be as long as some
/// filters.
///
/// Numbers and flags are read as their text, and a list as its values separated by commas, or as a repeated parameter
/// where repetition is allowed. `filter` can also be CQL2 JSON itself.
package struct SearchBody {
  private let request: Request

  /// - Parameters:
  ///   - request: the request with the body.
  ///   - parameters: the parameters of the same list with GET.
  ///   - isProperty: whether a further member is the name of a property, which may be repeated.
  /// - Throws: a 415 or 400 when the body is not a JSON object, ``InvalidInput`` for unknown members and
  ///   values of other types.
  package init(
    _ request: Request, parameters: [Parameter], isProperty: (String) -> Bool = { _ in false }
  ) throws {
    let known = Dictionary(
      parameters.filter { $0.location == .query && $0.name != "f" }.map { ($0.name, $0.isSingle) },
      uniquingKeysWith: { first, _ in first })
    let members = try RequestBody.object(of: request, types: ["application/json"])
    var pairs: [(String, String)] = []
    var isJSON = false
    for (name, value) in members.members where !value.isNull {
      guard let isSingle = known[name] ?? (isProperty(name) ? false : nil) else {
        throw InvalidInput(PlainText.clipped(name), Message("error.unknown_member"))
      }
      if name == "filter", value.objectValue != nil || value.arrayValue != nil {
        isJSON = true
        pairs.append((name, value.text))
      } else {
        pairs += try Self.texts(of: value, name, isSingle: isSingle).map { (name, $0) }
      }
    }
    if isJSON, members["filter-lang"] == nil { pairs.append(("filter-lang", "cql2-json")) }
    var asked = request
    asked.query = Query(pairs)
    asked.headers["If-None-Match"] = nil
    self.request = asked
  }

  private static func texts(
    of value: JSONValue, _ name: String, isSingle: Bool
  ) throws(InvalidInput) -> [String] {
    guard let values = value.arrayValue else { return [try text(of: value, name)] }
    var texts: [String] = []
    for value in values { texts.append(try text(of: value, name)) }
    return isSingle ? [texts.joined(separator: ",")] : texts
  }

  private static func text(of value: JSONValue, _ name: String) throws(InvalidInput) -> String {
    switch value {
    case .string(let text): return text
    case .integer, .double, .bool: return value.text
    default: throw InvalidInput(name, Message("error.type.text"))
    }
  }

  /// The response of `list` to the request with the members as its query. It is never stored: caches do
  /// not compare bodies.
  package func response(_ list: (Request) throws -> Response) throws -> Response {
    var response = try list(request)
    response.etag = nil
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
