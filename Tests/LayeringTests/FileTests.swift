import Foundation
import Testing

/// Files stay short and contain nothing outside the scope of the project.
@Suite struct FileTests {
  private static let maxLines = 400

  @Test func `no source or test file is longer than 400 lines`() throws {
    for folder in ["Sources", "Tests"] {
      for file in try Repository.files(in: folder, endingIn: [".swift", ".h"]) {
        #expect(file.lines.count <= Self.maxLines + 1, "\(file.path): \(file.lines.count) lines")
      }
    }
  }

  @Test func `no type is named manager, helper or utilities`() throws {
    let refused = ["Manager", "Helper", "Helpers", "Utils", "Util"]
    for file in try Repository.files(in: "Sources", endingIn: [".swift"]) {
      for line in file.lines {
        let words = line.split(separator: " ")
        guard
          let place = words.firstIndex(where: { ["struct", "class", "enum", "actor"].contains($0) }
          ),
          words.count > place + 1, !line.contains("//")
        else { continue }
        let name = words[place + 1].prefix { $0.isLetter || $0.isNumber }
        #expect(!refused.contains { name.hasSuffix($0) }, "\(file.path): \(name)")
      }
    }
  }

  @Test func `no force unwrap, force try or force cast is used`() throws {
    for file in try Repository.files(in: "Sources", endingIn: [".swift"]) {
      for (number, line) in file.lines.enumerated() {
        let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
        for word in ["try! ", "as! ", " unowned(unsafe)"] {
          #expect(!code.contains(word), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test
  func `migrations are numbered without gaps, and those of PostgreSQL end with the same number`()
    throws
  {
    let names = try Repository.files(in: "migrations", endingIn: [".sql"]).map(\.path)
    let numbers = { (names: [String]) in
      names.compactMap { name in name.split(separator: "/").last.flatMap { Int($0.prefix(4)) } }
    }
    let others = numbers(names.filter { $0.contains("/postgresql/") })
    let own = numbers(names.filter { !$0.contains("/postgresql/") })
    #expect(own == Array(1...own.count))
    #expect(others.sorted() == Array(own.suffix(others.count)))
    #expect(!others.isEmpty)
  }
}
