/// A script as part of a bundle: a function that runs when the module is first needed and returns its
/// exports.
///
/// Only the syntax used by our scripts is supported: `import { a, b as c } from './other.js';`, `import
/// './other.js';`, `export` before a function, class or constant, `import('./other.js')` and
/// `import.meta.url`. Each statement begins its line. Bundles must not contain cyclic imports, and
/// exported values must not change.
struct ScriptModule {
  /// The path below `public`, such as `js/map/pane.js`.
  let path: String
  /// The static imports, in order.
  private(set) var imports: [String] = []
  /// The dynamic imports.
  private(set) var later: [String] = []
  /// The texts in quotes that can be keys of the catalogue, or the beginning of some.
  private(set) var names: Set<String> = []
  private var exports: [String] = []
  private var body = ""

  /// - Throws: ``UnreadableScript`` if a line has another syntax.
  init(path: String, source: String) throws {
    self.path = path
    let asks = source.contains(Self.call)
    let placed = source.contains(Self.address)
    names = CatalogueKeys.names(in: source)
    var statement = ""
    var comments = SourceComments()
    // Works on bytes: there are tens of thousands of lines, and they delay the start of an instance.
    for line in source.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard let line = comments.needed(line) else { continue }
      statement += line
      if statement.hasPrefix("import ") || statement.hasPrefix("import{") {
        guard statement.hasSuffix(";") else { continue }
        body += try importing(statement)
      } else {
        body += try exporting(statement, asks: asks, placed: placed)
      }
      body += "\n"
      statement = ""
    }
    guard statement.isEmpty else { throw UnreadableScript(path: path, line: statement) }
  }

  /// The module as a property of an object literal: its path, then the function. The parentheses tell
  /// browsers that the function will be called, so they compile it while the file arrives instead of when
  /// the page runs it.
  var member: String {
    "'\(path)': (function () {\n\(body)return { \(exports.joined(separator: ", ")) };\n}),\n"
  }

  private mutating func importing(_ statement: String) throws -> String {
    let pieces = statement.split(separator: "'", omittingEmptySubsequences: false)
    guard pieces.count == 3, pieces[2] == ";", let found = resolve(pieces[1]) else {
      throw UnreadableScript(path: path, line: statement)
    }
    imports.append(found)
    let words = pieces[0].split(separator: " ")
    guard words != ["import"] else { return "$use('\(found)');" }
    guard words.count > 2, words[1].hasPrefix("{"), words[words.count - 2].hasSuffix("}"),
      words.last == "from"
    else { throw UnreadableScript(path: path, line: statement) }
    let names = words.dropFirst().dropLast().joined(separator: " ").replacing(" as ", with: ": ")
    return "const \(names) = $use('\(found)');"
  }

  private static let exportable = ["async function ", "function ", "class ", "const "]

  private static let call = "import('"
  private static let address = "import.meta.url"

  private mutating func exporting(
    _ line: String, asks: Bool, placed: Bool
  ) throws -> String {
    var line = line
    if line.hasPrefix("export ") {
      line.removeFirst("export ".count)
      guard let kind = Self.exportable.first(where: { line.hasPrefix($0) }) else {
        throw UnreadableScript(path: path, line: line)
      }
      let name = line.dropFirst(kind.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !name.isEmpty else { throw UnreadableScript(path: path, line: line) }
      exports.append(String(name))
    }
    if placed { line = line.replacing(Self.address, with: "$at('\(path)')") }
    return asks ? try asking(line) : line
  }

  /// Rewrites `import('./other.js')` to load the module from its bundle; types in comments are left
  /// unchanged.
  private mutating func asking(_ line: String) throws -> String {
    guard line.contains(Self.call), !Self.isComment(line) else { return line }
    var asked = ""
    var rest = Substring(line)
    while let start = rest.firstRange(of: Self.call) {
      let name = rest[start.upperBound...].prefix { $0 != "'" }
      guard let found = resolve(name) else { throw UnreadableScript(path: path, line: line) }
      later.append(found)
      asked += rest[..<start.lowerBound] + "$later('\(found)"
      rest = rest[name.endIndex...]
    }
    return asked + rest
  }

  private static func isComment(_ line: String) -> Bool {
    let start = line.drop { $0 == " " }
    return start.hasPrefix("*") || start.hasPrefix("/*") || line.contains("/** @")
  }

  /// Resolves a relative name to a path below `public`.
  private func resolve(_ name: Substring) -> String? {
    guard name.hasPrefix("./") || name.hasPrefix("../") else { return nil }
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in name.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }
}

/// A script that cannot be bundled.
struct UnreadableScript: Error, CustomStringConvertible {
  let path: String
  let line: String

  var description: String {
    "public/\(path) cannot be bundled: \(line.prefix(120))"
  }
}
