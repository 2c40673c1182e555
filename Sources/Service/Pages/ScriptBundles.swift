/// Bundles of the scripts, so that a page needs two requests instead of a hundred.
///
/// Every script is also served on its own, as it is in `public/js`: there is no build step. `base.js` has
/// the modules of the map page, most of which other pages use too. `ahead.js` has those of them that send
/// the first request of the map page, which runs it before the larger file has arrived. Each other page's
/// own file has its remaining imports and starts the page. `later.js` has the modules that pages import
/// dynamically. A module runs once, when it is first needed, whichever file contained it. Comments are
/// left out.
struct ScriptBundles {
  /// Path below `public` → source.
  private(set) var files: [String: String] = [:]

  private let modules: [String: ScriptModule]

  static let folder = "together/"
  static let ahead = "together/ahead.js"
  static let base = "together/base.js"
  private static let later = "together/later.js"
  /// The module with the sentences of the page: those of a later module are not there from the start.
  private static let words = "js/i18n.js"

  /// - Parameters:
  ///   - sources: the scripts, path below `public` → source.
  ///   - shared: the script whose imports go into the base bundle, which starts it on the page whose
  ///     sentences it names in `data-words-of`.
  ///   - first: an import of the shared script that runs before the base bundle has arrived.
  ///   - entries: the entry scripts of the pages.
  /// - Throws: ``UnreadableScript``.
  init(_ sources: [String: String], shared: String, first: String, entries: Set<String>) throws {
    var modules: [String: ScriptModule] = [:]
    for (path, source) in sources { modules[path] = try ScriptModule(path: path, source: source) }
    self.modules = modules
    let base = try needed(by: [shared])
    let ahead = try needed(by: [first])
    files[Self.ahead] = Self.registry + added(ahead) + started(first, onPageOf: shared)
    files[Self.base] =
      "import { $use, $add, $later, $at } from './ahead.js';\n"
      + "export { $use, $add, $later, $at };\n"
      + added(base.subtracting(ahead)) + started(shared, onPageOf: shared)
    var asked = Set(base.flatMap { modules[$0]?.later ?? [] })
    for entry in entries.sorted() where entry != shared && modules[entry] != nil {
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

  /// The names in a page's entry script and all its static imports (``CatalogueKeys``).
  func names(for entry: String) throws -> Set<String> {
    try needed(by: [entry]).reduce(into: []) { $0.formUnion(modules[$1]?.names ?? []) }
  }

  /// The path of a page's bundle.
  static func file(of entry: String) -> String { "\(folder)\(name(of: entry)).js" }

  /// A page's name in `data-words-of`: `people-page` for `js/people/page.js`.
  private static func name(of entry: String) -> String {
    let path = entry.hasPrefix("js/") ? String(entry.dropFirst("js/".count)) : entry
    return path.replacing("/", with: "-").replacing(".js", with: "")
  }

  /// These scripts and all their static imports, recursively.
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

  /// The same, including dynamic imports.
  private func neededLater(by first: Set<String>) throws -> Set<String> {
    var found = try needed(by: first)
    while true {
      let more = try needed(by: Set(found.flatMap { modules[$0]?.later ?? [] }))
      guard !more.isSubset(of: found) else { return found }
      found.formUnion(more)
    }
  }

  /// Runs a module, if it exists, on the page of the shared script only: other pages load the file too.
  private func started(_ path: String, onPageOf shared: String) -> String {
    guard modules[path] != nil else { return "" }
    return "if (document.documentElement.dataset.wordsOf === '\(Self.name(of: shared))') "
      + "$use('\(path)');\n"
  }

  private func added(_ paths: Set<String>) -> String {
    guard !paths.isEmpty else { return "" }
    return "$add({\n" + paths.sorted().compactMap { modules[$0]?.member }.joined() + "});\n"
  }

  /// The module registry: definitions, modules already run, and functions to load the others.
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
      if (!makers.has(name)) {
        await Promise.all([import('./later.js'), makers.has('\(words)') && $use('\(words)').allWords()]);
      }
      return $use(name);
    };
    export const $at = (path) => new URL(`../${path}`, import.meta.url).href;

    """
}
