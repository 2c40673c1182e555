import Foundation
import Testing

/// Files stay short, and say nothing that does not belong to the project.
@Suite struct FileTests {
  private static let longest = 400

  @Test func `no file of source or tests is longer than 400 lines`() throws {
    for folder in ["Sources", "Tests"] {
      for file in try Repository.files(in: folder, endingIn: [".swift", ".h"]) {
        #expect(file.lines.count <= Self.longest + 1, "\(file.path): \(file.lines.count) lines")
      }
    }
  }

  @Test func `no type is a manager, a helper or a box of utilities`() throws {
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

  @Test func `nothing is forced`() throws {
    for file in try Repository.files(in: "Sources", endingIn: [".swift"]) {
      for (number, line) in file.lines.enumerated() {
        let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
        for word in ["try! ", "as! ", " unowned(unsafe)"] {
          #expect(!code.contains(word), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test func `migrations are numbered without a gap`() throws {
    let names = try Repository.files(in: "migrations", endingIn: [".sql"]).map(\.path)
    let numbers = names.compactMap { name in
      name.split(separator: "/").last.flatMap { Int($0.prefix(4)) }
    }
    #expect(numbers == Array(1...names.count))
  }
}
