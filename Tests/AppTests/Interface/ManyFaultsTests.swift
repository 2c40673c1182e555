import JSON
import Testing
import WebServer

/// However many errors a request has, the response names twenty and states that there are more.
@Suite struct ManyFaultsTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func unknown(_ count: Int) -> JSONValue {
    .object(JSONObject((0..<count).map { ("unknown\($0)", 1) }))
  }

  private func report(_ members: JSONValue, _ language: String = "en") -> TestAnswer {
    app.send(
      .post, "/api/reports", headers: ["Accept-Language": language], json: members)
  }

  @Test func `twenty errors are named`() throws {
    // Three missing required members are errors too.
    let answer = report(unknown(17))
    #expect(answer.status == .badRequest)
    #expect(try answer.fields.count == 20)
    #expect(try answer.json["more_errors"] == nil)
  }

  @Test func `with one error more the response states it in the reader's language`() throws {
    let english = report(unknown(18))
    #expect(english.status == .badRequest)
    #expect(try english.fields.count == 20)
    #expect(try english.json["more_errors"] == true)
    let portuguese = report(unknown(18), "pt")
    for (answer, word) in [(english, "first"), (portuguese, "primeiros")] {
      let detail = try answer.json["detail"]?.stringValue
      #expect(detail?.contains("20") == true && detail?.contains(word) == true, "\(answer.text)")
    }
  }

  @Test func `refused values count as errors too`() throws {
    let choice: JSONValue = ["kind": "opt_out", "deadline_days": -1, "checked_on": "soon"]
    let answer = app.add(
      Sent.feature(["choices": .array(Array(repeating: choice, count: 20))]), as: ana.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields.count == 20)
    #expect(try answer.json["more_errors"] == true)
  }

  @Test func `the response to many errors is short`() throws {
    let event: JSONValue = ["event": "nothing", "at": "never", "more": 1]
    let choice: JSONValue = ["id": "x", "events": .array(Array(repeating: event, count: 100))]
    let answer = app.send(
      .post, "/api/choices/import", json: ["choices": .array(Array(repeating: choice, count: 200))],
      as: ana.identity)
    #expect(answer.status == .badRequest)
    #expect(try answer.fields.count == 20)
    #expect(answer.bytes.count < 5_000)
  }

  @Test func `unknown parameters count as errors too`() throws {
    let query = (0..<60).map { "p\($0)" }.joined(separator: "&")
    let answer = app.send(
      target: "\(Path.items)?\(query)", headers: ["Accept-Language": "pt"])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == (0..<20).map { "p\($0)" })
    #expect(try answer.json["more_errors"] == true)
    #expect(try answer.json["detail"]?.stringValue?.contains("20") == true)
  }

  @Test func `a name of one character with endless combining marks is cut`() throws {
    let name = "e" + String(repeating: "\u{200D}", count: 10_000)
    let answer = report(.object(JSONObject([(name, 1)])))
    #expect(answer.status == .badRequest)
    #expect(answer.bytes.count < 2_000)
    let code = report(["target": ["type": .string(name), "id": "x"], "reason": .string(name)])
    #expect(code.bytes.count < 3_000)
  }
}
