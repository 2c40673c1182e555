import Foundation

/// The folders of an installation.
struct Home {
  let folder: URL

  /// The web front: in a checkout as set-up has built it. An installation contains it as `public`.
  var front: URL {
    let built = data.appendingPathComponent("front")
    let isThere = FileManager.default.fileExists(atPath: built.path)
    return isThere ? built : folder.appendingPathComponent("public")
  }
  var migrations: URL { folder.appendingPathComponent("migrations") }
  /// The files created by set-up, in a checkout.
  var data: URL { folder.appendingPathComponent("data") }
  var seed: URL { folder.appendingPathComponent("seed") }

  /// Searches the named folder. Without a name, it searches the current folder, then the folders above the program (a
  /// build folder is inside the checkout) and `share/farol` in them, the target of `make install`.
  ///
  /// - Throws: ``InvalidSetting`` when no folder contains Farol's parts.
  init(named name: String?) throws {
    let candidates =
      name.map { [URL(fileURLWithPath: $0, isDirectory: true)] } ?? Self.usualPlaces
    guard let found = candidates.first(where: Self.isHome) else {
      throw InvalidSetting(
        name: "FAROL_HOME",
        problem:
          "\(name.map { "“\($0)”" } ?? "the current folder") holds no public, migrations and "
          + "seed; name the folder that does with --home.")
    }
    folder = found
  }

  private static func isHome(_ folder: URL) -> Bool {
    ["public", "migrations", "seed"].allSatisfy {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
  }

  private static var usualPlaces: [URL] {
    var places = [
      URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    ]
    var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    for _ in 0..<5 {
      folder = folder.deletingLastPathComponent()
      places += [folder, folder.appendingPathComponent("share/farol")]
    }
    return places
  }
}
