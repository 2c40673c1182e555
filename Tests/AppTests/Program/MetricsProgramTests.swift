import Foundation
import Testing

/// `/metrics` of the running program.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class MetricsProgramTests {
  private let program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private func value(_ name: String, _ answer: String) -> Double? {
    let line = answer.split { $0.isNewline }.first { $0.hasPrefix(name + " ") }
    return line?.split(separator: " ").last.flatMap { Double($0) }
  }

  @Test func `a server has no metrics by default`() throws {
    let server = try program.serve()
    #expect(server.get("/metrics").hasPrefix("HTTP/1.1 404 "))
    #expect(server.stop() == 0)
  }

  @Test func `with loopback it reports requests, jobs, disk and process`()
    throws
  {
    var program = program
    program.environment["FAROL_METRICS"] = "loopback"
    let server = try program.serve()
    for _ in 0..<3 { #expect(server.get("/readyz").hasPrefix("HTTP/1.1 200 ")) }
    #expect(server.request("POST", "/api/session", json: "{}").hasPrefix("HTTP/1.1 4"))
    let swept = "farol_job_runs_total{kind=\"erase photos\",outcome=\"succeeded\"}"
    // The server checks for jobs every second.
    let deadline = ContinuousClock.now + .seconds(10)
    var answer = server.get("/metrics")
    while value(swept, answer) != 1, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: 0.2)
      answer = server.get("/metrics")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(value(swept, answer) == 1, "\(answer)")
    let ready = "farol_http_requests_total{operation=\"getReadiness\",group=\"operation\","
    #expect(value(ready + "method=\"GET\",status=\"2xx\"}", answer) == 3)
    let free = try #require(value("farol_disk_free_bytes{place=\"database\"}", answer))
    #expect(try #require(value("farol_disk_size_bytes{place=\"media\"}", answer)) >= free)
    #expect(try #require(value("farol_database_size_bytes", answer)) > 100_000)
    #expect(try #require(value("process_open_fds", answer)) > 5)
    #expect(try #require(value("farol_database_write_duration_seconds_count", answer)) > 1)
    #expect(value("farol_log_lines_dropped_total", answer) == 0)
    #expect(server.stop() == 0)
  }

  @Test func `the error for an invalid token does not repeat it`() throws {
    var program = program
    program.environment["FAROL_METRICS"] = "segredo segredo segredo"
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(!outcome.errors.contains("segredo"))
  }
}
