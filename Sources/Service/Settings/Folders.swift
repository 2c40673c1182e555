package import Foundation

/// The folders that an instance reads and writes.
package struct Folders: Sendable {
  /// The web front.
  package var front: URL
  /// Taxonomies and allow-lists.
  package var seed: URL
  /// Folders that may contain data built at set-up (base map, gazetteer), most likely first.
  package var data: [URL]
  package var baseMap: String?
  /// Files with street tiles, or folders of such files; nil for the folder `streets` in `data`.
  package var streets: [String]?
  /// A file with tiles of aerial images, which visitors may switch on.
  package var satellite: String?
  /// The files of photos.
  package var media: URL
  /// The nightly snapshots.
  package var snapshots: URL
  /// The folder of the daily backups; nil for no backups.
  package var backups: URL?
  /// The program that decodes images.
  package var imageProgram: String?

  /// The folders with the sentences of pages, and of the server alone (``Catalogue``).
  package var words: [URL] {
    [front.appendingPathComponent("locale"), seed.appendingPathComponent("messages")]
  }

  /// The files and folders with street tiles and their related files.
  package var streetPlaces: [String] {
    streets ?? data.map { $0.appendingPathComponent("streets").path }
  }

  /// The files that set-up created next to the street maps, by name: `portugal.graph` for `portugal.mbtiles`.
  package func streetFiles(ending: String) -> [String] {
    streetPlaces.flatMap { path in
      let found = Self.files(at: path, endings: [ending])
      guard found == [path] else { return found }
      let beside = URL(fileURLWithPath: path).deletingPathExtension().path + ending
      return FileManager.default.fileExists(atPath: beside) ? [beside] : []
    }
  }

  /// The files in a folder with one of the endings, or the path itself if it is a file; empty if the folder does not
  /// exist.
  package static func files(at path: String, endings: [String]) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    guard isFolder.boolValue else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }
      .sorted().map { URL(fileURLWithPath: path).appendingPathComponent($0).path }
  }

  package init(front: URL, seed: URL, data: [URL]) {
    self.front = front
    self.seed = seed
    self.data = data
    media = (data.first ?? front).appendingPathComponent("media")
    snapshots = (data.first ?? front).appendingPathComponent("snapshots")
  }
}
