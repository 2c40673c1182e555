package import Foundation

extension App {
  /// Where an instance finds what it serves.
  package struct Folders: Sendable {
    /// The web front.
    package var front: URL
    /// Taxonomies and allow-lists.
    package var seed: URL
    /// Where what set-up made may lie (base map, gazetteer), the likeliest first.
    package var data: [URL]
    package var baseMap: String?
    /// Files with tiles of streets, or folders with such files; nil: the folder `streets` in `data`.
    package var streets: [String]?
    /// The pictures of photos.
    package var media: URL
    /// The snapshots of each night.
    package var snapshots: URL
    /// Where backups are made each day; nil: nowhere.
    package var backups: URL?
    /// The program that reads pictures.
    package var imageProgram: String?

    package init(front: URL, seed: URL, data: [URL]) {
      self.front = front
      self.seed = seed
      self.data = data
      media = (data.first ?? front).appendingPathComponent("media")
      snapshots = (data.first ?? front).appendingPathComponent("snapshots")
    }
  }
}
