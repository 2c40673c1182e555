internal import Foundation

/// The files of the web client, read once at start. A request only looks up its path in a table.
///
/// Their URLs are `/assets/{digest of all}/…`. The content of a URL never changes, so browsers
/// cache it permanently, and relative imports between files need no build step.
package struct StaticFiles: Sendable {
  /// 32 hexadecimal digits that change when any file changes.
  package let digest: String
  private let files: [String: StaticFile]

  /// Reads every file below `directory`, except symbolic links and names that begin with a dot.
  ///
  /// - Throws: the file system's error for a folder or file that cannot be read.
  package init(directory: String) throws {
    try self.init(contents: Self.contents(of: directory))
  }

  /// The files below a folder: path without leading slash → bytes.
  ///
  /// - Throws: as ``init(directory:)``.
  package static func contents(of directory: String) throws -> [String: [UInt8]] {
    try read(directory, below: "")
  }

  /// - Parameter contents: path without leading slash → bytes.
  package init(contents: [String: [UInt8]]) {
    var hash = ContentHash()
    for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      hash.add(Array(path.utf8))
      hash.add(bytes)
    }
    digest = hash.text
    files = Dictionary(
      uniqueKeysWithValues: contents.map { path, bytes in
        (path, StaticFile(bytes, mediaType: MediaType.of(path)))
      })
  }

  /// The paths of all files, without leading slash.
  package var paths: [String] { files.keys.sorted() }

  /// A file by its path without leading slash.
  package subscript(_ path: String) -> StaticFile? { files[path] }

  /// The current URL prefix of the files: `/assets/<digest>`.
  package var root: String { "/assets/\(digest)" }

  /// The current URL of one file.
  package func url(_ path: String) -> String { "\(root)/\(PercentEncoding.path(path))" }

  /// A text file with every `{{assets}}` replaced by ``root``. Used for pages and manifests that have fixed URLs and
  /// refer to the versioned files. `values` adds further placeholders.
  package func template(_ path: String, _ values: [String: String] = [:]) -> StaticFile? {
    guard let file = files[path] else { return nil }
    var text = String(decoding: file.bytes, as: UTF8.self)
    for (name, value) in values.merging(["assets": root], uniquingKeysWith: { own, _ in own }) {
      text = text.replacingOccurrences(of: "{{\(name)}}", with: value)
    }
    return StaticFile(Array(text.utf8), mediaType: file.mediaType)
  }

  /// Adds the route `/assets/{digest}/{path...}`, cacheable for one year and immutable. Another
  /// digest gets 404.
  package func addAssets(to router: inout Router) {
    router.get("/assets/{digest}/{path...}") { [self] request in
      guard request.parameter("digest") == digest, let file = files[request.parameter("path")]
      else { throw Problem(.notFound, "There is no such file in this version.") }
      var response = Response.file(file)
      response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
      return response
    }
  }

  /// Adds one file at a fixed URL such as `/service-worker.js`, with its placeholders replaced. Clients revalidate it
  /// on each use and mostly receive 304.
  ///
  /// - Returns: false if the file does not exist.
  @discardableResult
  package func add(
    _ path: String, at template: String, to router: inout Router, values: [String: String] = [:]
  ) -> Bool {
    guard let file = Self.mayHoldPlaceholders(path) ? self.template(path, values) : files[path]
    else { return false }
    router.get(template) { _ in
      var response = Response.file(file)
      response.headers["Cache-Control"] = "no-cache"
      return response
    }
    return true
  }

  private static func mayHoldPlaceholders(_ path: String) -> Bool {
    ["html", "js", "webmanifest"].contains { path.hasSuffix(".\($0)") }
  }

  private static func read(_ directory: String, below prefix: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory)
    where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      if kind == .typeDirectory {
        contents.merge(try read(path, below: "\(prefix)\(name)/")) { first, _ in first }
      } else if kind == .typeRegular {
        contents["\(prefix)\(name)"] = [UInt8](
          try Foundation.Data(
            contentsOf: URL(fileURLWithPath: path)))
      }
    }
    return contents
  }
}
