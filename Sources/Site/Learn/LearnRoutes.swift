package import Service
package import SpatialDatabase
package import WebServer

/// `/learn`, `/learn/glossary`, the page of each category, and `/help`.
package struct LearnRoutes {
  package let frame: PageFrame
  package let pages: LearnPages
  package let database: Database
  package let versions: AnswerVersions

  package init(frame: PageFrame, pages: LearnPages, database: Database, versions: AnswerVersions) {
    self.frame = frame
    self.pages = pages
    self.database = database
    self.versions = versions
  }

  package func add(to router: inout Router) throws {
    let template = try frame.template("learn.html")
    add(LearnAddress.introduction, template, to: &router) { pages.introduction($1) }
    add(LearnAddress.glossary, template, to: &router) { pages.glossary($1) }
    let help = HelpPage(pages: pages, files: frame.sources.files)
    add(LearnAddress.help, template, to: &router) { help.page($1.language) }
    router.get(LearnAddress.category("{category}")) { request in
      try versions.answer(request, where: { try page(request, category) != nil }) {
        guard let page = try page(request, category) else { throw NotFound.category }
        return answer(page, template, request)
      }
    }
  }

  private func add(
    _ path: String, _ template: PageTemplate, to router: inout Router,
    _ make: @escaping @Sendable (Request, LearnTerms) -> LearnPages.Page
  ) {
    router.get(path) { request in
      try versions.answer(request) {
        try answer(page(request, make), template, request)
      }
    }
  }

  private func category(_ request: Request, _ terms: LearnTerms) -> LearnPages.Page? {
    pages.category(request.parameter("category"), terms)
  }

  private func page<Page>(
    _ request: Request, _ make: (Request, LearnTerms) -> Page
  ) throws -> Page {
    let language = frame.catalogue.language(of: request)
    return make(request, try database.readQuickly { try LearnTerms(language: language, $0) })
  }

  private func answer(
    _ page: LearnPages.Page, _ template: PageTemplate, _ request: Request
  ) -> Response {
    let language = frame.catalogue.language(of: request)
    return frame.answer(
      template,
      [
        "title": "\(page.title)", "description": "\(page.description)", "content": page.content,
        "links": frame.links(request.path, language),
      ], language, .ok)
  }
}

extension NotFound {
  static let category = NotFound(Message("error.not_found.category"))
}
