@testable import Service
import Testing

/// What the bundle of a page's style sheets contains.
@Suite struct StyleBundleTests {
  private static func bundle(_ sheets: [(path: String, source: String)]) throws -> String {
    var contents = Dictionary(
      uniqueKeysWithValues: sheets.map { ($0.path, Array($0.source.utf8)) })
    let links = sheets.map { "<link rel=\"stylesheet\" href=\"{{assets}}/\($0.path)\">" }
    contents["index.html"] = Array(links.joined(separator: "\n").utf8)
    let files = try FrontFiles.assembled(contents)
    return String(decoding: try #require(files["together/index.css"]), as: UTF8.self)
  }

  @Test func `comments are left out`() throws {
    let text = try Self.bundle([("css/a.css", "/* one\n two */\na { b: c }\n\n/* three */\n")])
    #expect(text == "/* css/a.css */\na { b: c }\n")
  }

  @Test func `rules for buttons and popups of the map library are left out`() throws {
    let text = try Self.bundle([
      (
        "vendor/maplibre-gl-5.css",
        """
        .maplibregl-map{a:b}.maplibregl-ctrl a,.maplibregl-popup{c:url("data:x{y}")}@media (x){.maplibregl-ctrl{d:e}}\
        .maplibregl-map,.maplibregl-ctrl{f:g}@media (y){.maplibregl-ctrl{h:i}.maplibregl-canvas{j:k}}
        """
      ), ("css/a.css", ".maplibregl-ctrl{l:m}"),
    ])
    #expect(
      text == """
        /* vendor/maplibre-gl-5.css */
        .maplibregl-map{a:b}.maplibregl-map,.maplibregl-ctrl{f:g}@media (y){.maplibregl-canvas{j:k}}
        /* css/a.css */
        .maplibregl-ctrl{l:m}

        """)
  }
}
