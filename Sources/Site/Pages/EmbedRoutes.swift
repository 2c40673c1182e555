import PrivacyMap
package import Service
package import WebServer

/// `/embed`: the map or one chart, for a frame on another site.
///
/// It is the only page that other sites may frame. It has the same content for everyone: the handler reads
/// no cookie and sets none, and the page sends its requests without credentials. So a frame cannot show or
/// change anything of a signed-in account.
package struct EmbedRoutes {
  private let frame: PageFrame
  private let versions: AnswerVersions
  private let security: Headers

  /// `security` is ``SecurityPolicy/embeddable``.
  package init(frame: PageFrame, versions: AnswerVersions, security: Headers) {
    self.frame = frame
    self.versions = versions
    self.security = security
  }

  static let path = "/embed"

  package func add(to router: inout Router) throws {
    let template = try frame.template("embed.html")
    router.get(Self.path) { request in
      var response = try versions.answer(request) { page(template, request) }
      for (name, value) in security.all { response.headers[name] = value }
      return response
    }
  }

  private func page(_ template: PageTemplate, _ request: Request) -> Response {
    let language = frame.catalogue.language(of: request)
    return frame.answer(
      template,
      [
        "title": HTML(text: frame.text("page.embed.title", language)),
        "theme": Self.theme(request.query["theme"]),
        "whole": HTML(text: wholePage(request)),
      ], language, .ok)
  }

  /// `light` or `dark`; empty for the theme of the reader's system.
  private static func theme(_ wanted: String?) -> HTML {
    switch wanted {
    case "light": "light"
    case "dark": "dark"
    default: ""
    }
  }

  /// The address of the page that shows the same, for readers without scripts.
  private func wholePage(_ request: Request) -> String {
    if let day = request.query["mapping_day"].flatMap({ DeviceID(text: $0) }) {
      return frame.addresses.url("/mapping-days/\(day.text)")
    }
    let own: Set<String> = ["chart", "theme", "lang"]
    let path = request.query["chart"] == nil ? "/" : "/statistics"
    let rest = request.query.pairs.filter { !own.contains($0.name) }.map { ($0.name, $0.value) }
    return rest.isEmpty ? frame.addresses.url(path) : frame.addresses.url(path, Query(rest))
  }
}
