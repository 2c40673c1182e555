import Accounts
package import Devices
package import JSON
import MappingDays
package import Operators
import PrivacyMap
package import Reference
import Rights
package import Service
import SpatialDatabase
package import WebServer

/// The pages of the web front. Every visitor gets the same file, filled with the content for readers
/// without scripts, search engines and link previews.
package struct PageRoutes {
  package let frame: PageFrame
  package let store: DeviceStore
  package let versions: AnswerVersions
  /// Data embedded in the map page.
  package let given: PreloadedAnswers
  /// Nil if set-up has not made the gazetteer.
  package let places: PlaceStore?
  package let operators: NamedOperators
  /// The data sets of the instance in terms of schema.org, for the page about the data.
  package let datasets: @Sendable () throws -> JSONValue

  package init(
    frame: PageFrame, store: DeviceStore, versions: AnswerVersions, given: PreloadedAnswers,
    places: PlaceStore?, operators: NamedOperators,
    datasets: @escaping @Sendable () throws -> JSONValue
  ) {
    self.operators = operators
    self.datasets = datasets
    self.frame = frame
    self.store = store
    self.versions = versions
    self.given = given
    self.places = places
  }

  /// The paths of pages and their files.
  static let pages = [
    ("/", "index.html"), ("/about", "about.html"), ("/terms", "terms.html"),
    ("/statistics", "statistics.html"), ("/query", "query.html"),
    // The account.
    ("/sign-up", "sign-up.html"), ("/sign-in", "sign-in.html"), ("/recover", "recover.html"),
    ("/reset", "reset.html"), ("/confirm", "confirm.html"), ("/confirm-email", "confirm.html"),
    ("/account", "account.html"), ("/watches", "watches.html"),
    ("/unsubscribe", "unsubscribe.html"),
    // Choices of people, and their outcomes.
    ("/choices", "choices.html"), ("/outcomes", "outcomes.html"),
    ("/data-requests", "data-requests.html"),
    // Operators; the last two pages are opened from a mailed link.
    ("/operators", "operators.html"), ("/operators/register", "organisation.html"),
    ("/operator", "inbox.html"), ("/operator/check", "operator-check.html"),
    ("/reply", "reply.html"),
    // Moderation and administration.
    ("/moderation", "moderation.html"), ("/moderation/log", "moderation.html"),
    ("/moderation/operator-claims", "moderation.html"), ("/moderation/lists", "moderation.html"),
    ("/moderation/visits", "moderation.html"),
    // Lists that contributors propose.
    ("/lists", "lists.html"), ("/lists/propose", "lists.html"),
    ("/admin", "admin.html"), ("/admin/accounts", "admin.html"), ("/admin/devices", "admin.html"),
    ("/admin/imports", "admin.html"), ("/admin/imports/new", "admin.html"),
    ("/admin/collections", "admin.html"),
    ("/admin/operators", "admin.html"), ("/admin/research", "admin.html"),
    ("/report", "report.html"), ("/look", "look.html"),
    ("/walk", "walk.html"), ("/visits", "visits.html"),
    ("/local-watches", "local-watches.html"),
    // Quiet routes and the exposure diary, which are computed in the browser.
    ("/routes", "routes.html"), ("/diary", "diary.html"),
    ("/mapping-days", "mapping-days.html"), ("/moderation/mapping-days", "moderation.html"),
  ]

  /// The paths of device pages and their files.
  static let devicePages = [
    ("/devices/{id}", "device.html"), ("/devices/{id}/edit", "edit.html"),
    ("/devices/{id}/history", "history.html"), ("/devices/{id}/statement", "statement.html"),
  ]

  /// The paths of one choice, request, import or proposed list, and their files.
  static let choicePages = [
    ("/choices/{id}", "choice.html"), ("/choices/{id}/letter", "letter.html"),
    ("/operator/requests/{id}", "request.html"), ("/admin/imports/{id}", "admin.html"),
    ("/lists/{id}", "lists.html"), ("/together/{id}", "together.html"),
    ("/moderation/lists/{id}", "moderation.html"),
  ]

  package func add(to router: inout Router) throws {
    for (path, file) in Self.pages {
      let template = try self.template(file)
      router.get(path) { request in
        try versions.answer(request) {
          try page(template, request, titled: file, status: .ok)
        }
      }
    }
    for (path, file) in Self.devicePages {
      let template = try self.template(file)
      router.get(path) { request in
        let id = DeviceID(text: request.parameter("id"))
        return try versions.answer(request, where: { try id.map(store.has) ?? false }) {
          try devicePage(template, request, titled: file)
        }
      }
    }
    try addPerson(to: &router)
    try addOperator(to: &router)
    try addNamedOperator(to: &router)
    try addChoices(to: &router)
    try addMappingDay(to: &router)
    let lost = try self.template("error.html")
    router.problemPage = { _, text, request in problemPage(lost, text, request) }
    addFixedFiles(to: &router)
  }

  /// Pages that are the same for every address. The page itself finds out which choice, request or
  /// import it shows; the choices of visitors are not in the database.
  private func addChoices(to router: inout Router) throws {
    for (path, file) in Self.choicePages {
      let template = try self.template(file)
      let name = String(file.prefix { $0 != "." })
      router.get(path) { request in
        try versions.answer(request) {
          let language = catalogue.language(of: request)
          return html(
            template.filled([
              "lang": HTML(text: language),
              "title": HTML(text: text("page.\(name).title", language)),
              "description": HTML(text: text("page.\(name).description", language)),
              "content": content(of: name, language),
            ]), language, .ok)
        }
      }
    }
  }

  /// The page of a mapping day. A day that is not public has the same page as one that does not exist: the page itself
  /// finds out whether the reader may see it.
  private func addMappingDay(to router: inout Router) throws {
    let template = try self.template("mapping-day.html")
    router.get("/mapping-days/{id}") { request in
      try versions.answer(request) {
        let language = catalogue.language(of: request)
        let id = request.parameter("id")
        let day = try store.database.readQuickly { try DayPreview(of: id, $0) }
        let title = day.map { "\($0.title) – \(settings.name)" }
        let words = text("page.without_scripts", language)
        let content: HTML =
          day.map { day in
            """
            <h1>\(day.title)</h1><p>\(day.start) – \(day.end) (\(day.timeZone))</p>
            <p>\(day.purpose)</p>
            """
          }
          ?? "<p>\(words)</p>"
        return html(
          template.filled([
            "lang": HTML(text: language),
            "title": HTML(text: title ?? text("page.mapping-day.title", language)),
            "description": HTML(
              text: day?.purpose ?? text("page.mapping-day.description", language)),
            "content": content,
            "share": day.map {
              SharedPage(frame: frame, store: store, places: places).mappingDay($0, language)
            } ?? "",
          ]), language, .ok)
      }
    }
  }

  /// The page of a user; 404 if there is no such user or the account's address is not confirmed.
  private func addPerson(to router: inout Router) throws {
    try addNamed(
      "/people/{username}", "person.html", description: "page.person.description",
      missing: "error.not_found.person", to: &router
    ) { request, connection in
      let account = try AccountStore().account(named: request.parameter("username"), connection)
      return account.flatMap { $0.isConfirmed ? $0.username : nil }
    }
  }

  /// The page of an organisation; 404 if it is not approved.
  private func addOperator(to router: inout Router) throws {
    try addNamed(
      "/operators/{id}", "operator.html", description: "page.operator.description",
      missing: "error.not_found.operator", to: &router
    ) { request, connection in
      try OrganisationStore.approvedName(of: request.parameter("id"), connection)
    }
  }

  /// A page with the title found by `name`; 404 if it finds none.
  private func addNamed(
    _ path: String, _ file: String, description: String, missing: String,
    to router: inout Router,
    name: @escaping @Sendable (Request, Connection) throws -> String?
  ) throws {
    let template = try self.template(file)
    let find: @Sendable (Request) throws -> String? = { request in
      try store.database.readQuickly { try name(request, $0) }
    }
    router.get(path) { request in
      try versions.answer(request, where: { try find(request) != nil }) {
        let language = catalogue.language(of: request)
        let found = try find(request)
        let title = found ?? text(missing, language)
        return html(
          template.filled([
            "lang": HTML(text: language), "title": "\(title) – \(settings.name)",
            "description": HTML(text: text(description, language)),
            "content": "<h1>\(title)</h1><p>\(text("page.without_scripts", language))</p>",
          ]), language, found == nil ? .notFound : .ok)
      }
    }
  }

  /// An error page with a sentence and a link back to the map.
  private func problemPage(
    _ template: PageTemplate, _ problem: ProblemText, _ request: Request
  ) -> Response {
    let language = catalogue.language(of: request)
    return html(
      template.filled([
        "lang": HTML(text: language),
        "title": "\(problem.title) – \(settings.name)",
        "description": HTML(text: problem.detail),
        "content": "<h1>\(problem.title)</h1><p>\(problem.detail)</p>",
      ]), language, .ok)
  }

  private var files: StaticFiles { frame.sources.files }
  private var catalogue: Catalogue { frame.catalogue }
  private var settings: InstanceSettings { frame.settings }

  private func template(_ file: String) throws -> PageTemplate { try frame.template(file) }

  private func page(
    _ template: PageTemplate, _ request: Request, titled file: String, status: Status
  ) throws -> Response {
    let language = catalogue.language(of: request)
    let name = file.prefix { $0 != "." }
    return html(
      template.filled([
        "lang": HTML(text: language),
        "title": HTML(text: text("page.\(name).title", language)),
        "description": HTML(text: text("page.\(name).description", language)),
        "content": content(of: String(name), language),
        "links": try links(of: String(name), request.path, language),
        "share": try shareTags(String(name), request, language),
        "given": name == "index" ? try answers(language) : "",
      ]), language, status)
  }

  /// The tags for previews of links, on the pages that people share.
  private func shareTags(
    _ name: String, _ request: Request, _ language: String
  ) throws -> HTML {
    let shared = SharedPage(frame: frame, store: store, places: places)
    do {
      switch name {
      case "index": return try shared.map(request, language)
      case "statistics": return try shared.statistics(request, language)
      default: return ""
      }
      // The page opens without its database, and reports the error itself.
    } catch is DatabaseFault { return "" }
  }

  /// The page about the data also describes the data sets, for search engines of data sets.
  private func links(of name: String, _ path: String, _ language: String) throws -> HTML {
    let links = frame.links(path, language)
    guard name == "about" else { return links }
    do {
      let bytes = Array(try datasets().text.utf8)
      return "\(links)<script type=\"application/ld+json\">\(HTML(data: bytes))</script>"
    } catch is DatabaseFault { return links }
  }

  /// The embedded data of the map page. Empty while the database cannot be read: the page opens anyway,
  /// requests the data and reports the error itself.
  private func answers(_ language: String) throws -> HTML {
    do { return try given.element(language, files: files) } catch is DatabaseFault { return "" }
  }

  /// The content of a page for readers without scripts.
  private func content(of name: String, _ language: String) -> HTML {
    let title: HTML = "<h1>\(text("page.\(name).title", language))</h1>"
    switch name {
    case "index", "about": return withoutScripts(language)
    case "terms": return "\(title)\(terms(language))"
    default: return "\(title)<p>\(text("page.without_scripts", language))</p>"
    }
  }

  private func terms(_ language: String) -> HTML {
    let noContact = text("terms.no_contact", language)
    let words = TermsText(
      files: files, language: language, settings: settings, noContact: noContact,
      label: { text($0, language) })
    return words?.html ?? ""
  }

  /// Links for readers without scripts, who cannot use the map.
  private func withoutScripts(_ language: String) -> HTML {
    """
    <h1>\(settings.name)</h1><p>\(text("page.index.without_scripts", language))</p>
    <ul><li><a href="/learn">\(text("menu.learn", language))</a></li>
    <li><a href="/help">\(text("menu.help", language))</a></li>
    <li><a href="/about">\(text("page.about.title", language))</a></li>
    <li><a href="/api/docs">/api/docs</a></li></ul>
    """
  }

  private func devicePage(
    _ template: PageTemplate, _ request: Request, titled file: String
  ) throws -> Response {
    let language = catalogue.language(of: request)
    let id = DeviceID(text: request.parameter("id"))
    guard let id,
      let summary = try DeviceSummary(
        id: id, language: language, store: store,
        names: DeviceNames(catalogue: catalogue, places: places))
    else {
      let isDeleted =
        try id.flatMap { id in try store.database.readQuickly { try Tombstone(id, $0) } } != nil
      let why = text(isDeleted ? "error.gone" : "error.not_found.device", language)
      return html(
        template.filled([
          "lang": HTML(text: language),
          "title": HTML(text: text("page.device_missing.title", language)),
          "description": HTML(text: why), "content": "<p>\(why)</p>",
        ]), language, isDeleted ? .gone : .notFound)
    }
    return html(
      template.filled([
        "lang": HTML(text: language),
        "title": HTML(text: title(of: file, device: summary.name, language)),
        "description": HTML(text: summary.category + ". " + summary.definition),
        "content": summary.html(catalogue, language),
        "links": frame.links("/devices/\(id.text)", language),
        "share": summary.shareTags(id, frame, language),
      ]), language, .ok)
  }

  /// The title of a device page: the device's name, then the purpose of the page.
  private func title(of file: String, device: String, _ language: String) -> String {
    let name = file.prefix { $0 != "." }
    let rest = name == "device" ? settings.name : text("page.\(name).title", language)
    return "\(device) – \(rest)"
  }

  private func html(_ page: String, _ language: String, _ status: Status) -> Response {
    return Response.html(page, status: status).with("Content-Language", language)
  }

  private func text(_ key: String, _ language: String) -> String { frame.text(key, language) }

  /// Files that must be at the root: a service worker controls only pages below its own path.
  private func addFixedFiles(to router: inout Router) {
    // The build has written its list into the script.
    let shell = files.paths.filter { path in
      let isUsed = ["css/", "js/", "locale/", "vendor/"].contains { path.hasPrefix($0) }
      return isUsed && !path.contains("echarts") && !path.hasSuffix(".ts")
    }
    files.add(
      "service-worker.js", at: "/service-worker.js", to: &router,
      values: ["precache": JSONText.strings(shell.map { files.url($0) })])
    files.add(
      "manifest.webmanifest", at: "/manifest.webmanifest", to: &router,
      values: ["name": settings.name])
    files.add("icons/farol.svg", at: "/favicon.svg", to: &router)
  }
}
