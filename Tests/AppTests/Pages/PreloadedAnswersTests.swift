import Foundation
import JSON
import PrivacyMap
@testable import Service
@testable import Site
import Testing
import WebServer

@Suite struct GivenAnswersTests {
  private static let start = "<script type=\"application/json\" id=\"given\">"

  /// The responses embedded in the map page, by the path of their request.
  private func given(_ app: TestApp, _ language: String = "en") throws -> JSONObject {
    let page = app.get("/", headers: ["Accept-Language": language]).text
    let begin = try #require(page.firstRange(of: Self.start))
    let rest = page[begin.upperBound...]
    let end = try #require(rest.firstRange(of: "</script>"))
    return try #require(
      try JSONValue(parsing: Array(rest[..<end.lowerBound].utf8)).objectValue)
  }

  @Test(arguments: ["en", "pt"], ["public", "data/front"])
  func `the map page embeds the responses of the interface`(
    language: String, front: String
  ) throws {
    let app = try TestApp(front: Repository.root.appendingPathComponent(front))
    _ = try app.device(.cameraFixed, longitude: 10, latitude: 20)
    let members = try given(app, language).members
    // Its sentences are a file of the build.
    let words = members.filter { $0.key.hasPrefix("/assets/main.\(language)-") }
    #expect(words.count == (front == "public" ? 0 : 1))
    #expect(members.count == PreloadedAnswers.schemes.count + 2 + words.count)
    for member in members {
      let answer = app.send(target: member.key, headers: ["Accept-Language": language])
      #expect(answer.status == .ok, "\(member.key)")
      #expect(try answer.json == member.value, "\(member.key)")
    }
  }

  @Test func `the embedded responses are current after a write`() throws {
    let app = try TestApp()
    func devices() throws -> Int? {
      try given(app)["/api/settings"]?["counts"]?["devices"]?.intValue
    }
    #expect(try devices() == 0)
    _ = try app.device(.cameraFixed, longitude: 10, latitude: 20)
    #expect(try devices() == 1)
  }

  @Test func `an embedded response cannot end its script element`() throws {
    var settings = InstanceSettings()
    settings.name = "</script><!--<script>"
    let app = try TestApp(settings: settings)
    let page = app.get("/")
    #expect(!page.text.contains("</script><!--"))
    #expect(try given(app)["/api/settings"]?["name"]?.stringValue == settings.name)
  }

  @Test func `only the map page embeds responses`() throws {
    let app = try TestApp()
    for (path, _) in PageRoutes.pages where path != "/" {
      #expect(!app.get(path).text.contains("id=\"given\""), "\(path)")
    }
  }
}
