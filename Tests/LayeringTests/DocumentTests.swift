import Foundation
import Testing

/// Files and links named in the documentation exist.
@Suite struct DocumentTests {
  private static func documents() throws -> [Repository.File] {
    var found = try Repository.files(in: "docs", endingIn: [".md"])
    for name in [
      "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md",
    ]
    where Repository.exists(name) {
      found.append(Repository.File(path: name, text: try Repository.text(name)))
    }
    return found
  }

  /// Folders whose files are created during setup or while Farol runs, and so need not exist.
  private static let made = [
    "data/", "public/vendor/", ".build/", ".venv/", "dist/", "test-results/",
  ]
  private static let ends = [
    ".swift", ".sql", ".json", ".md", ".js", ".css", ".html", ".svg", ".png", ".sh", ".py",
    ".h", ".webmanifest", ".txt",
  ]

  @Test func `every file that a document names as code exists`() throws {
    for document in try Self.documents() {
      for (place, piece) in document.text.split(separator: "`", omittingEmptySubsequences: false)
        .enumerated() where place % 2 == 1
      {
        let name = String(piece)
        guard name.contains("/"), Self.ends.contains(where: name.hasSuffix),
          !name.hasPrefix("/"), !name.contains("://"),
          !name.contains(where: { "{}*<>…, \n".contains($0) }),
          !Self.made.contains(where: name.hasPrefix)
        else { continue }
        #expect(Repository.exists(name), "\(document.path) names \(name)")
      }
    }
  }

  @Test func `every link from a document to another file has an existing target`() throws {
    for document in try Self.documents() {
      let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
      for piece in document.text.components(separatedBy: "](").dropFirst() {
        let target = String(piece.prefix { $0 != ")" && $0 != "#" && $0 != " " })
        guard !target.isEmpty, !target.contains("://"), !target.hasPrefix("mailto:") else {
          continue
        }
        let path = folder.isEmpty ? target : folder + "/" + target
        #expect(Repository.exists(path), "\(document.path) links to \(target)")
      }
    }
  }

  /// Pages that a command writes; the program and its data determine their length.
  private static let generated = [
    "docs/reference/cli.md", "docs/reference/settings.md", "docs/reference/openstreetmap.md",
  ]

  /// Words as `wc -w` counts them.
  private static func words(_ text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count
  }

  @Test func `each page names its reader, is in the index, and is short`() throws {
    let pages = try Repository.files(in: "docs", endingIn: [".md"])
    let index = try Repository.text("docs/README.md")
    for page in pages {
      let count = Self.words(page.text)
      #expect(count <= 2_500 || Self.generated.contains(page.path), "\(page.path): \(count) words")
      let name = page.path.dropFirst("docs/".count)
      // The index is for everyone; the list of decisions names the reader of the records.
      if name == "README.md" || name.hasPrefix("decisions/0") { continue }
      let lines = page.text.split(separator: "\n", maxSplits: 2)
      #expect(lines.count > 1 && lines[1].hasPrefix("*For "), "\(page.path) has no reader")
      #expect(index.contains("](\(name)"), "docs/README.md does not lead to \(page.path)")
    }
    let all = pages.reduce(0) { $0 + Self.words($1.text) }
    #expect(all <= 75_000, "docs has \(all) words")
  }

  @Test func `every make target that a document names exists`() throws {
    let targets = Set(
      try Repository.text("Makefile").split(separator: "\n").compactMap { line in
        line.split(separator: ":", maxSplits: 1).first.map(String.init)
      })
    for document in try Self.documents() {
      for piece in document.text.components(separatedBy: "`make ").dropFirst() {
        let target = String(piece.prefix { $0.isLetter || $0 == "-" })
        #expect(target.isEmpty || targets.contains(target), "\(document.path): make \(target)")
      }
    }
  }
}
