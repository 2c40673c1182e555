@testable import App
@testable import Downloads
import JSON
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The catalogue of data sets, in terms of DCAT-AP and of schema.org.
@Suite struct CatalogueTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    try app.device(longitude: 7, latitude: 46)
    try app.importCSV("id,name,lon,lat\n1,Listed,8,47\n")
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses", time: "seen")
    try app.app.snapshots.run()
    try app.app.nightlyTiles.run()
  }

  private func nodes(_ type: String) throws -> [JSONValue] {
    let answer = app.get("/api/catalogue")
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "application/ld+json")
    let graph = try #require(try answer.json["@graph"]?.arrayValue)
    return graph.filter { $0["@type"]?.stringValue == type }
  }

  @Test func `the catalogue has the mandatory properties of DCAT-AP`() throws {
    let catalogue = try #require(try nodes("dcat:Catalog").first)
    for name in ["dct:title", "dct:description", "dct:publisher", "dcat:dataset", "dcat:service"] {
      #expect(catalogue[name] != nil, "\(name)")
    }
    let datasets = try nodes("dcat:Dataset")
    #expect(datasets.count == 3)
    #expect(catalogue["dcat:dataset"]?.arrayValue == datasets.map { ["@id": $0["@id"] ?? .null] })
    let agent = try #require(try nodes("foaf:Agent").first)
    #expect(agent["foaf:name"] != nil && agent["@id"] == catalogue["dct:publisher"]?["@id"])
    let service = try #require(try nodes("dcat:DataService").first)
    #expect(service["dct:title"] != nil && service["dcat:endpointURL"] != nil)
    for dataset in datasets {
      for name in ["dct:title", "dct:description"] {
        #expect(dataset[name]?["@value"]?.stringValue?.isEmpty == false, "\(name)")
      }
      let distributions = try #require(dataset["dcat:distribution"]?.arrayValue)
      #expect(!distributions.isEmpty)
      for distribution in distributions {
        #expect(distribution["dcat:accessURL"]?["@id"] != nil)
        #expect(distribution["dct:license"]?["@id"] != nil)
        #expect(distribution["dct:rights"]?["dct:description"] != nil)
      }
    }
  }

  @Test func `each distribution of devices and snapshots is there`() throws {
    for dataset in try nodes("dcat:Dataset") {
      for distribution in dataset["dcat:distribution"]?.arrayValue ?? [] {
        let url = try #require(distribution["dcat:downloadURL"]?["@id"]?.stringValue)
        #expect(app.follow(url).status == .ok, "\(url)")
      }
    }
  }

  @Test func `a snapshot is a version of the devices, with checksums`() throws {
    let datasets = try nodes("dcat:Dataset")
    let devices = try #require(datasets.first)
    let snapshot = try #require(datasets.last)
    #expect(snapshot["dcat:isVersionOf"]?["@id"] == devices["@id"])
    #expect(devices["dcat:hasVersion"] == [["@id": snapshot["@id"] ?? .null]])
    #expect(snapshot["dcat:version"] == "2026-11-21")
    let listed = try app.get("/api/snapshots").json["snapshots"]?[0]?["files"]?.arrayValue ?? []
    let sums = snapshot["dcat:distribution"]?.arrayValue?.map {
      $0["spdx:checksum"]?["spdx:checksumValue"]?["@value"]
    }
    #expect(sums == listed.map { $0["sha256"] })
    for distribution in snapshot["dcat:distribution"]?.arrayValue ?? [] {
      let gzip = "https://www.iana.org/assignments/media-types/application/gzip"
      let isText = distribution["dcat:downloadURL"]?["@id"]?.stringValue?.hasSuffix(".gz") == true
      #expect(distribution["dcat:compressFormat"]?["@id"] == (isText ? .string(gzip) : nil))
    }
  }

  @Test func `places and times are those of the collections`() throws {
    let datasets = try nodes("dcat:Dataset")
    let box = datasets[0]["dct:spatial"]?["dcat:bbox"]?["@value"]
    #expect(box == "POLYGON((7.0 46.0, 8.0 46.0, 8.0 47.0, 7.0 47.0, 7.0 46.0))")
    let period = datasets[1]["dct:temporal"]
    #expect(period?["dcat:startDate"]?["@value"] == "2024-03-01T11:00:00Z")
    #expect(datasets[1]["dct:title"]?["@value"] == "Houses")
  }

  @Test func `schema.org has the same data sets, and the page about the data contains it`() throws {
    let dataset = try app.get("/api/catalogue", ["f": "schema.org"]).json
    #expect(dataset["@context"] == "https://schema.org/" && dataset["@type"] == "Dataset")
    let parts = try #require(dataset["hasPart"]?.arrayValue)
    #expect(parts.map { $0["@type"] } == ["Dataset", "Dataset"])
    for one in [dataset] + parts {
      for name in ["name", "description", "license", "creator", "distribution"] {
        #expect(one[name] != nil, "\(name)")
      }
    }
    let page = app.get("/about").text
    let start = try #require(page.firstRange(of: "<script type=\"application/ld+json\">"))
    let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
    let text = page[start.upperBound..<end.lowerBound]
    #expect(try JSONValue(parsing: Array(text.utf8)) == dataset)
    #expect(!app.get("/terms").text.contains("application/ld+json"))
  }

  @Test func `a changed file of a snapshot gives the catalogue another version`() throws {
    let tag = try #require(app.get("/api/catalogue").headers["ETag"])
    let headers: Headers = ["If-None-Match": tag]
    #expect(app.get("/api/catalogue", headers: headers).status == .notModified)
    let other = String(repeating: "0", count: 64)
    try app.app.write { connection in
      try connection.execute("UPDATE snapshot_file SET sha256 = ?", [.text(other)])
    }
    #expect(app.get("/api/catalogue", headers: headers).status == .ok)
  }

  @Test func `an unknown vocabulary is refused`() {
    #expect(app.get("/api/catalogue", ["f": "rdf"]).status == .badRequest)
  }

  @Test func `a snapshot can be cited`() throws {
    let file = app.get("/api/snapshots/2026-11-21.cff")
    #expect(file.headers["Content-Type"] == "application/yaml")
    #expect(file.text.contains("cff-version: 1.2.0\n") && file.text.contains("type: dataset\n"))
    #expect(file.text.contains("date-released: 2026-11-21\n"))
    let entry = app.get("/api/snapshots/2026-11-21.bib")
    #expect(entry.text.hasPrefix("@misc{farol-2026-11-21,"))
    #expect(entry.text.contains("\(TestApp.address)/api/snapshots/2026-11-21.geojson.gz"))
    for name in ["2026-11-20.cff", "2026-11-20.bib", "x.bib", "2026-13-01.cff"] {
      #expect(app.get("/api/snapshots/\(name)").status == .notFound, "\(name)")
    }
  }
}
