import Foundation
import Testing

/// Folders of scripts import in one direction. A script directly in `public/js` counts as a folder of its
/// own.
@Suite struct ScriptLayeringTests {
  /// An import of one script by another. Types in comments do not count: they have no effect at run time.
  private struct Import {
    /// Paths from the root of the repository.
    let script: String
    let imported: String

    var folder: String { Self.folder(of: script) }
    var importedFolder: String { Self.folder(of: imported) }

    /// `map` for `public/js/map/pane.js`, `dom.js` for `public/js/dom.js`.
    private static func folder(of path: String) -> String {
      String(path.dropFirst("public/js/".count).prefix { $0 != "/" })
    }
  }

  private let imports: [Import]

  init() throws {
    imports = try Repository.files(in: "public/js", endingIn: [".js"]).flatMap { file in
      file.lines.flatMap { line in
        Self.names(in: line).map { name in
          Import(script: file.path, imported: Self.resolve(name, from: file.path))
        }
      }
    }
  }

  /// The relative names that a line imports, at once (`import`) or while the page runs (`import()`).
  private static func names(in line: Substring) -> [String] {
    let code = withoutComments(line)
    return ["from '", "import '", "import('"].flatMap { mark in
      code.components(separatedBy: mark).dropFirst().map { String($0.prefix { $0 != "'" }) }
    }.filter { $0.hasPrefix(".") && $0.hasSuffix(".js") }
  }

  private static func withoutComments(_ line: Substring) -> String {
    let start = line.drop { $0 == " " }
    if start.hasPrefix("//") || start.hasPrefix("*") { return "" }
    var code = ""
    var rest = line
    while let opening = rest.range(of: "/*") {
      code += rest[..<opening.lowerBound]
      guard let closing = rest.range(of: "*/", range: opening.upperBound..<rest.endIndex) else {
        return code
      }
      rest = rest[closing.upperBound...]
    }
    return code + rest
  }

  private static func resolve(_ name: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  @Test func `every imported script exists`() {
    #expect(imports.count > 500)
    for one in imports {
      #expect(Repository.exists(one.imported), "\(one.script) imports \(one.imported)")
    }
  }

  @Test func `folders of scripts form no cycle`() {
    var cyclic = imports.filter { $0.folder != $0.importedFolder }
    // An import belongs to a cycle only if its own folder is imported and the imported folder imports.
    while true {
      let importing = Set(cyclic.map(\.folder))
      let imported = Set(cyclic.map(\.importedFolder))
      let left = cyclic.filter {
        imported.contains($0.folder) && importing.contains($0.importedFolder)
      }
      guard left.count < cyclic.count else { break }
      cyclic = left
    }
    let found = cyclic.map { "\($0.script) imports \($0.imported)" }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }
}
