internal import Foundation

/// The files of the web client, read once at start. A request only looks up its path in a table.
///
/// A built file has the URL `/assets/{name with a hash of its content}`. Files that are not built have the URLs
/// `/assets/{digest of all}/…`, so that relative imports between them need no build. The content of a URL never
/// changes, so browsers cache it permanently.
package struct StaticFiles: Sendable {
  /// 32 hexadecimal digits that change when any file changes.
  package let digest: String
  /// The name of this version: of the build, otherwise the digest.
  package let release: String
  private let files: [String: StaticFile]
  /// The URLs of built files by their paths before the build; empty if the files are not built.
  private let built: [String: String]

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

  /// - Parameters:
  ///   - contents: path without leading slash → bytes.
  ///   - built: path before the build → URL, if the files are built.
  ///   - release: the name of the build.
  ///   - isServed: whether clients will get the files.
  package init(
    contents: [String: [UInt8]], built: [String: String] = [:], release: String? = nil,
    isServed: Bool = true
  ) {
    self.built = built
    var hash = ContentHash()
    for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      hash.add(Array(path.utf8))
      hash.add(bytes)
    }
    digest = hash.text
    self.release = release ?? digest
    files = Dictionary(
      uniqueKeysWithValues: contents.map { path, bytes in
        (path, StaticFile(bytes, mediaType: MediaType.of(path), isSent: isServed))
      })
  }

  /// The paths of all files, without leading slash.
  package var paths: [String] { files.keys.sorted() }

  /// A file by its path without leading slash.
  package subscript(_ path: String) -> StaticFile? { files[path] }

  /// The current URL prefix of files that are not built: `/assets/<digest>`.
  package var root: String { "\(Self.folder)\(digest)" }

  package static let folder = "/assets/"
  private static var builtFolder: String { String(folder.dropFirst()) }

  /// Whether the files are built.
  package var isBuilt: Bool { !built.isEmpty }

  /// The current URL of one file.
  package func url(_ path: String) -> String {
    built[path] ?? "\(root)/\(PercentEncoding.path(path))"
  }

  /// The built file at a path before the build, or the file at this path.
  package func current(_ path: String) -> StaticFile? {
    guard let url = built[path] else { return files[path] }
    return files[String(url.dropFirst())]
  }

  /// The built files by the names in their URLs.
  package var builtFiles: [(name: String, file: StaticFile)] {
    files.sorted { $0.key < $1.key }.compactMap { path, file in
      guard isBuilt, path.hasPrefix(Self.builtFolder) else { return nil }
      return (String(path.dropFirst(Self.builtFolder.count)), file)
    }
  }

  /// A text file with every `{{assets}}` replaced by ``root``, and `{{release}}` by ``release``. Used for pages and
  /// manifests that have fixed URLs and refer to the versioned files. `values` adds further placeholders.
  package func template(_ path: String, _ values: [String: String] = [:]) -> StaticFile? {
    guard let file = files[path] else { return nil }
    var text = String(decoding: file.bytes, as: UTF8.self)
    for (name, value) in values.merging(
      ["assets": root, "release": release], uniquingKeysWith: { own, _ in own })
    {
      text = text.replacingOccurrences(of: "{{\(name)}}", with: value)
    }
    return StaticFile(Array(text.utf8), mediaType: file.mediaType)
  }

  /// Adds the routes of the files, cacheable for one year and immutable: `/assets/{file}` for built files, and
  /// `/assets/{digest}/{path...}` for others, where another digest gets 404.
  ///
  /// - Parameters:
  ///   - router: gets the routes.
  ///   - kept: finds a built file of another release by its name.
  package func addAssets(
    to router: inout Router, kept: @escaping @Sendable (String) throws -> StaticFile? = { _ in nil }
  ) {
    router.get("\(Self.folder){file}") { [self] request in
      let name = request.parameter("file")
      return try Self.response((isBuilt ? files[Self.builtFolder + name] : nil) ?? kept(name))
    }
    guard !isBuilt else { return }
    router.get("\(Self.folder){digest}/{path...}") { [self] request in
      let isCurrent = request.parameter("digest") == digest
      return try Self.response(isCurrent ? files[request.parameter("path")] : nil)
    }
  }

  private static func response(_ file: StaticFile?) throws -> Response {
    guard let file else { throw Problem(.notFound, "There is no such file in this version.") }
    return Response.file(file).with("Cache-Control", "public, max-age=31536000, immutable")
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
      return Response.file(file).with("Cache-Control", "no-cache")
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
