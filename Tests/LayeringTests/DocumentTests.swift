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
}
