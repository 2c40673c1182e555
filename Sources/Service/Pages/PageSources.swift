package import WebServer

/// The files of the pages, and the sources of the pages divided at their placeholders.
package struct PageSources: Sendable {
  package let files: StaticFiles
  private let pages: [String: [Placeholders.Piece]]

  package init(_ files: StaticFiles) {
    self.files = files
    let source = PageSource(files: files)
    // Folders contain parts of pages, and texts.
    let names = files.paths.filter { $0.hasSuffix(".html") && !$0.contains("/") }
    pages = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        source.page(name).map { (name, Placeholders.pieces(of: $0)) }
      })
  }

  /// Nil if there is no page of this name, such as `about.html`.
  func pieces(of page: String) -> [Placeholders.Piece]? { pages[page] }
}
