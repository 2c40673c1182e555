@testable import Accounts
@testable import App
import Foundation
import JSON
import Logging
import Mail
import Metrics
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import TestClient
import Testing
import WebServer

/// The metrics report the events of an instance.
@Suite struct MetricsTests {
  let app: TestApp

  init() throws { app = try TestApp(monitoring: Monitoring(access: .loopback)) }

  /// A server of this instance.
  private func serve(_ body: (UInt16) throws -> Void) throws {
    var configuration = ServerConfiguration(port: 0)
    configuration.logsRequests = false
    configuration.activity = app.app.monitoring.server
    configuration.observer = app.app.monitoring.observer
    let server = try Server(
      configuration: configuration, router: app.app.router,
      logger: Logger(label: "test") { [log = app.log] _ in log })
    defer { server.stop(within: .zero) }
    try body(server.port)
  }

  /// The status of a response, after the server has counted it.
  private func ask(_ head: String, _ port: UInt16) throws -> Int {
    let client = try RawClient(port: port)
    client.send("\(head) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let answer = String(decoding: client.readToEnd(), as: UTF8.self)
    return try #require(Int(answer.split(separator: " ").dropFirst().first ?? ""))
  }

  private func count(_ name: String, _ method: String, _ status: String, _ group: String) -> Double?
  {
    app.metrics[
      "farol_http_requests_total{operation=\"\(name)\",group=\"\(group)\",method=\"\(method)\","
        + "status=\"\(status)\"}"]
  }

  @Test func `requests are counted by operation, method and class of status`() throws {
    let device = try app.device()
    try serve { (port) throws in
      #expect(try ask("GET /api/collections/devices/items/\(device.id)", port) == 200)
      #expect(try ask("GET /api/collections/devices/items/\(device.id)?what=1", port) == 400)
      #expect(try ask("HEAD /api/conformance", port) == 200)
      #expect(try ask("GET /learn", port) == 200)
    }
    let group = try #require(app.app.endpoints.first { $0.id == "getDevice" }).tag.lowercased()
    #expect(count("getDevice", "GET", "2xx", group) == 1)
    #expect(count("getDevice", "GET", "4xx", group) == 1)
    #expect(count("getDevice", "GET", "5xx", group) == 0)
    #expect(app.metrics.text.contains("operation=\"getConformance\""))
    #expect(app.metrics.text.contains("method=\"HEAD\""))
    #expect(count("page", "GET", "2xx", "pages") == 1)
    #expect(
      app.metrics["farol_http_request_duration_seconds_count{group=\"\(group)\"}"] == 2)
    #expect(!app.metrics.text.contains(device.id))
  }

  @Test func `client input never becomes a label`() throws {
    try serve { (port) throws in
      #expect(try ask("GET /segredo", port) == 404)
      #expect(try ask("SEGREDO /api", port) == 405)
      #expect(try ask("GET /api/people/segredo", port) == 404)
    }
    #expect(count("none", "GET", "4xx", "none") == 1)
    #expect(count("none", "OTHER", "4xx", "none") == 1)
    #expect(!app.metrics.text.lowercased().contains("segredo"))
  }

  @Test func `connections, bytes and limits are those of the server`() throws {
    try serve { (port) throws in
      let client = try RawClient(port: port)
      let answer = try #require(client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"))
      #expect(app.metrics["farol_http_connections_open"] == 1)
      #expect(app.metrics["farol_http_connections_total"] == 1)
      #expect(app.metrics["farol_http_connections_shed_from"] == 2_500)
      #expect(app.metrics["farol_http_connections_limit"] == 4_096)
      // The end of a request is recorded after its last byte.
      try wait { app.metrics["farol_http_response_bytes_total"] == Double(answer.body.count) }
      try wait { app.metrics["farol_http_requests_in_flight"] == 0 }
    }
    #expect(app.metrics["farol_http_connections_open"] == 0)
  }

  private func wait(_ condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(5)
    while !condition(), ContinuousClock.now < deadline { usleep(2_000) }
    #expect(condition())
  }

  @Test func `jobs report their last success, and their number of failures`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["good": { _ in }, "bad": { _ in throw HopelessJob(reason: "a test") }],
      repeated: ["good": .seconds(3_600)], figures: app.app.monitoring.jobs)
    #expect(app.metrics["farol_job_runs_total{kind=\"good\",outcome=\"succeeded\"}"] == 0)
    try runner.scheduleRepeated()
    try app.database.write { connection in
      for kind in ["bad", "segredo"] {
        try JobRunner.schedule(kind, due: app.clock.now, connection)
      }
    }
    while try runner.runOne() {}
    let page = app.metrics
    #expect(page["farol_job_runs_total{kind=\"good\",outcome=\"succeeded\"}"] == 1)
    #expect(page["farol_job_runs_total{kind=\"bad\",outcome=\"failed\"}"] == 1)
    #expect(page["farol_job_runs_total{kind=\"unknown\",outcome=\"failed\"}"] == 1)
    #expect(page["farol_job_interval_seconds{kind=\"good\"}"] == 3_600)
    #expect(
      page["farol_job_last_success_timestamp_seconds{kind=\"good\"}"]
        == Double(app.clock.now.secondsSinceEpoch))
    #expect(!page.text.contains("segredo"))
  }

  @Test func `after a restart the last success of a repeated job follows from its due time`()
    throws
  {
    let done = app.clock.now
    try app.database.write { connection in
      try connection.execute(
        "INSERT INTO job (kind, key, due_at) VALUES ('daily', 'daily', ?)",
        [.text(Timestamp(secondsSinceEpoch: done.secondsSinceEpoch + 86_400).text)])
    }
    app.app.monitoring.jobs.expect(["daily"], repeated: ["daily": .seconds(86_400)])
    app.clock.advance(by: .seconds(3_600))
    let name = "farol_job_last_success_timestamp_seconds{kind=\"daily\"}"
    #expect(app.metrics[name] == Double(done.secondsSinceEpoch))
    #expect(app.metrics["farol_job_overdue_seconds{kind=\"daily\"}"] == 0)
  }

  @Test func `queued mail is counted, and its outcomes`() throws {
    for template in [MailTemplate.warned, .confirm] { try app.add(.example(template)) }
    app.clock.advance(by: .seconds(90))
    #expect(app.metrics["farol_mail_waiting"] == 2)
    #expect(app.metrics["farol_mail_oldest_age_seconds"] == 90)
    let transport = TestTransport()
    transport.fail(MailFailure("not now"))
    let runner = try app.runner(transport)
    while try runner.runOne() {}
    transport.fail(nil)
    app.clock.advance(by: .seconds(3_600))
    while try runner.runOne() {}
    #expect(app.metrics["farol_mail_total{outcome=\"put_off\"}"] == 2)
    #expect(app.metrics["farol_mail_total{outcome=\"sent\"}"] == 2)
    #expect(app.metrics["farol_mail_total{outcome=\"refused\"}"] == 0)
  }

  @Test func `sign-in attempts are counted by outcome`() throws {
    let ana = try app.account()
    func attempt(_ password: String) -> Status {
      app.send(
        .post, "/api/session",
        json: ["login": .string(ana.username), "password": .string(password)],
        from: "192.0.2.1"
      ).status
    }
    #expect(attempt(TestAccount.password) == .ok)
    for _ in 0..<SignInGuard.perLogin { #expect(attempt("not this one") == .unauthorized) }
    #expect(attempt("not this one") == .tooManyRequests)
    #expect(app.metrics["farol_sign_ins_total{outcome=\"succeeded\"}"] == 1)
    #expect(app.metrics["farol_sign_ins_total{outcome=\"throttled\"}"] == 1)
    let refused = app.metrics["farol_sign_ins_total{outcome=\"refused\"}"]
    #expect(refused == Double(SignInGuard.perLogin))
  }

  @Test func `tiles are counted as cached or generated`() throws {
    try app.device()
    for _ in 0..<3 { #expect(app.get("/api/tiles/devices/0/0/0.mvt").status == .ok) }
    #expect(app.metrics["farol_tile_cache_misses_total"] == 1)
    #expect(app.metrics["farol_tile_cache_hits_total"] == 2)
    #expect(try #require(app.metrics["farol_tile_cache_size_bytes"]) > 0)
  }

  @Test func `the figures of the map and of the moderation queue are correct`() throws {
    let device = try app.device()
    try app.device()
    let rui = try app.account("rui")
    app.flag("device", device.id, as: rui.identity)
    let page = app.metrics
    #expect(page["farol_point_index_devices"] == 2)
    #expect(page["farol_point_index_behind_changes"] == 0)
    #expect(page["farol_moderation_queue_items{kind=\"flag\"}"] == 1)
    #expect(page["farol_moderation_queue_items{kind=\"photo\"}"] == 0)
    #expect(page["farol_choices_overdue"] == 0)
  }

  @Test func `the oldest item of each kind in the moderation queue is separate`() throws {
    func age(_ kind: String) -> Double? {
      app.metrics["farol_moderation_queue_oldest_age_seconds{kind=\"\(kind)\"}"]
    }
    let device = try app.device()
    let rui = try app.account("rui")
    let photo = try app.photo(of: device, by: rui, state: "waiting")
    _ = try app.review("photo", of: device, by: rui, photo: photo)
    app.clock.advance(by: .seconds(7_200))
    app.flag("device", device.id, as: rui.identity)
    app.clock.advance(by: .seconds(60))
    #expect(app.metrics["farol_moderation_queue_items{kind=\"photo\"}"] == 1)
    #expect(age("photo") == 7_260)
    #expect(age("flag") == 60)
    #expect(age("report") == 0)
  }

  @Test func `a request to an operator is overdue from the day after its deadline`() throws {
    let ana = try app.account()
    let id = try app.choice(of: ana, about: try app.device().id)
    app.event(id, "sent", ["channel": "email"], as: ana)
    app.clock.set("2026-12-21T23:59:59Z")
    let lastDay = try app.database.read {
      try StoredFigures(at: app.clock.now, app.app.instance.part(), $0)
    }
    #expect(lastDay.overdueChoices == 0)
    app.clock.set("2026-12-22T00:00:00Z")
    #expect(app.metrics["farol_choices_overdue"] == 1)
  }

  @Test(.onlySQLite("backups copy files"))
  func `the time of the newest backup is reported, or nothing without one`() throws {
    func reported(_ backups: Backups?) -> [Double] {
      var safekeeping = app.app.safekeeping
      safekeeping.backups = backups
      return safekeeping.metrics.flatMap { $0.samples() }.compactMap { sample in
        guard case .number(let value) = sample.value else { return nil }
        return value
      }
    }
    let backup = Backup(
      database: app.database, media: app.media.path,
      snapshots: app.folder.appendingPathComponent("snapshots").path,
      environment: app.environment)
    let backups = Backups(
      backup: backup, folder: app.backups, rules: BackupRules(), environment: app.environment)
    #expect(reported(nil).isEmpty)
    #expect(reported(backups).isEmpty)
    try backups.run()
    let first = app.clock.now
    #expect(reported(backups) == [Double(first.secondsSinceEpoch)])
    app.clock.advance(by: .seconds(86_400))
    #expect(reported(backups) == [Double(first.secondsSinceEpoch)])
    try backups.run()
    #expect(reported(backups) == [Double(first.secondsSinceEpoch + 86_400)])
    try backups.folder.erase(backups.folder.entries())
    #expect(reported(backups).isEmpty)
  }

  @Test func `a logged error is counted`() throws {
    app.app.logger.error("a test")
    app.app.logger.warning("a test")
    #expect(app.metrics["farol_log_errors_total"] == 1)
  }

  @Test func `without a database the metrics report only its failure`() throws {
    #expect(app.metrics["farol_database_up"] == 1)
    let other = try TestApp(monitoring: Monitoring(access: .loopback))
    try other.database.close()
    #expect(other.metrics["farol_database_up"] == 0)
    #expect(other.metrics["farol_mail_waiting"] == nil)
    #expect(try #require(other.metrics["process_resident_memory_bytes"]) > 0)
  }
}
