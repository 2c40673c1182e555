import PrivacyMap
import App
import SpatialDatabase
import Foundation
import Service
@testable import Site
import Testing
import WebServer

/// Files of another release on the same database: from a server in a rolling upgrade, or from before an upgrade.
@Suite struct ReleaseFilesTests {
  /// A folder of a built front that consists of one script.
  private static func front(_ script: String) throws -> URL {
    let folder = try TestFolder.make()
    let files = FileManager.default
    try files.removeItem(at: folder)
    try files.copyItem(at: TestFolder.front, to: folder)
    let name = "assets/a-\(script).js"
    for (path, text) in [
      (name, script),
      ("release.json", #"{"release": "\#(script)", "files": {"js/a.js": "/\#(name)"}}"#),
    ] {
      let file = folder.appendingPathComponent(path)
      try files.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return folder
  }

  private func text(_ app: TestApp, _ release: String) -> String? {
    let answer = app.get("/assets/a-\(release).js")
    return answer.status == .ok ? answer.text : nil
  }

  @Test func `a server serves the files of the release before and of the one after`() throws {
    let before = try TestApp(front: try Self.front("one"))
    #expect(text(before, "one") == "one")
    #expect(text(before, "two") == nil)
    // The server of the next release on the same database.
    try FrontFileRows.add("two", "a-two.js", to: before)
    #expect(text(before, "two") == "two")
    let after = try TestApp(copying: before, seed: 3)
    #expect(text(after, "one") == "one")
  }

  @Test func `names that no build makes are not looked for`() throws {
    let app = try TestApp(front: try Self.front("one"))
    for name in ["a", "..%2Ffarol.db", String(repeating: "a", count: 101), "a%20b.js"] {
      #expect(app.send(target: "/assets/\(name)").status == .notFound, "\(name)")
    }
  }

  @Test func `files are deleted a month after their release ran last`() throws {
    let app = try TestApp(front: try Self.front("one"))
    try FrontFileRows.add("two", "a-two.js", to: app)
    let job = try #require(try app.app.instance.part(ReleaseFiles.self).jobs.first)
    app.clock.advance(by: .seconds(29 * 86_400))
    try job.work("")
    #expect(text(app, "two") == "two")
    app.clock.advance(by: .seconds(2 * 86_400))
    try job.work("")
    #expect(try FrontFileRows.names(app) == ["a-one.js"])
  }

  @Test func `without a build nothing is stored`() throws {
    #expect(try FrontFileRows.names(try TestApp()) == [])
  }
}

private enum FrontFileRows {
  static func add(_ text: String, _ name: String, to app: TestApp) throws {
    try app.database.write {
      try $0.execute(
        "INSERT INTO front_file (name, content, seen_at) VALUES (?, ?, ?)",
        [.text(name), .blob(Array(text.utf8)), .text(app.clock.now.text)])
    }
  }

  static func names(_ app: TestApp) throws -> [String] {
    try app.database.read {
      try $0.rows("SELECT name FROM front_file ORDER BY name") { $0.text(0) }
    }
  }
}
