import Foundation
import SpatialDatabase

@testable import MapAPI

/// Folders that tests write to.
enum TestFolder {
  /// A new empty folder.
  static func make() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A database with every migration and the taxonomies in it, made once and copied by every test.
  static let template = Result {
    let file = try make().appendingPathComponent("farol.db")
    let app = try TestApp.start(file, front: front, clock: TestClock(), log: TestLog())
    try app.database.close()
    return file
  }

  /// The project's pages, words and icons without scripts and libraries.
  static let front: URL = {
    let whole = Repository.root.appendingPathComponent("public").resolvingSymlinksInPath()
    guard let folder = try? make() else { return whole }
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: whole.path)) ?? []
    where !["vendor", "js", "css"].contains(name) {
      try? files.copyItem(
        at: whole.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    return folder
  }()
}
