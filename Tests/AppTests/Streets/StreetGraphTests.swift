import Foundation
import JSON
import Streets
import Testing
import WebServer

@Suite struct StreetGraphTests {
  /// An instance with the graph of the smallest extract of the sample, and `more`.
  private func app(_ more: (URL) throws -> Void = { _ in }) throws -> TestApp {
    try TestApp { folder in
      let streets = folder.appendingPathComponent("streets")
      try FileManager.default.createDirectory(at: streets, withIntermediateDirectories: false)
      let extract = Repository.root.appendingPathComponent("seed/streets/harrisburg.osm.pbf")
      _ = try StreetBuilder().build(
        extract: extract.path, output: streets.appendingPathComponent("Harrisburg.graph").path)
      try more(streets)
    }
  }

  @Test func `a graph is listed with its area, and its pieces can be kept for a year`() throws {
    let app = try app()
    let graphs = try #require(try app.get("/api/street-graphs").json["graphs"]?.arrayValue)
    #expect(graphs.count == 1)
    let graph = try #require(graphs.first)
    #expect(graph["name"]?.stringValue == "Harrisburg")
    #expect(graph["attribution"]?.stringValue == "© OpenStreetMap contributors")
    #expect(try #require(graph["edges"]?.intValue) > 5_000)
    let url = try #require(graph["url"]?.stringValue)
    #expect(url.hasPrefix("/street-graphs/harrisburg-"))
    // The state capitol: 76.883° W, 40.264° N.
    let address = url.replacing("{x}", with: "1173").replacing("{y}", with: "1546")
    let packed: Headers = ["Accept-Encoding": "gzip"]
    let piece = app.get(address, headers: packed)
    #expect(piece.status == .ok)
    #expect(piece.headers["Content-Encoding"] == "gzip")
    #expect(piece.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(try piece.plainBytes.starts(with: Array("FSTP".utf8)))
    #expect(app.get(address).bytes == (try piece.plainBytes))
    var known = packed
    known.add("If-None-Match", try #require(piece.headers["ETag"]))
    #expect(app.get(address, headers: known).status == .notModified)
  }

  @Test func `a tile without streets is empty, and other addresses do not exist`() throws {
    let app = try app()
    let url = try #require(
      try app.get("/api/street-graphs").json["graphs"]?[0]?["url"]?.stringValue)
    func status(_ x: String, _ y: String) -> Status {
      app.get(url.replacing("{x}", with: x).replacing("{y}", with: y)).status
    }
    #expect(status("0", "0") == .noContent)
    #expect(status("4095", "4095") == .noContent)
    #expect(status("4096", "0") == .badRequest)
    #expect(status("-1", "0") == .badRequest)
    #expect(status("1", "99999999999999999999") == .badRequest)
    #expect(status("1", "one") == .badRequest)
    #expect(app.get("/street-graphs/none/0/0.piece").status == .notFound)
  }

  @Test func `a file that is no graph is left out, and no graph is a street map`() throws {
    let app = try app { folder in
      try Data("no graph".utf8).write(to: folder.appendingPathComponent("broken.graph"))
      try Data("notes".utf8).write(to: folder.appendingPathComponent("notes.txt"))
    }
    #expect(try app.get("/api/street-graphs").json["graphs"]?.arrayValue?.count == 1)
    #expect(try app.get("/api/settings").json["streets"]?.arrayValue?.isEmpty == true)
  }

  @Test func `an instance without graphs has an empty list`() throws {
    #expect(try TestApp().get("/api/street-graphs").json["graphs"]?.arrayValue?.isEmpty == true)
  }
}
