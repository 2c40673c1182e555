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

  /// The folders with the sentences of pages, and with those that only the server uses (``Catalogue``).
  package var words: [URL] {
    [front.appendingPathComponent("locale"), seed.appendingPathComponent("messages")]
  }

  package init(front: URL, seed: URL, data: [URL]) {
    self.front = front
    self.seed = seed
    self.data = data
    media = (data.first ?? front).appendingPathComponent("media")
    snapshots = (data.first ?? front).appendingPathComponent("snapshots")
  }
}
