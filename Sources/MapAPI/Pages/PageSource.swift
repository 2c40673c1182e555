import WebServer

/// A page's source put together: what pages share stands once, in `parts/`, and each names only its
/// first script.
///
/// `{{head}}` and `{{bar}}` are the files of that name in `parts/`. `{{script js/about.js}}` becomes
/// the elements that bring the script with all it needs (``ScriptBundles``).
struct PageSource {
  let files: StaticFiles

  /// - Returns: nil when there is no such file.
  func page(_ file: String) -> String? {
    guard let page = text(file) else { return nil }
    return filled(page)
  }

  private func text(_ file: String) -> String? {
    files[file].map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func filled(_ source: String) -> String {
    var filled = ""
    var rest = Substring(source)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      filled += rest[..<start.lowerBound]
      let name = rest[start.upperBound..<end.lowerBound]
      filled += replacement(String(name)) ?? "{{\(name)}}"
      rest = rest[end.upperBound...]
    }
    return filled + rest
  }

  /// nil for what is filled in later.
  private func replacement(_ name: String) -> String? {
    let words = name.split(separator: " ")
    if words.count == 2, words[0] == "script" { return script(String(words[1])) }
    return text("parts/\(name).html")
  }

  /// The base is asked for together with the page's own file, which would find it only later.
  private func script(_ entry: String) -> String {
    """
    <link rel="modulepreload" href="{{assets}}/\(ScriptBundles.base)">
    <script type="module" src="{{assets}}/\(ScriptBundles.file(of: entry))"></script>
    """
  }

  /// The first scripts that a page's source names.
  static func scripts(of source: String) -> [String] {
    source.split(separator: "{{script ").dropFirst().map { String($0.prefix { $0 != "}" }) }
  }
}
