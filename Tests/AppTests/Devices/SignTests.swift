import Foundation
import JSON
import PrivacyMap
@testable import Service
@testable import Site
import SpatialDatabase
import Testing
import WebServer

@Suite struct SignTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let languages = ["de", "en", "es", "fr", "it", "pt"]

  private func path(_ id: String) -> String { "/api/collections/devices/items/\(id)/sign" }

  /// The words of a PDF, read by another program.
  private func words(_ file: [UInt8], raw: Bool = false) throws -> String {
    try Self.output("/usr/bin/pdftotext", [raw ? "-raw" : "-layout"], file)
  }

  private func pageSize(_ file: [UInt8]) throws -> String {
    let lines = try Self.output("/usr/bin/pdfinfo", [], file, answers: false).split(separator: "\n")
    return lines.first { $0.hasPrefix("Page size") }.map(String.init) ?? ""
  }

  private static func output(
    _ program: String, _ options: [String], _ file: [UInt8], answers: Bool = true
  ) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(file).write(to: path)
    return try run(program, options + [path.path] + (answers ? ["-"] : []))
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `a sign names the device, its data, its operator and the rights`() throws {
    let device = try app.device(.alpr, name: "Gate") {
      $0.dataCollected = ["plate", "video"]
      $0.answersFor = .init(name: "Câmara de Lobos Parking, Lda.", kind: .company)
    }
    let answer = app.get(path(device.id), ["lang": "en"])
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "application/pdf")
    let disposition = answer.headers["Content-Disposition"]
    #expect(disposition == "attachment; filename=\"sign-a4-en.pdf\"")
    let text = try words(answer.bytes)
    for part in [
      "This place is watched", "Number-plate reader", "Video, Number plates",
      "Câmara de Lobos Parking, Lda.", "Your rights", "Reported, not confirmed yet",
      "/devices/\(device.id.prefix(8))", "As of \(app.clock.now.day.text)", "Farol",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test(arguments: ["a4", "a5"])
  func `a scanner reads the address of the device in the code`(size: String) throws {
    let device = try app.device(name: "Gate")
    let sign = app.get(path(device.id), ["size": size]).bytes
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("sign.pdf").path
    try Data(sign).write(to: URL(fileURLWithPath: file))
    let page = folder.appendingPathComponent("page").path
    _ = try Self.run("/usr/bin/pdftoppm", ["-r", "100", "-png", "-singlefile", file, page])
    let found = try Self.run("/usr/bin/zbarimg", ["--quiet", "--raw", page + ".png"])
    #expect(
      found.trimmingCharacters(in: .whitespacesAndNewlines)
        == "\(TestApp.address)/devices/\(device.id)")
  }

  @Test(arguments: languages)
  func `every language has all texts, and labels for every category and kind of data`(
    language: String
  ) throws {
    let folder = Repository.root.appendingPathComponent("seed/signs")
    let words = try #require(try SignTexts(directory: folder).words(in: language))
    #expect(words.asOf.contains("{date}") && words.made.contains("{name}"))
    #expect(Set(words.statuses.keys) == ["reported", "confirmed", "disputed"])
    guard !["en", "pt"].contains(language) else { return }
    let codes = try app.database.read { connection in
      (
        Set(try connection.rows("SELECT code FROM category") { $0.text(0) }),
        Set(try connection.rows("SELECT code FROM term WHERE scheme = 'data'") { $0.text(0) })
      )
    }
    #expect(Set(words.categories.keys) == codes.0)
    #expect(Set(words.dataTerms.keys) == codes.1)
  }

  @Test(arguments: languages, ["a4", "a5"])
  func `a sign fits one page of its size in every language`(language: String, size: String) throws {
    let device = try app.device("radio_counter", name: "Long") {
      $0.dataCollected = [
        "visual", "audio", "presence_count", "biometric_template", "radio_id", "device_network",
        "inferred", "position_track", "account_id",
      ]
      $0.answersFor = .init(
        name: Array(repeating: "Gesellschaft für Verkehrsüberwachung", count: 5)
          .joined(separator: " "),
        kind: .company)
    }
    let file = app.get(path(device.id), ["lang": language, "size": size]).bytes
    let points = size == "a4" ? "595.276 x 841.89" : "419.528 x 595.276"
    #expect(try pageSize(file).contains(points))
    let text = try words(file, raw: true)
    #expect(text.components(separatedBy: "\u{0C}").count == 2, "one page")
    let folder = Repository.root.appendingPathComponent("seed/signs")
    let own = try #require(try SignTexts(directory: folder).words(in: language))
    let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The rights are the last part above the code, and are never cut.
    #expect(plain.contains(own.rightsText), "\(language)")
    #expect(plain.contains(own.scan) && plain.contains(own.title))
  }

  @Test func `a device without an operator says that it is not known`() throws {
    let device = try app.device(name: "Gate")
    let text = try words(app.get(path(device.id), ["lang": "fr"]).bytes)
    #expect(text.contains("Pas encore connu"))
    #expect(text.contains("Caméra fixe"))
  }

  @Test func `an SVG has the same size, and no script or text of users`() throws {
    let device = try app.device(name: "<script>alert(1)</script>") {
      $0.answersFor = .init(name: "<script>alert(2)</script>", kind: .company)
    }
    let answer = app.get(path(device.id), ["f": "svg", "size": "a5"])
    #expect(answer.headers["Content-Type"] == "image/svg+xml")
    #expect(answer.text.contains("419.528") && answer.text.contains("595.276"))
    #expect(!answer.text.contains("script") && !answer.text.contains("alert"))
    #expect(answer.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
  }

  @Test func `devices that are not public have no sign`() throws {
    let hidden = try app.device(name: "Hidden")
    try app.hide(hidden)
    #expect(app.get(path(hidden.id)).status == .notFound)
    #expect(app.get(path("01935f6e-0000-7000-8000-000000000000")).status == .notFound)
    #expect(app.get(path("nothing")).status == .notFound)
  }

  @Test(arguments: ["removed", "not_a_device"])
  func `a device that is gone has no sign`(status: String) throws {
    let device = try app.device(name: "Gone")
    try app.database.write {
      try $0.execute(
        "UPDATE device SET status = ? WHERE id = ?", [.text(status), .text(device.id)])
    }
    let answer = app.get(path(device.id))
    #expect(answer.status == .conflict)
    #expect(try answer.json["type"]?.stringValue == "/problems/sign-gone")
  }

  @Test(arguments: [
    ["size": "a3"], ["size": ""], ["lang": "ru"], ["lang": ""], ["f": "png"], ["colour": "red"],
  ])
  func `unknown parameters are refused`(query: [String: String]) throws {
    let device = try app.device(name: "Gate")
    let answer = app.send(
      target: path(device.id) + "?" + query.map { "\($0.key)=\($0.value)" }.joined())
    #expect(answer.status == .badRequest)
  }

  @Test func `the default language is the reader's`() throws {
    let device = try app.device(name: "Gate")
    let answer = app.get(path(device.id), headers: ["Accept-Language": "pt"])
    #expect(answer.headers["Content-Language"] == "pt")
    #expect(try words(answer.bytes).contains("Este lugar é vigiado"))
  }

  @Test func `a network can request a limited number of new drawings, and cached ones after that`()
    throws
  {
    let device = try app.device(name: "Gate")
    func become(_ category: String) throws {
      try app.database.write {
        try $0.execute(
          "UPDATE device SET category = ? WHERE id = ?", [.text(category), .text(device.id)])
      }
    }
    func ask(_ language: String, _ size: String, from address: String) -> Status {
      app.send(.get, path(device.id), ["size": size, "lang": language], from: address).status
    }
    let categories = try app.database.read { connection in
      try connection.rows("SELECT code FROM category ORDER BY number") { $0.text(0) }
    }
    let perCategory = Self.languages.count * SignSize.allCases.count
    let drawn = categories.prefix(DrawingService.maximum / perCategory)
    #expect(drawn.count * perCategory == DrawingService.maximum)
    for category in drawn {
      try become(category)
      for language in Self.languages {
        for size in ["a4", "a5"] { #expect(ask(language, size, from: "192.0.2.1") == .ok) }
      }
    }
    let next = try #require(categories.dropFirst(drawn.count).first)
    try become(next)
    #expect(ask("it", "a4", from: "192.0.2.1") == .tooManyRequests)
    #expect(ask("it", "a4", from: "198.51.100.7") == .ok, "another network")
    #expect(ask("it", "a4", from: "192.0.2.1") == .ok, "known by now")
  }
}
