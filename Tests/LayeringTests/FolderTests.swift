import Foundation
import Testing

/// Folders of a target refer to each other in one direction.
///
/// A reference is the name of a type that one folder of the target declares and another one uses.
@Suite struct FolderTests {
  /// A use of a type in another folder of the same target.
  private struct Use {
    let file: String
    let folder: String
    let type: String
    let owner: String
  }

  /// The most lines of a target, and of the list of features.
  private static let maxLines = 8_500
  private static let maxLinesOfApp = 700

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().dropFirst().joined(separator: "/")
  }

  /// The code of a file, without comments and texts.
  private static func code(of file: Repository.File) -> String {
    var isText = false
    return file.lines.map { line in
      if line.contains("\"\"\"") {
        isText.toggle()
        return ""
      }
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      if isText || isComment { return "" }
      return line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: "\"\"")
    }.joined(separator: "\n")
  }

  private static func words(_ code: some StringProtocol) -> [Substring] {
    code[...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Substring($0) }
  }

  private static let declaring: Set<Substring> = ["struct", "class", "enum", "protocol", "actor"]

  /// The types that a file declares outside of other types.
  private static func types(in code: String) -> [String] {
    code.split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { line in
      let words = words(line)
      guard let place = words.firstIndex(where: { declaring.contains($0) }), words.count > place + 1
      else { return nil }
      return String(words[place + 1])
    }
  }

  private static func uses(in target: String) throws -> [Use] {
    let files = try Repository.files(in: "Sources/\(target)", endingIn: [".swift"]).map {
      (path: $0.path, folder: folder(of: $0.path), code: code(of: $0))
    }
    var owners: [String: String] = [:]
    for file in files { for type in types(in: file.code) { owners[type] = file.folder } }
    return files.flatMap { file in
      Set(words(file.code)).compactMap { word in
        guard let owner = owners[String(word)], owner != file.folder else { return nil }
        return Use(file: file.path, folder: file.folder, type: String(word), owner: owner)
      }
    }
  }

  @Test(arguments: Layers.features)
  func `folders of a target form no cycle`(target: String) throws {
    var cyclic = try Self.uses(in: target)
    // A use belongs to a cycle only if its own folder is used and the used folder uses others.
    while true {
      let using = Set(cyclic.map(\.folder))
      let used = Set(cyclic.map(\.owner))
      let left = cyclic.filter { used.contains($0.folder) && using.contains($0.owner) }
      if left.count == cyclic.count { break }
      cyclic = left
    }
    for use in cyclic {
      Issue.record("\(use.file) uses \(use.type) of \(use.owner), which depends on \(use.folder)")
    }
  }

  @Test(arguments: Layers.all.joined())
  func `no target is longer than 8,500 lines`(target: String) throws {
    let count = try Repository.files(in: "Sources/\(target)", endingIn: [".swift"])
      .reduce(0) { $0 + $1.lines.count - 1 }  // after the last line break is no further line
    #expect(count <= (target == "App" ? Self.maxLinesOfApp : Self.maxLines))
  }

  @Test(arguments: Layers.all.joined())
  func `no folder repeats the name of its target`(target: String) throws {
    let files = try Repository.files(in: "Sources/\(target)", endingIn: [".swift"])
    #expect(!files.contains { Self.folder(of: $0.path).hasSuffix("\(target)/\(target)") })
  }
}
