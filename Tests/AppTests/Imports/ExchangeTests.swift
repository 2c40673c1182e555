@testable import App
@testable import Devices
import Foundation
import Import
import JSON
@testable import Downloads
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Devices that one Farol exports and the same or another one imports.
@Suite struct ExchangeTests {
  let app: TestApp
  private static let tables: [ExportFormat] = [
    .csv, .geojson, .geojsons, .geojsonl, .gpkg, .flatGeobuf, .parquet, .xlsx,
  ]
  private static let mappings = ImportMappings(
    folder: Repository.root.appendingPathComponent("seed/mappings"))
  private static let everyStatus: TestApp.Parameters = [
    "status": DeviceStatus.allCases.map(\.rawValue).joined(separator: ",")
  ]
  /// The history of a record belongs to its instance.
  private static let ownColumns: Set<String> = ["created_at", "updated_at", "revision"]

  init() throws {
    app = try TestApp()
    _ = try RandomWorld(app, count: 60)
    let whole = TestApp.mapping
    try app.importCSV(
      "id,name,lon,lat,wd\na;b,Listed,7.4,46.9,Q1\nc,Unlisted,8.4123456789,47.1,\n",
      whole("city", "", #""also_known_as": [{"namespace": "wikidata", "key": "{wd}"}],"#))
    try app.device(name: "Whole", longitude: 9.123456789, latitude: 45, precision: .kilometre) {
      $0.description =
        "First line, with \"quotes\".\n\nSee https://example.org/ or +41 31 000 00 00."
      $0.manufacturer = "=1+1"
      $0.level = "-1"
      $0.height = 2_000.1234
      $0.bearings = [0, 12.5, 359]
      $0.fieldOfView = 90
      $0.startedOn = "1900-07"
      $0.units = 3
      var who = Operator(name: "City of X", kind: .public)
      who.contact = "privacy@example.org"
      who.privacyPolicy = "http://example.org/privacy"
      who.dataProtectionContact = "https://example.org/dpo"
      $0.answersFor = who
      let kinds = app.vocabulary.terms(of: .choices).map(\.code)
      $0.choices = zip(kinds, OfferedChoice.Channel.allCases).map { kind, channel in
        var choice = OfferedChoice(kind: kind)
        choice.channel = channel
        choice.target =
          switch channel {
          case .url: "https://example.org/?a=1;2"
          case .email: "office@example.org"
          default: "Town hall,\nroom 3; \"left\""
          }
        choice.instructions = "Say “no”; then wait.\n\nTwice."
        choice.deadlineDays = 30
        choice.checkedOn = Day(text: "2026-11-01")
        return choice
      }
      $0.assumed = ["retention", "signage"]
    }
  }

  private func file(_ format: ExportFormat, of app: TestApp) throws -> ByteSource {
    let answer = app.export(format, Self.everyStatus)
    try #require(answer.status == .ok, "\(answer.text)")
    return ByteSource(bytes: answer.bytes, name: "devices.\(format.ending)")
  }

  /// Imports a file with the mapping that recognises it.
  private func take(
    _ file: ByteSource, into other: TestApp, as expected: String = "farol"
  ) throws -> ImportRun.Report {
    let name = Self.mappings.recognised(
      file, vocabulary: other.vocabulary, today: other.clock.now.day)
    #expect(name?.hasPrefix(expected) == true)
    let run = ImportRun(
      map: other.app.map, mapping: try Self.mappings.mapping(named: expected), named: expected,
      options: ImportRun.Options())
    return try run.run(file)
  }

  /// The cells of all devices by id and column.
  private func cells(of app: TestApp) throws -> [String: [String: String]] {
    let table = app.table(Self.everyStatus)
    return Dictionary(
      uniqueKeysWithValues: try zip(table.column("id"), table.records).map { id, record in
        let named = zip(table.header, record).filter { !Self.ownColumns.contains($0.0) }
        return (id, Dictionary(uniqueKeysWithValues: named.map { ($0.0, $0.1) }))
      })
  }

  private func truePlaces(of app: TestApp) throws -> [String] {
    try app.database.readPrivate(limit: .none) { connection in
      try connection.rows("SELECT longitude, latitude FROM device_location ORDER BY 1, 2") {
        "\($0.double(0)) \($0.double(1))"
      }
    }
  }

  @Test(arguments: Self.tables)
  func `another Farol gets every value of every device once`(format: ExportFormat) throws {
    let other = try TestApp()
    let sent = try cells(of: app)
    let report = try take(file(format, of: app), into: other)
    #expect(report.added == sent.count && report.refused == 0 && report.flagged == 0)
    let got = try cells(of: other)
    #expect(got.keys.sorted() == sent.keys.sorted())
    for (id, cells) in sent {
      for (column, cell) in cells {
        let arrived = got[id]?[column]
        #expect(arrived == cell, "\(column) of \(cells["name"] ?? "")")
      }
    }
    // And from there back again, and once more.
    let sequence = try (app.sequence, other.sequence)
    let (back, again) = try (
      take(file(format, of: other), into: app), take(file(format, of: app), into: other)
    )
    #expect(back.unchanged == sent.count && again.unchanged == sent.count)
    #expect(try app.sequence == sequence.0 && other.sequence == sequence.1)
  }

  @Test(arguments: Self.tables)
  func `importing an own export changes nothing`(format: ExportFormat) throws {
    let (sequence, places, before) = try (app.sequence, truePlaces(of: app), cells(of: app))
    let report = try take(file(format, of: app), into: app)
    #expect(report.unchanged == before.count && report.added == 0 && report.changed == 0)
    #expect(try app.sequence == sequence)
    #expect(try truePlaces(of: app) == places)
    #expect(try cells(of: app) == before)
    #expect(try app.integer("SELECT count(*) FROM device_key WHERE namespace = 'farol'") == 0)
  }

  @Test(arguments: [ExportFormat.osm, .osmJSON])
  func `an own file for OpenStreetMap is recognised by the ids of Farol`(
    format: ExportFormat
  ) throws {
    let (sequence, before) = try (app.sequence, cells(of: app))
    let file = try file(format, of: app)
    let report = try take(file, into: app, as: "osm")
    #expect(report.unchanged == report.rows - report.refused - report.skipped && report.added == 0)
    #expect(report.unchanged > 3, "\(report)")
    #expect(try app.sequence == sequence && cells(of: app) == before)

    let other = try TestApp()
    let sent = try take(file, into: other, as: "osm")
    #expect(sent.added == report.unchanged)
    #expect(try elements(of: other) == elements(of: app))
    #expect(try other.integer("SELECT count(*) FROM device_key WHERE namespace = 'osm'") == 0)
    let again = try take(self.file(format, of: other), into: app, as: "osm")
    #expect(again.unchanged == sent.added && again.added == 0)
  }

  /// The elements of a file without the numbers that hold only inside it.
  private func elements(of app: TestApp) throws -> Set<String> {
    let elements = try app.export(.osmJSON).json["elements"]?.arrayValue ?? []
    return Set(
      elements.map { element in
        var members = element.objectValue ?? JSONObject()
        if (element["id"]?.intValue ?? 0) < 0 { members["id"] = nil }
        return JSONValue.object(members).text
      })
  }

  @Test func `a device that a list brought under another id is not added twice`() throws {
    let other = try TestApp()
    try other.importCSV("id,name,lon,lat\nc,Unlisted,8.4,47.1\n", TestApp.mapping(code: "city"))
    let count = try cells(of: app).count
    // Ids of a test begin with the same numbers.
    try other.app.database.write {
      try $0.execute(
        "UPDATE device SET id = '01900000-0000-7000-8000-000000000000' WHERE name = 'Unlisted'")
    }
    let report = try take(file(.csv, of: app), into: other)
    #expect(report.added == count - 1)
    let again = try take(file(.csv, of: app), into: other)
    #expect(again.unchanged == count && again.added == 0)
  }

  @Test func `a list does not show a device more precisely than people have chosen`() throws {
    let list = "id,name,lon,lat\n1,One,7.4,46.9\n"
    try app.importCSV(list)
    try app.app.database.write {
      try $0.execute("UPDATE device SET precision = '1km' WHERE name = 'One'")
    }
    try app.importCSV("id,name,lon,lat\n1,One,7.5,46.9\n")
    #expect(try app.text("SELECT precision FROM device WHERE name = 'One'") == "1km")
  }

  @Test func `a row without its licence is refused`() throws {
    let table = app.table(Self.everyStatus)
    let place = try #require(table.header.firstIndex(of: "licence"))
    let lines = ([table.header] + table.records).map { record in
      record.enumerated().filter { $0.offset != place }.map {
        "\"\($0.element.replacing("\"", with: "\"\""))\""
      }.joined(separator: ",")
    }
    let other = try TestApp()
    let file = ByteSource(
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8), name: "devices.csv")
    let run = ImportRun(
      map: other.app.map, mapping: try Self.mappings.mapping(named: "farol"), named: "farol",
      options: ImportRun.Options())
    let report = try run.run(file)
    #expect(report.added == 0 && report.reasons["refused.no_licence"] == table.records.count)
  }
}
