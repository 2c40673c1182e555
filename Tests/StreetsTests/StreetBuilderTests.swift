import Foundation
import Import
import JSON
import Testing
import TileArchives

@testable import Streets

/// Files of `farol-formats` and the builder, from small extracts.
@Suite final class StreetBuilderTests {
  private let folder: URL
  private var file: String { folder.appendingPathComponent("town.graph").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "farol-streets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func build(_ bytes: [UInt8]) throws -> StreetBuilder.Summary {
    let extract = folder.appendingPathComponent("town.osm.pbf")
    try Data(bytes).write(to: extract)
    return try StreetBuilder().build(extract: extract.path, output: file)
  }

  private func sentence(_ bytes: [UInt8]) -> String? {
    do {
      _ = try build(bytes)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `a grid of streets becomes nodes and edges`() throws {
    let summary = try build(TestExtract.grid(columns: 5, rows: 4).bytes)
    #expect(summary.nodes == 20)
    #expect(summary.edges == 4 * 4 + 3 * 5)
    #expect(summary.cutWays == 0)
    let graph = try StreetGraph(path: file)
    #expect(graph.metadata.nodes == 20)
    #expect(graph.id.hasPrefix("town-"))
    #expect(abs(graph.bounds.west - 9.5) < 0.000_001)
  }

  @Test func `the same extract gives the same file`() throws {
    let bytes = TestExtract.grid(columns: 9, rows: 9).bytes
    _ = try build(bytes)
    let first = try Data(contentsOf: URL(fileURLWithPath: file))
    _ = try build(bytes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == first)
  }

  @Test func `a way without some of its nodes is used as far as they are there`() throws {
    var extract = TestExtract.grid(columns: 5, rows: 1)
    extract.ways = [
      .init(nodes: [1, 2, 999, 3, 4, 998, 5], tags: ["highway": "path"]),
      .init(nodes: [997], tags: ["highway": "path"]),
      .init(nodes: [], tags: ["highway": "path"]),
      .init(nodes: [2, 2, 2], tags: ["highway": "path"]),
    ]
    let summary = try build(extract.bytes)
    #expect(summary.edges == 2)
    #expect(summary.cutWays == 2)
  }

  @Test func `a loop is divided, and a way that crosses itself has a node there`() throws {
    var extract = TestExtract.grid(columns: 3, rows: 2)
    extract.ways = [.init(nodes: [1, 2, 102, 101, 1], tags: ["highway": "service"])]
    #expect(try build(extract.bytes).edges == 2)
    extract.ways = [.init(nodes: [1, 2, 102, 2, 3], tags: ["highway": "service"])]
    // The part from 2 to 102 and back is a loop, which is divided at 102.
    #expect(try build(extract.bytes).edges == 4)
  }

  @Test func `a barrier divides a street by an edge that lacks the closed modes`() throws {
    var extract = TestExtract.grid(columns: 3, rows: 1)
    extract.ways = [.init(nodes: [1, 2, 3], tags: ["highway": "residential"])]
    extract.nodeTags[2] = ["barrier": "bollard"]
    let summary = try build(extract.bytes)
    #expect(summary.nodes == 4)
    #expect(summary.edges == 3)
  }

  @Test func `an extract without streets, a damaged one and another file have sentences`() {
    var extract = TestExtract.grid(columns: 3, rows: 1)
    extract.ways = []
    #expect(sentence(extract.bytes)?.contains("no streets") == true)
    let whole = TestExtract.grid(columns: 3, rows: 3).bytes
    #expect(sentence(whole.dropLast(40))?.contains("damaged or was cut off") == true)
    #expect(sentence(Array("id,name\n".utf8))?.contains("not an OpenStreetMap extract") == true)
    #expect(sentence([])?.contains("not an OpenStreetMap extract") == true)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(!FileManager.default.fileExists(atPath: file + ".new"))
  }

  @Test func `an extract with changed bytes is read or refused, and never ends the program`() throws
  {
    let whole = TestExtract.grid(columns: 6, rows: 6).bytes
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<25 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 16..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      do { _ = try build(bytes) } catch is ImportFailure {} catch is StreetFault {}
    }
  }

  @Test func `there is no file`() {
    #expect(throws: ImportFailure.self) {
      try StreetBuilder().build(extract: "/nonexistent.osm.pbf", output: file)
    }
  }

  @Test func `files of another kind and version are refused with a sentence`() throws {
    func write(_ metadata: JSONValue, zoom: Int = 12) throws {
      var archive = try PMTilesWriter(path: file)
      try archive.add(z: zoom, x: 1, y: 1, [0x1F, 0x8B, 0])
      try archive.finish(metadata: metadata, bounds: .world, content: .unknown)
    }
    func sentence() -> String {
      do {
        _ = try StreetGraph(path: file)
        return ""
      } catch { return "\(error)" }
    }
    let graph: JSONValue = "0123456789abcdef"
    try write(["format": "farol-streets", "version": 1, "graph": graph])
    #expect(sentence() == "")
    try write(["format": "farol-streets", "version": 2, "graph": graph])
    #expect(sentence().contains("version 2"))
    try write(["format": "farol-streets", "version": 1, "graph": "../../etc/passwd"])
    #expect(sentence().contains("not a street graph"))
    try write(["format": "farol-streets", "version": 1, "graph": graph], zoom: 11)
    #expect(sentence().contains("not a street graph"))
    try write(["vector_layers": []])
    #expect(sentence().contains("not a street graph"))
    try Data("no archive".utf8).write(to: URL(fileURLWithPath: file))
    #expect(sentence().contains("neither PMTiles nor MBTiles"))
  }
}
