import App
import Devices
import JSON
import Locking
import Metrics
import Operations
import PrivacyMap
import Service
import SpatialDatabase
import Testing
import WebServer

/// A feature as an engineer would add it: all about it is declared in one type, and found by its type.
private struct Greeting: Feature {
  static let log = Locked<[String]>([])
  static let retention = [
    RetentionRule(
      code: "greeting", entry: "log", what: "greetings", why: "to test", period: .days(30),
      job: "forget greetings", due: "SELECT count(*) FROM setting WHERE changed_at < ?",
      limit: .ago(30 * 86_400))
  ]

  private let name: String
  let queue = RequestQueue("greetings", width: 1, capacity: 2)

  init(_ instance: Instance) throws { name = instance.settings.name }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getGreeting", "/api/greeting", tag: "Data", summary: "A greeting.",
        answers: [.ok("The name of the instance.", "text/plain")]
      ) { [name] _ in
        Response(headers: ["Content-Type": "text/plain"], body: .bytes(Array(name.utf8)))
      }
    ]
  }
  var jobs: [Job] {
    [Job("forget greetings", every: .seconds(60)) { Self.log.withLock { $0.append("worked") } }]
  }
  var metrics: [MetricFamily] { [.gauge("farol_greetings", "Greetings.") { 7 }] }
  var queues: [(name: String, queue: any MeasuredQueue)] { [("greetings", queue)] }
  func start() { Self.log.withLock { $0.append("started") } }
  func stop() { Self.log.withLock { $0.append("stopped") } }
}

/// Two features that need each other.
private struct Chicken: Feature {
  init(_ instance: Instance) throws { _ = try instance.part(Egg.self) }
}

private struct Egg: Feature {
  init(_ instance: Instance) throws { _ = try instance.part(Chicken.self) }
}

/// A feature declares everything about itself, and is added in one place: the list of kinds.
@Suite struct NewFeatureTests {
  @Test func `one more kind in the list adds everything that it declares`() throws {
    let app = try TestApp(
      monitoring: Monitoring(access: .loopback), features: App.kinds + [Greeting.self])
    let name = InstanceSettings().name
    #expect(app.get("/api/greeting").text == name)
    let document = try app.get("/api/openapi.json").json
    #expect(document["paths"]?["/api/greeting"] != nil)
    #expect(app.metrics["farol_greetings"] == 7)
    #expect(app.metrics["farol_work_queue_jobs{queue=\"greetings\"}"] == 0)
    #expect(app.app.repeatedWorks["forget greetings"] == .seconds(60))
    let work = try #require(app.app.works["forget greetings"])
    try work("")
    app.app.start()
    app.app.stop()
    #expect(Greeting.log.withLock { $0 } == ["worked", "started", "stopped"])
    let runs = try app.database.read {
      try $0.text("SELECT value FROM setting WHERE name = 'retention'")
    }
    #expect(runs?.contains("\"greeting\"") == true)
  }

  @Test func `two features that need each other are an error at the start, not an endless loop`()
    throws
  {
    #expect(throws: MissingPart.self) {
      try TestApp(features: App.kinds + [Chicken.self, Egg.self])
    }
  }

  @Test func `statistics that would name withheld operators are an error at the start`() throws {
    #expect(throws: MissingPart.self) {
      try TestApp(features: App.kinds.filter { !($0 is any WithholdsOperators.Type) })
    }
  }
}
