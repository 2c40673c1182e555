import Operators
import Service
import WebServer

extension PageRoutes {
  /// The page of an operator that devices name; 404 if no listed operator has the name.
  func addNamedOperator(to router: inout Router) throws {
    let template = try frame.template("named-operator.html")
    router.get("/operators/named/{key}") { request in
      let name = request.parameter("key")
      return try versions.answer(
        request, where: { try operators.page(named: name) != nil }
      ) {
        let language = frame.catalogue.language(of: request)
        let found = try operators.page(named: name)
        let title = found?.name ?? frame.text("error.not_found.named_operator", language)
        let words = frame.text(
          found == nil ? "page.without_scripts" : "page.named_operator.by_map", language)
        let more: HTML =
          found == nil ? "" : "<p>\(frame.text("page.without_scripts", language))</p>"
        var response = Response.html(
          template.filled([
            "lang": HTML(text: language), "title": "\(title) – \(frame.settings.name)",
            "description": HTML(text: frame.text("page.named_operator.description", language)),
            "content": "<h1>\(title)</h1><p>\(words)</p>\(more)",
            "links": found.map { frame.links("/operators/named/\($0.path)", language) } ?? "",
          ]), status: found == nil ? .notFound : .ok)
        response.headers.add("Content-Language", language)
        return response
      }
    }
  }
}
