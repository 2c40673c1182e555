internal import JSON
package import WebServer

/// The files of the web front: built by `setup/front.py`, or `public` itself for development.
package enum FrontFiles {
  /// The description that the build wrote.
  private static let manifest = "release.json"

  /// Reads a folder. `isServed`: whether to pack the files for browsers, which takes half of a small import.
  ///
  /// - Throws: an error of the file system or of JSON.
  package static func read(_ directory: String, isServed: Bool = true) throws -> StaticFiles {
    let contents = try StaticFiles.contents(of: directory)
    guard let manifest = contents[manifest] else {
      return StaticFiles(contents: contents, isServed: isServed)
    }
    let build = try JSONValue(parsing: manifest)
    let files = build["files"]?.objectValue?.members ?? []
    return StaticFiles(
      contents: contents,
      built: Dictionary(
        files.compactMap { file in file.value.stringValue.map { (file.key, $0) } }
      ) { first, _ in first },
      release: build["release"]?.stringValue, isServed: isServed)
  }
}
