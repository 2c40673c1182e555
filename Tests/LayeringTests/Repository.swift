import Foundation

/// The files of the project, located from the path of this file.
enum Repository {
  /// The folder that holds `migrations`.
  static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      let mark = folder.appendingPathComponent("migrations").path
      if FileManager.default.fileExists(atPath: mark) { return folder }
    }
    return folder
  }()

  /// A file and its path relative to the root.
  struct File {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// Every file in a folder and its subfolders whose name has one of the suffixes.
  static func files(in folder: String, endingIn ends: [String]) throws -> [File] {
    let start = root.appendingPathComponent(folder).resolvingSymlinksInPath()
    let found = try FileManager.default.subpathsOfDirectory(atPath: start.path)
    return try found.sorted().filter { path in ends.contains { path.hasSuffix($0) } }.map { path in
      File(
        path: folder + "/" + path,
        text: try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
