import WebServer

/// Assembles the source of a page. Parts shared by all pages are in `parts/`, and each page names only
/// its entry script.
///
/// `{{head}}` and `{{bar}}` are replaced by the files of that name in `parts/`. `{{script js/about.js}}`
/// is replaced by the elements that load the script and its imports (``ScriptBundles``).
struct PageSource {
  let files: StaticFiles

  /// - Returns: nil if there is no such file.
  func page(_ file: String) -> String? {
    guard let page = text(file) else { return nil }
    return filled(page)
  }

  private func text(_ file: String) -> String? {
    files[file].map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func filled(_ source: String) -> String {
    Placeholders.pieces(of: source).reduce(into: "") { filled, piece in
      switch piece {
      case .text(let text): filled += text
      case .placeholder(let name): filled += replacement(name) ?? "{{\(name)}}"
      }
    }
  }

  /// Nil for placeholders that are filled later.
  private func replacement(_ name: String) -> String? {
    let words = name.split(separator: " ")
    if words.count == 2, words[0] == "script" { return script(String(words[1])) }
    return text("parts/\(name).html")
  }

  /// Preloads the base bundle together with the page's own file, which would otherwise request it only
  /// later. The map page is in the base bundle. It runs the first part itself, as soon as that has arrived.
  private func script(_ entry: String) -> String {
    guard entry != FrontFiles.shared else {
      return "<script type=\"module\" src=\"{{assets}}/\(ScriptBundles.base)\"></script>"
    }
    return """
      <link rel="modulepreload" href="{{assets}}/\(ScriptBundles.ahead)">
      <link rel="modulepreload" href="{{assets}}/\(ScriptBundles.base)">
      <script type="module" src="{{assets}}/\(ScriptBundles.file(of: entry))"></script>
      """
  }

  /// The entry scripts named in a page's source.
  static func scripts(of source: String) -> [String] {
    source.split(separator: "{{script ").dropFirst().map { String($0.prefix { $0 != "}" }) }
  }
}
