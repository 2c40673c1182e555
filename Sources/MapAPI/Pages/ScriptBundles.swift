/// The scripts of the pages, put together so that a page asks for two files instead of a hundred.
///
/// Every script stands in a file alone as well, as it lies in `public/js`: there is no build step.
/// `base.js` has what the map page needs and the others mostly share; a page's own file has the rest of
/// what it imports, and starts it; `later.js` has what is only asked for while a page runs. A module is
/// run when it is first needed, once, whichever file brought it.
struct ScriptBundles {
  /// Path below `public` → source.
  private(set) var files: [String: String] = [:]

  private let modules: [String: ScriptModule]

  static let folder = "together/"
  static let base = "together/base.js"
  private static let later = "together/later.js"

  /// - Parameters:
  ///   - sources: the scripts, path below `public` → source.
  ///   - shared: the script whose modules go into the base.
  ///   - entries: the first scripts of the pages.
  /// - Throws: ``UnreadableScript``.
  init(_ sources: [String: String], shared: String, entries: Set<String>) throws {
    var modules: [String: ScriptModule] = [:]
    for (path, source) in sources { modules[path] = try ScriptModule(path: path, source: source) }
    self.modules = modules
    let base = try needed(by: [shared])
    files[Self.base] = Self.registry + added(base)
    var asked = Set(base.flatMap { modules[$0]?.later ?? [] })
    for entry in entries.sorted() where modules[entry] != nil {
      let all = try needed(by: [entry])
      asked.formUnion(all.flatMap { modules[$0]?.later ?? [] })
      files[Self.file(of: entry)] =
        "import { $use, $add, $later, $at } from './base.js';\n"
        + added(all.subtracting(base)) + "$use('\(entry)');\n"
    }
    let rest = try neededLater(by: asked).subtracting(base)
    files[Self.later] =
      "import { $use, $add, $later, $at } from './base.js';\n" + added(rest)
  }

  /// Where the file of a page's first script stands.
  static func file(of entry: String) -> String {
    let name = entry.hasPrefix("js/") ? String(entry.dropFirst("js/".count)) : entry
    return folder + name.replacing("/", with: "-")
  }

  /// What these scripts import, themselves, and so on.
  private func needed(by first: Set<String>) throws -> Set<String> {
    var found = first.intersection(modules.keys)
    var todo = Array(found)
    while let path = todo.popLast() {
      for next in modules[path]?.imports ?? [] {
        guard modules[next] != nil else { throw UnreadableScript(path: path, line: next) }
        if found.insert(next).inserted { todo.append(next) }
      }
    }
    return found
  }

  /// The same, with what those ask for while they run.
  private func neededLater(by first: Set<String>) throws -> Set<String> {
    var found = try needed(by: first)
    while true {
      let more = try needed(by: Set(found.flatMap { modules[$0]?.later ?? [] }))
      guard !more.isSubset(of: found) else { return found }
      found.formUnion(more)
    }
  }

  private func added(_ paths: Set<String>) -> String {
    guard !paths.isEmpty else { return "" }
    return "$add({\n" + paths.sorted().compactMap { modules[$0]?.member }.joined() + "});\n"
  }

  /// What is there, what was run, and how to get at the rest.
  private static let registry = """
    const makers = new Map();
    const made = new Map();
    export const $add = (modules) => {
      for (const [name, make] of Object.entries(modules)) if (!makers.has(name)) makers.set(name, make);
    };
    export const $use = (name) => {
      if (!made.has(name)) made.set(name, makers.get(name)());
      return made.get(name);
    };
    export const $later = async (name) => {
      if (!makers.has(name)) await import('./later.js');
      return $use(name);
    };
    export const $at = (path) => new URL(`../${path}`, import.meta.url).href;

    """
}
