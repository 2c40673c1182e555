import Service
import WebServer

/// `/help`: the ten tasks of people who use the map, each with a picture of the page, and a short film.
///
/// `make help-pictures` makes the pictures and the film from the running program. The page omits missing files.
struct HelpPage: Sendable {
  let pages: LearnPages
  let files: StaticFiles

  /// The pixels of a picture and of the film.
  private static let width = "1200"
  private static let height = "750"

  func page(_ language: String) -> LearnPages.Page {
    let words = LearnPages.Words(pages.catalogue, language)
    let text = pages.texts.help.text(in: language)
    let title = text.title ?? words("menu.help")
    let walk = film(language, words)
    var headings = text.sections.map { ($0.id, $0.title ?? "") }
    if walk != nil { headings.insert(("film", words("help.film")), at: 0) }
    return LearnPages.Page(
      title: "\(title) – \(pages.name)", description: text.lead ?? "",
      content: """
        <h1>\(title)</h1><p class="lead">\(LearnMarkup.html(text.lead ?? ""))</p>
        \(pages.contents(headings, words))\(walk ?? "")
        \(HTML(joining: text.sections.map { section($0, language) }))
        """)
  }

  private func section(_ section: LearnText.Section, _ language: String) -> HTML {
    var figure: HTML = ""
    if let description = section.picture, let url = url("\(section.id).webp", language) {
      figure = """
        <figure class="help-picture"><a href="\(url)"><img src="\(url)" alt="\(description)" \
        width="\(Self.width)" height="\(Self.height)" loading="lazy" decoding="async"></a></figure>
        """
    }
    return pages.section(section, titled: section.title ?? "", after: figure)
  }

  /// The film has no sound. Its captions are a text track and, for readers, a list below it.
  private func film(_ language: String, _ words: LearnPages.Words) -> HTML? {
    guard let film = url("film.webm", language), let captions = url("film.vtt", language) else {
      return nil
    }
    let poster: HTML = url("route.webp", language).map { " poster=\"\($0)\"" } ?? ""
    return """
      <section><h2 id="film">\(words("help.film"))</h2><p>\(words("help.film.about"))</p>
      <video class="help-film" controls muted playsinline preload="none" \
      width="\(Self.width)" height="\(Self.height)"\(poster)>
      <source src="\(film)" type="video/webm">
      <track kind="captions" srclang="\(language)" label="\(words("help.film.captions"))" \
      src="\(captions)" default>
      <a href="\(film)">\(words("help.film.open"))</a></video></section>
      """
  }

  /// The address of a file in `public/help`; in English if it does not exist in the language.
  private func url(_ name: String, _ language: String) -> String? {
    ["help/\(language)/\(name)", "help/\(Catalogue.defaultLanguage)/\(name)"]
      .first { files.current($0) != nil }.map(files.url)
  }
}
