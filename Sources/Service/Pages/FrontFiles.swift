package import WebServer

/// The files of the web front, plus files generated from them to reduce the number of requests: bundled
/// scripts and style sheets for each page, and the icons.
package enum FrontFiles {
  /// Scripts that pages load before everything else, outside the bundles.
  package static let classicScripts: Set = ["js/early.js", "js/first-visit.js"]

  /// The script of the map page. Other pages use most of its imports.
  static let shared = "js/main.js"
  /// The import of the map page that sends its first request.
  private static let first = "js/ahead.js"

  /// Reads a folder.
  ///
  /// - Throws: the file system's error, or ``UnreadableScript``.
  package static func read(_ directory: String) throws -> StaticFiles {
    StaticFiles(contents: try assembled(StaticFiles.contents(of: directory)))
  }

  /// - Parameter contents: path below `public` → bytes.
  /// - Returns: the files and the generated ones.
  /// - Throws: ``UnreadableScript``.
  static func assembled(_ contents: [String: [UInt8]]) throws -> [String: [UInt8]] {
    var contents = contents
    if let symbols = Symbols(contents) {
      contents["css/icons.css"] = Array(symbols.sheet.utf8)
    }
    func texts(_ suffix: String) -> [String: String] {
      contents.filter { $0.key.hasSuffix(suffix) }
        .mapValues { String(decoding: $0, as: UTF8.self) }
    }
    let pages = texts(".html")
    let scripts = texts(".js").filter {
      $0.key.hasPrefix("js/") && !classicScripts.contains($0.key)
    }
    let entries = Set(pages.values.flatMap(PageSource.scripts(of:)))
    if !scripts.isEmpty {
      let bundles = try ScriptBundles(
        scripts, shared: shared, first: first, entries: entries)
      for (path, source) in bundles.files { contents[path] = Array(source.utf8) }
      for (path, bytes) in try ownWords(contents, pages, bundles) { contents[path] = bytes }
    }
    var sheets = StyleBundles(texts(".css"))
    for (path, page) in pages { contents[path] = Array(sheets.linking(page, at: path).utf8) }
    for (path, source) in sheets.files { contents[path] = Array(source.utf8) }
    return contents
  }
}

extension FrontFiles {
  private static let locale = "locale/"

  /// Files with the sentences of one page, for the pages that begin with them: `data-words-of="main"` in a
  /// page stands for `together/main.en.json` and those of the other languages.
  private static func ownWords(
    _ contents: [String: [UInt8]], _ pages: [String: String], _ bundles: ScriptBundles
  ) throws -> [String: [UInt8]] {
    let catalogues = contents.filter { $0.key.hasPrefix(locale) && $0.key.hasSuffix(".json") }
    let parts = pages.filter { $0.key.hasPrefix("parts/") }.values.joined()
    var files: [String: [UInt8]] = [:]
    for page in pages.values where page.contains(" data-words-of=\"") {
      for entry in PageSource.scripts(of: page) {
        let names = try bundles.names(for: entry).union(CatalogueKeys.names(in: page + parts))
        for (path, bytes) in catalogues {
          let begin = ScriptBundles.file(of: entry).dropLast("js".count)
          files["\(begin)\(path.dropFirst(locale.count))"] = CatalogueKeys.part(
            of: bytes, for: names)
        }
      }
    }
    return files
  }
}

/// Bundles of style sheets that a page links to in consecutive lines.
private struct StyleBundles {
  /// Path below `public` → source.
  private(set) var files: [String: String] = [:]

  private let sheets: [String: String]

  init(_ sheets: [String: String]) { self.sheets = sheets }

  private static let start = "<link rel=\"stylesheet\" href=\"{{assets}}/"
  private static let end = "\">"

  /// The page with each run of links replaced by one link.
  mutating func linking(_ page: String, at path: String) -> String {
    var lines: [String] = []
    var run: [String] = []
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let sheet = sheet(in: line) {
        run.append(sheet)
        continue
      }
      if !run.isEmpty { lines.append(link(run, of: path)) }
      run = []
      lines.append(line)
    }
    if !run.isEmpty { lines.append(link(run, of: path)) }
    return lines.joined(separator: "\n")
  }

  /// What a bundle contains of a sheet.
  private func part(_ path: String) -> String {
    let sheet = sheets[path] ?? ""
    guard !LibraryStyle.isSheet(path) else { return LibraryStyle.needed(sheet) + "\n" }
    var comments = SourceComments()
    return sheet.split(separator: "\n").compactMap { comments.needed($0.utf8) }
      .map { $0 + "\n" }.joined()
  }

  /// The sheet that a line links to; nil if the sheet does not exist, or for any other line.
  private func sheet(in line: String) -> String? {
    guard line.hasPrefix(Self.start), line.hasSuffix(Self.end) else { return nil }
    let path = String(line.dropFirst(Self.start.count).dropLast(Self.end.count))
    return sheets[path] == nil ? nil : path
  }

  /// The link to the bundle of a run. The bundle has the same folder depth as the sheets, because they
  /// contain relative addresses.
  private mutating func link(_ run: [String], of page: String) -> String {
    let name = page.dropLast(".html".count).replacing("/", with: "-")
    var path = "\(ScriptBundles.folder)\(name).css"
    while files[path] != nil { path = path.dropLast(".css".count) + "-more.css" }
    files[path] = run.map { "/* \($0) */\n\(part($0))" }.joined()
    return Self.start + path + Self.end
  }
}

/// The icons in `icons/`, one SVG file each.
private struct Symbols {
  /// By path below `icons`, such as `interface/map`.
  private let drawings: [(name: String, source: String)]

  private static let folder = "icons/"

  /// Nil if there are no icons.
  init?(_ contents: [String: [UInt8]]) {
    drawings = contents.sorted { $0.key < $1.key }.compactMap { path, bytes in
      guard path.hasPrefix(Self.folder), path.hasSuffix(".svg") else { return nil }
      let name = path.dropFirst(Self.folder.count).dropLast(".svg".count)
      return (String(name), String(decoding: bytes, as: UTF8.self))
    }
    guard !drawings.isEmpty else { return nil }
  }

  /// Sets `--icon` for elements that name a symbol: `data-icon="interface/map"`.
  var sheet: String {
    drawings.map { name, source in
      let data = PercentEncoding.component(source.replacing("\n", with: " "))
      return "[data-icon=\"\(name)\"]{--icon:url(\"data:image/svg+xml,\(data)\")}\n"
    }.joined()
  }
}
