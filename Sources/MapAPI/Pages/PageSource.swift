import WebServer

/// A page's source put together: what pages share stands once, in `parts/`, and each names only its
/// first script.
///
/// `{{head}}` and `{{bar}}` are the files of that name in `parts/`. `{{script js/about.js}}` becomes
/// the script's own element, after a preload of each module it needs, so that a browser asks for all of
/// them at once instead of finding one in another.
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

  private func script(_ entry: String) -> String {
    let preloads = modules(of: entry).map { path in
      "<link rel=\"modulepreload\" href=\"{{assets}}/\(path)\">\n"
    }
    return preloads.joined() + "<script type=\"module\" src=\"{{assets}}/\(entry)\"></script>"
  }

  /// The paths of all modules that `entry` needs, directly and by others, itself left out.
  func modules(of entry: String) -> [String] {
    var found: Set<String> = []
    var todo = [entry]
    while let path = todo.popLast() {
      for next in imports(of: path) where found.insert(next).inserted { todo.append(next) }
    }
    found.remove(entry)
    return found.sorted()
  }

  /// What the import lines of a module name; what it asks for while it runs (`import(…)`) is left for
  /// then.
  private func imports(of path: String) -> [String] {
    guard let source = text(path) else { return [] }
    let folder = path.split(separator: "/").dropLast()
    return source.split(separator: "\n").compactMap { line in
      let isImport = line.hasPrefix("import ") || line.hasPrefix("export ") || line.hasPrefix("}")
      guard isImport, let from = line.firstRange(of: " from '.") ?? line.firstRange(of: "import '.")
      else { return nil }
      let name = line[line.index(before: from.upperBound)...].prefix { $0 != "'" }
      return resolve(name, in: folder)
    }
  }

  private func resolve(_ name: Substring, in folder: ArraySlice<Substring>) -> String {
    var parts = Array(folder)
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
