import Foundation

/// How programs of others read the interface: the texts of `seed/clients`, each of which is run by a
/// test against a server.
struct ClientSnippets: Sendable {
  /// One program and what one types into it.
  struct Snippet: Sendable {
    /// What people call the program; the same in every language.
    let name: String
    let file: String
    let text: String
  }

  let snippets: [Snippet]

  /// The address that the texts name in place of an instance's own.
  static let placeholder = "https://farol.example.org"

  private static let files = [
    ("curl", "curl.sh"), ("Python (geopandas)", "python.py"), ("R (sf)", "r.R"),
    ("JavaScript", "javascript.mjs"), ("QGIS", "qgis.py"),
  ]

  /// - Throws: where a text is missing.
  init(directory: URL, base: String) throws {
    snippets = try Self.files.map { name, file in
      let text = try String(
        contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
      return Snippet(
        name: name, file: file, text: text.replacing(Self.placeholder, with: base))
    }
  }
}
