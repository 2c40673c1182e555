import Foundation
import Testing

/// The diagram in the page on the architecture shows the targets and folders as they are.
@Suite struct DiagramTests {
  private static let page = "docs/explanation/architecture.md"
  private static let opening = "<!-- diagram: made by `make diagram` -->\n"
  private static let closing = "<!-- end of the diagram -->"

  /// The layers from the highest to the lowest, and the folders of their targets.
  private static func diagram() throws -> String {
    var text = "```\n"
    for layer in Layers.all.reversed() {
      for target in layer {
        let folders = Set(
          try Repository.files(in: "Sources/\(target)", endingIn: [".swift"]).compactMap { file in
            let parts = file.path.split(separator: "/").dropFirst(2).dropLast()
            return parts.first.map(String.init)
          })
        text += target.padding(toLength: 18, withPad: " ", startingAt: 0)
        text += folders.sorted().joined(separator: ", ")
        while text.hasSuffix(" ") { text.removeLast() }
        text += "\n"
      }
      text += "\n"
    }
    text += "```\n"
    return text
  }

  @Test func `the page on the architecture has the present diagram`() throws {
    let text = try Repository.text(Self.page)
    let start = try #require(text.range(of: Self.opening)?.upperBound)
    let end = try #require(text.range(of: Self.closing)?.lowerBound)
    let diagram = try Self.diagram()
    if ProcessInfo.processInfo.environment["FAROL_DIAGRAM"] == "write" {
      let new = text[..<start] + diagram + text[end...]
      try new.write(
        to: Repository.root.appendingPathComponent(Self.page), atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == diagram, "`make diagram` writes it")
    }
  }
}
