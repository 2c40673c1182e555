package import Foundation
internal import Glibc
import Secrets

/// Digests of the program, its files and its settings: of everything that public responses depend on and that is not in
/// the database.
///
/// Servers on which these are equal have the same digest, so they give one version to the same response, also after a
/// restart.
package enum InstanceVersion {
  /// The running program. If it cannot be read, a random text: then each start has its own versions.
  package static let program = digest(ofFile: "/proc/self/exe") ?? SecretToken().text

  /// All files in a folder, with their names.
  package static func digest(of folder: URL) -> String {
    let found = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    let names = found.compactMap { $0 as? String }.sorted()
    return digest(
      of: names.flatMap { name in
        // Folders have no digest.
        digest(ofFile: folder.appendingPathComponent(name).path).map { [name, $0] } ?? []
      })
  }

  /// The files with maps and places, by their sizes and times: they are too large to be read at each start.
  package static func maps(in folders: Folders) -> [String] {
    let names = [
      "basemap.mbtiles", "basemap-small.mbtiles", "places.db", "borders.db", "countries.bin",
    ]
    var paths = folders.data.flatMap { folder in
      names.map { folder.appendingPathComponent($0).path }
    }
    paths += [folders.baseMap, folders.satellite].compactMap { $0 }
    for path in folders.streetPlaces {
      let inside = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      paths += [path] + inside.sorted().map { "\(path)/\($0)" }
    }
    return paths.compactMap(facts)
  }

  /// One digest of several texts, and of the maps and places in the folders.
  package static func digest(of texts: [String], _ folders: Folders) -> String {
    digest(of: texts + maps(in: folders))
  }

  /// One digest of several texts.
  package static func digest(of texts: [String]) -> String {
    // The lengths keep different lists from having the same text.
    let all = texts.map { "\($0.utf8.count):\($0)" }.joined()
    return Hexadecimal.text(of: Digest.sha256(Array(all.utf8)).prefix(12))
  }

  /// The name of a file without its folder, its size and its time. Nil for a folder, and if there is no such file.
  private static func facts(_ path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    let name = URL(fileURLWithPath: path).lastPathComponent
    return "\(name) \(facts.st_size) \(facts.st_mtim.tv_sec)"
  }

  private static func digest(ofFile path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var stream = SHA256Stream()
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0 { return nil }
      if count == 0 { return Hexadecimal.text(of: stream.finish()) }
      piece.withUnsafeBufferPointer { stream.update(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
