internal import Foundation

/// The files of the web front, read once at start; a request only looks its path up in a table.
///
/// They stand under `/assets/{digest of all}/…` and never change there, so browsers keep them for
/// good, and relative imports between them need no build step.
package struct StaticFiles: Sendable {
  /// 32 hexadecimal digits that change when any file does.
  package let digest: String
  private let files: [String: StaticFile]

  /// Reads every file below `directory`, leaving out symbolic links and names that begin with a dot.
  ///
  /// - Throws: the file system's error for a folder or file that cannot be read.
  package init(directory: String) throws {
    try self.init(contents: Self.contents(of: directory))
  }

  /// What lies below a folder: path without leading slash → bytes.
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

  /// The paths there are, without leading slash.
  package var paths: [String] { files.keys.sorted() }

  /// A file as it lies in the folder; the path without leading slash.
  package subscript(_ path: String) -> StaticFile? { files[path] }

  /// Where the files stand now: `/assets/<digest>`.
  package var root: String { "/assets/\(digest)" }

  /// Where one file stands now.
  package func url(_ path: String) -> String { "\(root)/\(PercentEncoding.path(path))" }

  /// A text file with every `{{assets}}` replaced by ``root``, for pages and manifests that stand at
  /// fixed addresses and point at the versioned files; further placeholders alike.
  package func template(_ path: String, _ values: [String: String] = [:]) -> StaticFile? {
    guard let file = files[path] else { return nil }
    var text = String(decoding: file.bytes, as: UTF8.self)
    for (name, value) in values.merging(["assets": root], uniquingKeysWith: { own, _ in own }) {
      text = text.replacingOccurrences(of: "{{\(name)}}", with: value)
    }
    return StaticFile(Array(text.utf8), mediaType: file.mediaType)
  }

  /// Adds `/assets/{digest}/{path...}`: one year and immutable; another digest is a 404.
  package func addAssets(to router: inout Router) {
    router.get("/assets/{digest}/{path...}") { [self] request in
      guard request.parameter("digest") == digest, let file = files[request.parameter("path")]
      else { throw Problem(.notFound, "There is no such file in this version.") }
      var response = Response.file(file)
      response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
      return response
    }
  }

  /// Adds one file at a fixed address such as `/service-worker.js`, its placeholders filled in; it is
  /// asked for anew each time and mostly answered 304.
  ///
  /// - Returns: false when there is no such file.
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
