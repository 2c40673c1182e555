import Foundation

/// The folders of the project, located from the path of this file.
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

  /// The folders of the catalogue: sentences of pages, and those that only the server uses.
  static let words = ["public/locale", "seed/messages"].map(root.appendingPathComponent)
}
