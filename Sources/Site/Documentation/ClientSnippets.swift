package import Foundation

/// Examples of reading the API with other programs: the texts of `seed/clients`. A test runs each of
/// them against a server.
package struct ClientSnippets: Sendable {
  /// One program and the commands to enter.
  struct Snippet: Sendable {
    /// The name of the program; the same in every language.
    let name: String
    let text: String
  }

  let snippets: [Snippet]

  /// The placeholder for the address of the instance in the texts.
  static let placeholder = "https://farol.example.org"

  private static let files = [
    ("curl", "curl.sh"), ("Python (geopandas)", "python.py"), ("R (sf)", "r.R"),
    ("JavaScript", "javascript.mjs"), ("QGIS", "qgis.py"),
  ]

  /// - Throws: if a text is missing.
  package init(directory: URL, base: String) throws {
    snippets = try Self.files.map { name, file in
      let text = try String(
        contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
      return Snippet(name: name, text: text.replacing(Self.placeholder, with: base))
    }
  }
}
