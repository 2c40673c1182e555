import Devices
import Foundation
import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import Testing
import WebServer

/// The displayed name, which pages, letters, mails and share cards have in common.
@Suite struct DeviceNamesTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp {
      try TestPlaces.make(in: $0, adding: [("Lindenhof", "Zürich", "CH", 7, 46)])
    }
    ana = try app.account("ana")
  }

  /// A device of a list that names it only by its category.
  private func camera(name: String = "Camera", longitude: Double = 7) throws -> TestDevice {
    try app.device(.cameraFixed, name: name, longitude: longitude, latitude: 46)
  }

  @Test func `names are those of the pages, in both languages and with a town`() throws {
    let file = Repository.root.appendingPathComponent("Tests/Front/device-names.json")
    let examples = try #require(
      try JSONValue(parsing: Array(Data(contentsOf: file))).arrayValue)
    try #require(examples.count > 15)
    let catalogue = try Catalogue(folders: Repository.words)
    let places = try PlaceStore(path: app.folder.appendingPathComponent("places.db").path)
    let names = DeviceNames(catalogue: catalogue, places: places)
    try app.database.read { connection in
      for example in examples {
        let name = try #require(example["name"]?.stringValue)
        func shown(_ longitude: Double, _ language: String) throws -> String {
          try names.shown(
            DeviceNames.Facts(
              name: name, category: example["category"]?.stringValue ?? "",
              manufacturer: example["manufacturer"]?.stringValue,
              operatorName: example["operator"]?.stringValue,
              position: .clamped(longitude: longitude, latitude: 46)),
            in: language, connection)
        }
        for (language, near) in [("en", " near Lindenhof"), ("pt", " perto de Lindenhof")] {
          let expected = try #require(example[language]?.stringValue)
          let isWhole =
            example["isWhole"]?.boolValue == true || example["isWholeIn"]?.stringValue == language
          #expect(try shown(-100, language) == expected, "\(name)")
          #expect(try shown(7, language) == (isWhole ? expected : expected + near), "\(name)")
        }
      }
    }
  }

  @Test func `a device page and its preview have the displayed name`() throws {
    let device = try camera()
    for (language, name) in [
      ("en", "Fixed camera near Lindenhof"), ("pt", "Câmara fixa perto de Lindenhof"),
    ] {
      let page = app.get("/devices/\(device.id)", ["lang": language]).text
      #expect(page.contains("<title>\(name)"))
      #expect(page.contains("<h1>\(name)</h1>"))
      #expect(page.contains("<meta property=\"og:title\" content=\"\(name) – "))
    }
  }

  @Test func `a letter has the displayed name in its language`() throws {
    let device = try camera()
    for (language, country, name) in [
      ("en", "PT", "Fixed camera near Lindenhof"), ("pt", "PT", "Câmara fixa perto de Lindenhof"),
      ("de", "CH", "Feste Kamera bei Lindenhof"),
    ] {
      let id = try app.choice(
        of: ana, about: device.id, "access",
        ["country": .string(country), "language": .string(language), "details": ["name": "A"]])
      let answer = app.get("/api/choices/\(id)/letter", as: ana.identity)
      let body = try #require(try answer.json["body"]?.stringValue)
      #expect(body.contains(name), "\(language): \(body)")
    }
  }

  @Test func `an admin finds a device to delete by its displayed name`() throws {
    let admin = try app.account("root", role: .admin)
    let device = try camera()
    _ = try camera(longitude: 9)
    func found(_ body: JSONValue) throws -> [String] {
      let answer = app.send(
        .post, "/api/admin/deletions", json: body, as: admin.identity)
      guard answer.status == .ok else { return [] }
      return (try answer.json["candidates"]?.arrayValue ?? []).compactMap {
        $0["id"]?.stringValue
      }
    }
    #expect(try found(["name": "Fixed camera near Lindenhof"]) == [device.id])
    #expect(try found(["name": "Câmara fixa perto de Lindenhof"]) == [device.id])
    #expect(
      try found(["name": "Fixed camera near Lindenhof", "id": .string(device.id)]) == [device.id])
    #expect(try found(["name": "Camera"]).count == 2)
    #expect(try found(["name": "Fixed camera near Lisbon"]).isEmpty)
    #expect(try found(["name": "Webcam near Lindenhof"]).isEmpty)
  }
}
