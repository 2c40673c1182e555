import JSON
import Service
import WebServer

/// The API documentation as a web page, generated from the same endpoints and schemas as the
/// OpenAPI document: parameters and responses of each operation, and an example command.
///
/// The page frame is translated; operations are described in English.
struct DocumentationPage {
  let endpoints: [Endpoint]
  let schemas: [(key: String, value: JSONValue)]
  let server: String
  let snippets: [ClientSnippets.Snippet]
  let catalogue: Catalogue
  let language: String
  /// The name of the instance.
  let name: String

  /// The content of the page.
  var content: HTML {
    """
    <h1>\(words("docs.title"))</h1><p class="lead">\(words("docs.lead"))</p>
    <nav class="docs-contents" aria-label="\(words("learn.contents"))"><ul>\(contents)</ul></nav>
    <div class="docs-search needs-script">
    <label for="docs-search">\(words("docs.search"))</label>
    <input type="search" id="docs-search" autocomplete="off" spellcheck="false">
    <p id="docs-found" role="status"></p></div>
    <section id="begin"><h2>\(words("docs.begin"))</h2>\(beginning)</section>
    <section id="clients"><h2>\(words("docs.clients"))</h2><p>\(words("docs.clients.lead"))</p>
    \(HTML(joining: snippets.map(clients)))</section>
    \(inEnglish)
    \(HTML(joining: tags.map(group)))
    <section id="shapes"><h2>\(words("docs.shapes"))</h2><p>\(words("docs.shapes.lead"))</p>
    <div lang="en">\(HTML(joining: DocumentedShape.all(schemas).map(shape)))</div></section>
    """
  }

  // Introduction

  private var contents: HTML {
    let sections = [("begin", words("docs.begin")), ("clients", words("docs.clients"))]
    let groups = tags.map { (Self.anchor($0), $0) }
    let links = (sections + groups + [("shapes", words("docs.shapes"))]).map { anchor, title in
      "<li><a href=\"#\(anchor)\">\(title)</a></li>" as HTML
    }
    return HTML(joining: links)
  }

  private var beginning: HTML {
    let links = [
      ("/api/openapi.json", "docs.begin.openapi"), ("/api/collections?f=html", "docs.begin.html"),
      ("/api/conformance?f=html", "docs.begin.standards"),
    ].map { path, key in "<li><a href=\"\(path)\">\(words(key))</a></li>" as HTML }
    let points = [
      "docs.begin.reading", "docs.begin.token", "docs.begin.errors", "docs.begin.pages",
    ]
    .map { "<li>\(words($0))</li>" as HTML }
    return """
      <ul class="points">\(HTML(joining: points))</ul>
      \(code("curl \"\(server)/api/collections/devices/items?limit=2\""))
      <ul class="points">\(HTML(joining: links))</ul>
      <details class="docs-common"><summary>\(words("docs.common"))</summary>
      <div lang="en">\(answers(OpenAPIDocument.everyOperation.map { status, text in
        Endpoint.Answer.refusal(status, text)
      }))</div></details>
      """
  }

  private var inEnglish: HTML {
    language == "en" ? "" : "<p class=\"section-note\">\(words("docs.english"))</p>"
  }

  private func clients(_ snippet: ClientSnippets.Snippet) -> HTML {
    """
    <details class="docs-client"><summary>\(snippet.name)</summary>\(code(snippet.text))</details>
    """
  }

  // Operations

  private var tags: [String] {
    var seen: Set<String> = []
    return endpoints.map(\.tag).filter { seen.insert($0).inserted }
  }

  static func anchor(_ tag: String) -> String {
    "tag-" + tag.lowercased().replacing(" ", with: "-")
  }

  private func group(_ tag: String) -> HTML {
    let operations = endpoints.filter { $0.tag == tag }.map(operation)
    return """
      <section class="docs-group" id="\(Self.anchor(tag))" lang="en"><h2>\(tag)</h2>
      \(HTML(joining: operations))</section>
      """
  }

  private func operation(_ endpoint: Endpoint) -> HTML {
    let method = endpoint.method.rawValue
    return """
      <details class="operation" id="\(endpoint.id)"><summary>\
      <code><span class="method method-\(method.lowercased())">\(method)</span> \
      <span class="path">\(breakable(endpoint.path))</span></code>
      <span class="operation-summary">\(Markdown.inline(endpoint.summary))</span></summary>
      <div class="operation-body"><p>\(access(endpoint.access))</p>
      \(parameters(endpoint.parameters))\(body(endpoint.body))
      <h3>\(own("docs.answers"))</h3>\(answers(ownAnswers(endpoint)))\(example(endpoint))
      </div></details>
      """
  }

  /// The permitted callers of an operation, and the scope that a token needs.
  private func access(_ access: Access) -> HTML {
    let whom: HTML =
      switch access {
      case .everyone: own("docs.access.everyone")
      case .signedIn: own("docs.access.signedIn")
      case .session: own("docs.access.session")
      case .owner: own("docs.access.owner")
      case .contributor: own("docs.access.contributor")
      case .contributorSession: own("docs.access.contributorSession")
      case .moderator: own("docs.access.moderator")
      case .admin: own("docs.access.admin")
      }
    guard let scope = access.scope else { return whom }
    return "\(whom) \(own("docs.access.scope")) <code>\(scope.rawValue)</code>."
  }

  private func parameters(_ parameters: [Parameter]) -> HTML {
    guard !parameters.isEmpty else { return "" }
    let rows = parameters.map { parameter in
      """
      <div><dt><code>\(parameter.name)</code> <span class="docs-kind">\
      \(parameter.location.rawValue) · \(parameter.schema.inWords)</span></dt>
      <dd>\(Markdown.inline(parameter.description))\(values(parameter.schema))</dd></div>
      """ as HTML
    }
    return "<h3>\(own("docs.parameters"))</h3><dl class=\"docs-list\">\(HTML(joining: rows))</dl>"
  }

  /// The codes that a parameter accepts, collapsed if there are many.
  private func values(_ schema: Parameter.Schema) -> HTML {
    let codes = schema.values
    guard !codes.isEmpty else { return "" }
    let list = codes.map { "<code>\($0)</code>" as HTML }
    let all = list.dropFirst().reduce(list[0]) { "\($0), \($1)" as HTML }
    guard codes.count > 8 else { return "<p class=\"docs-values\">\(all)</p>" }
    return """
      <details class="docs-values"><summary>\(own("docs.values", "\(codes.count)"))</summary>
      <p>\(all)</p></details>
      """
  }

  private func body(_ body: Endpoint.Body?) -> HTML {
    guard let body else { return "" }
    let types = ([body.type] + body.others).map { "<code>\($0)</code>" as HTML }
    let all = types.dropFirst().reduce(types[0]) { "\($0), \($1)" as HTML }
    let shape: HTML = body.schema.map { ": \(shapeLink($0))" } ?? ""
    return "<h3>\(own("docs.body"))</h3><p>\(all)\(shape)</p>"
  }

  /// The responses of an operation, without the refusals that are common to all and listed in the
  /// introduction.
  private func ownAnswers(_ endpoint: Endpoint) -> [Endpoint.Answer] {
    let common = Set(OpenAPIDocument.everyOperation.map(\.0))
    let declared = Set(endpoint.answers.map(\.status))
    let others = OpenAPIDocument.refusals(of: endpoint)
      .filter { !common.contains($0.0) && !declared.contains($0.0) }
      .map { Endpoint.Answer.refusal($0.0, $0.1) }
    return endpoint.answers + others
  }

  private func answers(_ answers: [Endpoint.Answer]) -> HTML {
    let rows = answers.map { answer -> HTML in
      let isRefusal = answer.status >= 400
      let shapes = isRefusal ? [] : answer.content.map(content)
      return """
        <div><dt><span class="status status-\(String(answer.status / 100))">\
        \(String(answer.status))</span></dt>
        <dd>\(Markdown.inline(answer.description))\(HTML(joining: shapes))</dd></div>
        """
    }
    return "<dl class=\"docs-list docs-answers\">\(HTML(joining: rows))</dl>"
  }

  private func content(_ content: (type: String, schema: String?)) -> HTML {
    let shape: HTML = content.schema.map { ": \(shapeLink($0))" } ?? ""
    return " <span class=\"docs-content\"><code>\(content.type)</code>\(shape)</span>"
  }

  private func example(_ endpoint: Endpoint) -> HTML {
    guard let line = OperationExample(endpoint, server: server).line else { return "" }
    return "<h3>\(own("docs.example"))</h3>\(code(line))"
  }

  // Shapes

  private func shape(_ shape: DocumentedShape) -> HTML {
    let rows = shape.members.map { member in
      let required: HTML = member.isRequired ? " · \(own("docs.required"))" : ""
      return """
        <div><dt><code>\(member.name)</code> <span class="docs-kind">\
        \(kind(member.kind))\(required)</span></dt>\
        <dd>\(member.note)</dd></div>
        """ as HTML
    }
    let list: HTML =
      rows.isEmpty
      ? "<p>\(kind(shape.kind))</p>" : "<dl class=\"docs-list\">\(HTML(joining: rows))</dl>"
    return """
      <details class="docs-shape" id="\(shape.anchor)"><summary><code>\(shape.name)</code></summary>
      \(list)</details>
      """
  }

  private func kind(_ kind: [DocumentedShape.Word]) -> HTML {
    HTML(
      joining: kind.map { word in
        switch word {
        case .text(let text): "\(text)"
        case .shape(let name): shapeLink(name)
        }
      })
  }

  private func shapeLink(_ name: String) -> HTML {
    "<a href=\"#\(DocumentedShape.anchor(name))\"><code>\(name)</code></a>"
  }

  // Words

  private func code(_ text: String) -> HTML {
    "<pre class=\"docs-code\" tabindex=\"0\"><code>\(text)</code></pre>"
  }

  /// A path with line-break opportunities after each slash.
  private func breakable(_ path: String) -> HTML {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    return HTML(joining: parts.map { "/<wbr>\(String($0))" as HTML })
  }

  private func words(_ key: String, _ count: String = "") -> String {
    catalogue.text(Message(key, ["name": name, "count": count]), in: language)
  }

  /// Translated words within English text.
  private func own(_ key: String, _ count: String = "") -> HTML {
    language == "en"
      ? "\(words(key, count))" : "<span lang=\"\(language)\">\(words(key, count))</span>"
  }
}

extension HTML {
  static func + (left: HTML, right: HTML) -> HTML { HTML(joining: [left, right]) }
}

extension Parameter.Schema {
  /// A short description of the value.
  var inWords: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .boolean: "true or false"
    case .date: "day"
    case .integer(let minimum, let maximum, let usual):
      "\(minimum) – \(maximum)" + (usual.map { " (\($0))" } ?? "")
    case .numbers(let minimum, let maximum):
      minimum == maximum ? "\(minimum) numbers" : "\(minimum) – \(maximum) numbers"
    case .codes: "list of codes"
    case .oneOf(_, let usual): "code" + (usual.map { " (\($0))" } ?? "")
    case .uri(_, let usual): "URI (\(usual))"
    case .repeated(let one): "\(one.inWords), repeatable"
    }
  }

  /// The accepted values, where they are known.
  var values: [String] {
    switch self {
    case .codes(let codes): codes
    case .oneOf(let words, _), .uri(let words, _): words
    case .repeated(let one): one.values
    case .text, .integer, .number, .boolean, .date, .numbers: []
    }
  }
}
