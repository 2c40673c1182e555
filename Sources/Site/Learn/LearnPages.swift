package import Service

/// The learning pages, rendered on the server. They are readable without scripts, which only add inline
/// definitions, icons and the search of the glossary.
package struct LearnPages: Sendable {
  /// A page's title, its description for search engines, and its content.
  struct Page {
    let title: String
    let description: String
    let content: HTML
  }

  package let texts: LearnTexts
  package let catalogue: Catalogue
  /// The name of the instance.
  package let name: String

  package init(texts: LearnTexts, catalogue: Catalogue, name: String) {
    self.texts = texts
    self.catalogue = catalogue
    self.name = name
  }

  /// *Privacy and connected devices*, with links to every category and to the glossary.
  func introduction(_ terms: LearnTerms) -> Page {
    let words = Words(catalogue, terms.language)
    let text = texts.introduction.text(in: terms.language)
    let title = text.title ?? words("menu.learn")
    var headings = text.sections.map { ($0.id, $0.title ?? "") }
    headings.append(("kinds", words("learn.kinds")))
    return Page(
      title: "\(title) – \(name)", description: text.lead ?? "",
      content: """
        <h1>\(title)</h1><p class="lead">\(LearnMarkup.html(text.lead ?? ""))</p>
        \(contents(headings, words))
        \(HTML(joining: text.sections.map { section($0, titled: $0.title ?? "") }))
        <section><h2 id="kinds">\(words("learn.kinds"))</h2><p>\(words("learn.kinds.lead"))</p>
        \(kinds(terms.categories))</section>
        <section><h2 id="words">\(words("learn.glossary"))</h2>
        <p>\(words("learn.glossary.lead"))</p>
        <p><a class="button" href="\(LearnAddress.glossary)">\(words("learn.glossary.open"))</a></p>
        </section>\(sources(texts.introduction.sources, words))
        """)
  }

  /// All glossary terms in alphabetical order, each with an anchor.
  func glossary(_ terms: LearnTerms) -> Page {
    let words = Words(catalogue, terms.language)
    let letters = terms.letters
    let jumps = letters.map { group in
      "<a href=\"#letter-\(group.letter)\">\(group.letter)</a>" as HTML
    }
    let groups = letters.map { group in
      """
      <section class="letter"><h2 id="letter-\(group.letter)">\(group.letter)</h2>
      <dl>\(HTML(joining: group.terms.map { entry($0, terms, words) }))</dl></section>
      """ as HTML
    }
    return Page(
      title: "\(words("learn.glossary")) – \(name)", description: words("learn.glossary.lead"),
      content: """
        \(way(words))<h1>\(words("learn.glossary"))</h1>
        <p class="lead">\(words("learn.glossary.lead"))</p>
        <div class="glossary-search needs-script">
        <label for="glossary-search">\(words("learn.glossary.search"))</label>
        <input type="search" id="glossary-search" autocomplete="off" spellcheck="false">
        <p id="glossary-found" role="status"></p></div>
        <nav class="letters" aria-label="\(words("learn.glossary.letters"))">
        \(HTML(joining: jumps))</nav>\(HTML(joining: groups))
        """)
  }

  /// The page of a category of devices.
  ///
  /// - Returns: nil if the category does not exist.
  func category(_ code: String, _ terms: LearnTerms) -> Page? {
    guard let term = terms.category(code) else { return nil }
    let words = Words(catalogue, terms.language)
    let article = texts.categories[code]
    let sections = article?.text(in: terms.language).sections ?? []
    let written = sections.map { section in
      self.section(
        section, titled: words("learn.section.\(section.id)"),
        before: section.id == "collects" ? typical(term, terms, words) : "")
    }
    // A category that this instance added, without an article.
    let body: HTML =
      written.isEmpty
      ? "<p>\(words("learn.unwritten"))</p>\(typical(term, terms, words))"
      : HTML(joining: written)
    return Page(
      title: "\(term.label) – \(name)", description: term.definition,
      content: """
        \(way(words))<h1><span class="icon" data-icon="category/\(term.icon)" aria-hidden="true"></span>\
        \(term.label)</h1><p class="lead">\(term.definition)</p>\(body)
        <p><a class="button" href="/?category=\(code)">\(words("learn.on_map"))</a></p>
        \(sources(article?.sources ?? [], words))
        <nav class="learn-others" aria-label="\(words("learn.others"))">
        <h2>\(words("learn.others"))</h2>
        \(kinds(terms.categories.filter { $0.code != code }))</nav>
        """)
  }

  /// Links to the headings of a page, each an id and its words.
  func contents(_ headings: [(String, String)], _ words: Words) -> HTML {
    let items = headings.map { id, title in
      "<li><a href=\"#\(id)\">\(title)</a></li>" as HTML
    }
    return """
      <nav class="learn-contents" aria-label="\(words("learn.contents"))">
      <ul>\(HTML(joining: items))</ul></nav>
      """
  }

  func section(
    _ section: LearnText.Section, titled title: String, before: HTML = "", after: HTML = ""
  ) -> HTML {
    let parts = section.parts.map { part -> HTML in
      switch part {
      case .paragraph(let text): return "<p>\(LearnMarkup.html(text))</p>"
      case .points(let points):
        let items = points.map { "<li>\(LearnMarkup.html($0))</li>" as HTML }
        return "<ul class=\"points\">\(HTML(joining: items))</ul>"
      }
    }
    return """
      <section><h2 id="\(section.id)">\(title)</h2>\(before)\(HTML(joining: parts))\(after)</section>
      """
  }

  /// The data that such a device usually collects, according to the taxonomy.
  private func typical(
    _ category: LearnTerms.Term, _ terms: LearnTerms, _ words: Words
  ) -> HTML {
    let data = category.collects.compactMap(terms.data)
    guard !data.isEmpty else { return "<p>\(words("learn.collects.open"))</p>" }
    let rows = data.map { "<div><dt>\($0.label)</dt><dd>\($0.definition)</dd></div>" as HTML }
    return """
      <p>\(words("learn.collects.typical"))</p><dl class="learn-data">\(HTML(joining: rows))</dl>
      """
  }

  private func kinds(_ categories: [LearnTerms.Term]) -> HTML {
    let items = categories.map { term in
      """
      <li><a href="\(LearnAddress.category(term.code))"><span class="icon" \
      data-icon="category/\(term.icon)" aria-hidden="true"></span><span>\(term.label)</span></a></li>
      """ as HTML
    }
    return "<ul class=\"kinds\">\(HTML(joining: items))</ul>"
  }

  private func entry(_ term: LearnTerms.Term, _ terms: LearnTerms, _ words: Words) -> HTML {
    let kinds = term.see.compactMap { see -> HTML? in
      guard see.hasPrefix("categories:"),
        let category = terms.category(String(see.dropFirst("categories:".count)))
      else { return nil }
      return "<a href=\"\(LearnAddress.category(category.code))\">\(category.label)</a>"
    }
    let more: HTML =
      kinds.isEmpty ? "" : "<p class=\"entry-more\">\(words("learn.more")): \(list(kinds))</p>"
    let rests = list(term.sources.map { link($0, words) })
    let source: HTML =
      term.sources.isEmpty ? "" : "<p class=\"entry-more\">\(words("learn.source")): \(rests)</p>"
    return """
      <div id="term-\(term.code)"><dt>\(term.label)</dt>\
      <dd><p>\(term.definition)</p>\(more)\(source)</dd></div>
      """
  }

  private func sources(_ sources: [LearnSource], _ words: Words) -> HTML {
    guard !sources.isEmpty else { return "" }
    let items = sources.map { "<li>\(link($0, words))</li>" as HTML }
    return """
      <section class="learn-sources"><h2 id="sources">\(words("learn.sources"))</h2>
      <ul class="points">\(HTML(joining: items))</ul></section>
      """
  }

  /// A title in another language than the page gets a `lang` attribute.
  private func link(_ source: LearnSource, _ words: Words) -> HTML {
    let title = source.title(in: words.language)
    let language: HTML = title.language == words.language ? "" : " lang=\"\(title.language)\""
    return "<a href=\"\(source.url)\"\(language) rel=\"noopener noreferrer\">\(title.words)</a>"
  }

  private func list(_ items: [HTML]) -> HTML {
    items.dropFirst().reduce(items.first ?? "") { "\($0) · \($1)" }
  }

  private func way(_ words: Words) -> HTML {
    """
    <nav class="learn-way" aria-label="\(words("learn.way"))">\
    <a href="\(LearnAddress.introduction)">\(words("learn.up"))</a></nav>
    """
  }
}

extension LearnPages {
  /// The catalogue in one language.
  struct Words {
    let catalogue: Catalogue
    let language: String

    init(_ catalogue: Catalogue, _ language: String) {
      self.catalogue = catalogue
      self.language = language
    }

    func callAsFunction(_ key: String) -> String { catalogue.text(Message(key), in: language) }
  }
}
