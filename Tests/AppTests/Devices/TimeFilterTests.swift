import JSON
import Testing
import WebServer

@Suite struct TimeFilterTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    for day in ["2026-01-01", "2026-01-02", "2026-01-03"] {
      app.clock.set("\(day)T12:00:00Z")
      try app.device(name: day)
    }
  }

  @Test(
    arguments: [
      ("2026-01-02T12:00:00Z", ["2026-01-02"]),
      ("2026-01-02T13:00:00+01:00", ["2026-01-02"]),
      ("2026-01-02t12:00:00.999z", ["2026-01-02"]),
      ("2026-01-02T12:00:01Z", []),
      ("2026-01-02T12:00:00Z/2026-01-03T12:00:00Z", ["2026-01-02", "2026-01-03"]),
      ("2026-01-02T12:00:01Z/2026-01-03T11:59:59Z", []),
      ("../2026-01-02T12:00:00Z", ["2026-01-01", "2026-01-02"]),
      ("/2026-01-02T11:59:59Z", ["2026-01-01"]),
      ("2026-01-02T12:00:00Z/..", ["2026-01-02", "2026-01-03"]),
      ("2026-01-03T12:00:01Z/", []),
      ("1990-01-01T00:00:00Z", []), ("2026-01-02", ["2026-01-02"]),
      ("2026-01-02/2026-01-02T11:59:59Z", []), ("../2026-01-02", ["2026-01-01", "2026-01-02"]),
      ("2026-01-02/2026-01-03", ["2026-01-02", "2026-01-03"]), ("2026-01-03/", ["2026-01-03"]),
    ] as [(String, [String])])
  func `a time or an interval finds devices last changed in it`(
    datetime: String, names: [String]
  ) throws {
    let answer = app.get(Path.items, ["datetime": datetime])
    #expect(answer.status == .ok)
    #expect(try answer.names == names)
    #expect(try answer.matched == names.count)
  }

  @Test(arguments: [
    "", "/", "../..", "..", "now", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T12:00:00", "2026-01-01T12:00:00Z/2025-01-01T00:00:00Z", "a/b", "2026-01-01T12:00Z",
    "2026-01-01T00:00:00Z/2026-01-02T00:00:00Z/2026-01-03T00:00:00Z", "1767225600",
    "2026-02-30", "2026-01-03/2026-01-02", "2026-01", "2026-01-01T12:00:00+25:00",
    "2026-1-1T00:00:00Z", "２０２６-01-01T00:00:00Z",
  ])
  func `an invalid time is a bad request`(datetime: String) throws {
    let answer = app.get(Path.items, ["datetime": datetime])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["datetime"])
  }
}
