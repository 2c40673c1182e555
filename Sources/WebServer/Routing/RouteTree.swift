/// Path templates as a tree of segments, so that finding a route costs one step per segment.
///
/// At each step the precedence is: a literal, a segment with a fixed beginning or end (`{y}.mvt`),
/// `{name}`, `{name...}` (the rest of the path).
struct RouteTree: Sendable {
  private var nodes = [Node()]
  /// Templates without parameters by their full path: one lookup instead of a walk. Literals have precedence anyway.
  private var literals: [String: Int] = [:]

  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var affixed: [(prefix: String, suffix: String, node: Int)] = []
    var parameter: Int?
    var rest: Int?
    var routes: [Method: Int] = [:]
  }

  /// The node that a path leads to.
  struct Match {
    fileprivate var node: Int
    /// The values of the parameters, in the order of the template.
    var values: [String]
  }

  /// Adds a template. Returns the names of its parameters in order.
  mutating func add(_ template: String, method: Method, route: Int) -> [String] {
    precondition(template.hasPrefix("/"), "a template begins with a slash: \(template)")
    var names: [String] = []
    var node = 0
    for segment in Self.segments(of: template) {
      node = step(from: node, segment: String(segment), names: &names)
    }
    precondition(nodes[node].routes[method] == nil, "two routes for \(method) \(template)")
    nodes[node].routes[method] = route
    if names.isEmpty { literals[template] = node }
    return names
  }

  /// Makes `path` an alias of a template without parameters.
  mutating func addAlias(_ path: String, of template: String) {
    literals[path] = literals[template]
  }

  func match(_ path: String) -> Match? {
    if let node = literals[path] { return Match(node: node, values: []) }
    var match: Match?
    visit(path) { node, values in
      match = Match(node: node, values: values)
      return true
    }
    return match
  }

  /// All matches of a path, the one with precedence first. The others have the methods that it lacks: of
  /// `GET /visits/devices/{id}` and `POST /visits/{id}/cancel`, each answers its method of `/visits/devices/cancel`.
  func matches(_ path: String) -> [Match] {
    var matches: [Match] = []
    visit(path) { node, values in
      matches.append(Match(node: node, values: values))
      return false
    }
    return matches
  }

  private func visit(_ path: String, _ body: (Int, [String]) -> Bool) {
    var values: [String] = []
    _ = visit(Self.segments(of: path)[...], at: 0, values: &values, body)
  }

  func route(_ match: Match, _ method: Method) -> Int? { nodes[match.node].routes[method] }

  func methods(_ match: Match) -> Dictionary<Method, Int>.Keys { nodes[match.node].routes.keys }

  private static func segments(of path: String) -> [Substring] {
    // By bytes: a split at characters takes longer than the rest of the search.
    path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  private mutating func step(from node: Int, segment: String, names: inout [String]) -> Int {
    guard let open = segment.firstIndex(of: "{"), let close = segment.firstIndex(of: "}") else {
      let next = nodes[node].literals[segment] ?? grow()
      nodes[node].literals[segment] = next
      return next
    }
    let name = segment[segment.index(after: open)..<close]
    if name.hasSuffix("...") {
      names.append(String(name.dropLast(3)))
      let next = nodes[node].rest ?? grow()
      nodes[node].rest = next
      return next
    }
    names.append(String(name))
    let prefix = String(segment[..<open])
    let suffix = String(segment[segment.index(after: close)...])
    guard prefix.isEmpty, suffix.isEmpty else {
      return stepAffixed(from: node, prefix: prefix, suffix: suffix)
    }
    let next = nodes[node].parameter ?? grow()
    nodes[node].parameter = next
    return next
  }

  private mutating func stepAffixed(from node: Int, prefix: String, suffix: String) -> Int {
    if let known = nodes[node].affixed.first(where: { $0.prefix == prefix && $0.suffix == suffix })
    {
      return known.node
    }
    let next = grow()
    nodes[node].affixed.append((prefix, suffix, next))
    // Longer fixed parts are tried first.
    nodes[node].affixed.sort {
      $0.prefix.count + $0.suffix.count > $1.prefix.count + $1.suffix.count
    }
    return next
  }

  private mutating func grow() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Passes the nodes that a path leads to, in their precedence, to `body` with the values of parameters, until it
  /// returns true. Returns whether it did.
  private func visit(
    _ rest: ArraySlice<Substring>, at index: Int, values: inout [String],
    _ body: (Int, [String]) -> Bool
  ) -> Bool {
    let node = nodes[index]
    guard let segment = rest.first else { return !node.routes.isEmpty && body(index, values) }
    let further = rest.dropFirst()
    let text = String(segment)
    if let next = node.literals[text], visit(further, at: next, values: &values, body) {
      return true
    }
    guard !text.isEmpty else { return false }
    for affixed in node.affixed {
      if let value = Self.inner(of: text, affixed.prefix, affixed.suffix),
        descend(further, to: affixed.node, value: value, values: &values, body)
      {
        return true
      }
    }
    if let next = node.parameter, descend(further, to: next, value: text, values: &values, body) {
      return true
    }
    guard let next = node.rest else { return false }
    return body(next, values + [rest.joined(separator: "/")])
  }

  private func descend(
    _ further: ArraySlice<Substring>, to node: Int, value: String, values: inout [String],
    _ body: (Int, [String]) -> Bool
  ) -> Bool {
    values.append(value)
    defer { values.removeLast() }
    return visit(further, at: node, values: &values, body)
  }

  private static func inner(of text: String, _ prefix: String, _ suffix: String) -> String? {
    guard text.utf8.count > prefix.utf8.count + suffix.utf8.count, text.hasPrefix(prefix),
      text.hasSuffix(suffix)
    else { return nil }
    return String(text.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
