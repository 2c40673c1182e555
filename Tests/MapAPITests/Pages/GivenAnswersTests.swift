import JSON
import PrivacyMap
import Testing
import WebServer

@testable import MapAPI

@Suite struct GivenAnswersTests {
  private static let start = "<script type=\"application/json\" id=\"given\">"

  /// What the map page brings along, by the path that would be asked for.
  private func given(_ app: TestApp, _ language: String = "en") throws -> JSONObject {
    let page = app.get("/", headers: ["Accept-Language": language]).text
    let begin = try #require(page.firstRange(of: Self.start))
    let rest = page[begin.upperBound...]
    let end = try #require(rest.firstRange(of: "</script>"))
    return try #require(
      try JSONValue(parsing: Array(rest[..<end.lowerBound].utf8)).objectValue)
  }

  @Test(arguments: ["en", "pt"])
  func `the map page brings what the interface would answer`(language: String) throws {
    let app = try TestApp()
    _ = try app.device(.cameraFixed, longitude: 10, latitude: 20)
    let members = try given(app, language).members
    #expect(members.count == GivenAnswers.schemes.count + 2)
    for member in members {
      let answer = app.send(target: member.key, headers: ["Accept-Language": language])
      #expect(answer.status == .ok, "\(member.key)")
      #expect(try answer.json == member.value, "\(member.key)")
    }
  }

  @Test func `a page after a write brings what is true now`() throws {
    let app = try TestApp()
    func devices() throws -> Int? {
      try given(app)["/api/settings"]?["counts"]?["devices"]?.intValue
    }
    #expect(try devices() == 0)
    _ = try app.device(.cameraFixed, longitude: 10, latitude: 20)
    #expect(try devices() == 1)
  }

  @Test func `nothing in an answer ends its place in the page`() throws {
    var settings = InstanceSettings()
    settings.name = "</script><!--<script>"
    let app = try TestApp(settings: settings)
    let page = app.get("/")
    #expect(!page.text.contains("</script><!--"))
    #expect(try given(app)["/api/settings"]?["name"]?.stringValue == settings.name)
  }

  @Test func `only the map page brings answers along`() throws {
    let app = try TestApp()
    for (path, _) in PageRoutes.pages where path != "/" {
      #expect(!app.get(path).text.contains("id=\"given\""), "\(path)")
    }
  }
}
