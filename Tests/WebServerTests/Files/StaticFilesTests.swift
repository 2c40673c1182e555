import Compression
import Foundation
import Testing

@testable import WebServer

@Suite struct StaticFilesTests {
  let files: StaticFiles
  let router: Router

  init() {
    files = StaticFiles(contents: [
      "index.html": Array("<script src=\"{{assets}}/js/a.js\"></script>{{name}}".utf8),
      "js/a.js": Array(String(repeating: "let a = 1;\n", count: 200).utf8),
      "a b/ü.svg": Array("<svg/>".utf8),
      "photo.jpg": (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) },
    ])
    var router = Router()
    files.addAssets(to: &router)
    files.add("index.html", at: "/", to: &router, values: ["name": "Farol"])
    self.router = router
  }

  private func get(_ path: String, _ headers: Headers = [:]) -> Response {
    router.respond(to: Request(.get, path, headers: headers))
  }

  @Test func `the path of a file contains its digest and is cached permanently`() {
    let answer = get("\(files.root)/js/a.js")
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(answer.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(answer.headers["ETag"] != nil)
    #expect(answer.headers["Cross-Origin-Resource-Policy"] == "same-origin")
    #expect(get(files.url("a b/ü.svg")).text == "<svg/>")
  }

  @Test func `another digest is another version, and returns 404`() {
    #expect(get("/assets/00000000000000000000000000000000/js/a.js").status == .notFound)
    #expect(get("\(files.root)/js/b.js").status == .notFound)
    #expect(get("\(files.root)/js").status == .notFound)
    #expect(get("\(files.root)/").status == .notFound)
  }

  @Test func `a built file has a URL of its own, and files of other releases are served too`() {
    let old = StaticFile(Array("old".utf8), mediaType: "text/javascript; charset=utf-8")
    let built = StaticFiles(
      contents: ["assets/a-1.js": Array("new".utf8), "index.html": [], "locale/en.json": [1]],
      built: ["js/a.js": "/assets/a-1.js"], release: "r1")
    var router = Router()
    built.addAssets(to: &router) { $0 == "a-0.js" ? old : nil }
    func get(_ path: String) -> Response { router.respond(to: Request(.get, path)) }
    #expect(built.url("js/a.js") == "/assets/a-1.js" && built.release == "r1")
    #expect(built.current("js/a.js")?.bytes == Array("new".utf8))
    #expect(built.current("locale/en.json")?.bytes == [1])
    #expect(built.builtFiles.map(\.name) == ["a-1.js"])
    for (name, text) in [("a-1.js", "new"), ("a-0.js", "old")] {
      let answer = get("/assets/\(name)")
      #expect(answer.text == text)
      #expect(answer.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    }
    #expect(get("/assets/a-2.js").status == .notFound)
    #expect(get("/assets/\(built.digest)/index.html").status == .notFound)
  }

  @Test func `a stored file has the same content, packed or not`() {
    for text in ["short", String(repeating: "let a = 1;\n", count: 200)] {
      let file = StaticFile(Array(text.utf8), mediaType: "text/javascript")
      let again = StaticFile(stored: file.stored, mediaType: file.mediaType)
      #expect(again.bytes == Array(text.utf8))
      #expect(again.gzip == file.gzip)
    }
  }

  @Test func `the digest changes with every name and byte`() {
    func digest(_ contents: [String: [UInt8]]) -> String { StaticFiles(contents: contents).digest }
    let base = digest(["a": [1], "b": [2]])
    #expect(base == digest(["b": [2], "a": [1]]))
    #expect(base.count == 32)
    #expect(base != digest(["a": [1], "b": [3]]))
    #expect(base != digest(["a": [1], "c": [2]]))
    #expect(base != digest(["a": [2], "b": [1]]))
    #expect(base != digest(["a": [1]]))
  }

  @Test func `compressed forms are stored only where they are smaller`() throws {
    #expect(files["js/a.js"]?.gzip != nil)
    #expect(files["photo.jpg"]?.gzip == nil)
    #expect(files["a b/ü.svg"]?.gzip == nil)
    let answer = get("\(files.root)/js/a.js", ["Accept-Encoding": "gzip"])
    #expect(answer.headers["Content-Encoding"] == "gzip")
    #expect(answer.headers["Vary"] == "Accept-Encoding")
    let bytes = try Gzip.decompress(answer.body.bytes ?? [], limit: 10_000)
    #expect(bytes == files["js/a.js"]?.bytes)
    #expect(get("\(files.root)/js/a.js").headers["Vary"] == "Accept-Encoding")
  }

  @Test func `files support range requests`() {
    let answer = get("\(files.root)/photo.jpg", ["Range": "bytes=10-19"])
    #expect(answer.status == .partialContent)
    #expect(answer.body.bytes == files["photo.jpg"].map { Array($0.bytes[10..<20]) })
  }

  @Test func `pages at fixed addresses refer to the files of this version`() {
    let answer = get("/")
    #expect(answer.text == "<script src=\"\(files.root)/js/a.js\"></script>Farol")
    #expect(answer.headers["Cache-Control"] == "no-cache")
    #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(get("/", ["If-None-Match": answer.headers["ETag"] ?? ""]).status == .notModified)
  }

  @Test func `a missing file is not added`() {
    var router = Router()
    #expect(!files.add("missing.html", at: "/missing", to: &router))
    #expect(files.add("photo.jpg", at: "/photo.jpg", to: &router))
    #expect(router.routes.count == 1)
  }

  @Test func `a folder is read without symbolic links and hidden files`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try manager.createDirectory(
      at: folder.appendingPathComponent("css"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let secret = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Foundation.Data("secret".utf8).write(to: secret)
    defer { try? manager.removeItem(at: secret) }
    for name in ["index.html", "css/a.css", ".env", "css/.hidden"] {
      try Foundation.Data(name.utf8).write(to: folder.appendingPathComponent(name))
    }
    try manager.createSymbolicLink(
      at: folder.appendingPathComponent("link"), withDestinationURL: secret)
    try manager.createSymbolicLink(
      at: folder.appendingPathComponent("folder"),
      withDestinationURL: manager.temporaryDirectory)
    let files = try StaticFiles(directory: folder.path)
    #expect(files.paths == ["css/a.css", "index.html"])
    #expect(throws: (any Error).self) { try StaticFiles(directory: folder.path + "/none") }
  }

  @Test(arguments: [
    ("a.js", "text/javascript; charset=utf-8"), ("A.JSON", "application/json"),
    ("x/y.webmanifest", "application/manifest+json"), ("f.woff2", "font/woff2"),
    ("noending", "application/octet-stream"), ("a.exe", "application/octet-stream"),
    ("a.", "application/octet-stream"),
  ])
  func `the media type follows from the file extension`(name: String, type: String) {
    #expect(MediaType.of(name) == type)
  }
}
