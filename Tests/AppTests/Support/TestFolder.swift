@testable import App
import Foundation
import Glibc
@testable import Service
import Site
import SpatialDatabase
import Synchronization

/// Folders that tests write to; the creator of a folder removes it.
enum TestFolder {
  /// A new empty folder.
  static func make() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A new empty folder for all tests of the process, removed when it ends.
  private static func makeShared() throws -> URL {
    let folder = try make()
    shared.withLock { $0.append(folder) }
    return folder
  }

  /// Registers the removal on first use, because `atexit` takes a function without a context.
  private static let shared: Mutex<[URL]> = {
    atexit {
      for folder in TestFolder.shared.withLock({ $0 }) {
        try? FileManager.default.removeItem(at: folder)
      }
    }
    return Mutex([])
  }()

  /// A database with every migration and the taxonomies in it, created once and copied by every
  /// test.
  static let template = Result {
    let file = try makeShared().appendingPathComponent("farol.db")
    let app = try TestApp.start(file, front: front, clock: TestClock(), log: TestLog())
    app.stop()
    try app.database.close()
    return file
  }

  /// The project's pages, texts and icons without scripts and libraries.
  static let front: URL = {
    let whole = Repository.root.appendingPathComponent("public").resolvingSymlinksInPath()
    guard let folder = try? makeShared() else { return whole }
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: whole.path)) ?? []
    where !["vendor", "js", "css"].contains(name) {
      try? files.copyItem(
        at: whole.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    return folder
  }()

  /// The files of the program with ``front``. Reading them takes longer than most tests.
  static let files = App.files(of: folders(front: front, data: []))

  /// The folders of the project with the pages of `front`.
  static func folders(front: URL, data: [URL]) -> Folders {
    Folders(front: front, seed: Repository.root.appendingPathComponent("seed"), data: data)
  }
}
