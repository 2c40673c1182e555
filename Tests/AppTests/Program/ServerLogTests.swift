import Foundation
import Testing

/// The log of a running server contains requests without the people behind them.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class ServerLogTests {
  private let program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  @Test func `a reader that pauses does not block the server, and misses no line`()
    throws
  {
    let server = try program.serve()
    // Twice the capacity of a pipe on Linux.
    let count = 1_500
    for _ in 0..<count { try #require(server.get("/healthz").hasPrefix("HTTP/1.1 200 ")) }
    #expect(server.get("/terms").hasPrefix("HTTP/1.1 200 "))
    let log = server.readLog(until: "route=/terms ")
    let lines = log.split(separator: "\n")
    #expect(lines.count { $0.contains(" route=/healthz status=200") } == count)
    #expect(lines.allSatisfy { $0.first == "2" })
    #expect(server.stop() == 0)
  }

  @Test(arguments: ["text", "json"])
  func `passwords, tokens, names and addresses are in no line of the log`(format: String) throws {
    var program = program
    program.environment["FAROL_LOG"] = format
    let server = try program.serve()
    let requests = [
      (
        "POST", "/api/accounts",
        #"{"username":"quemsou","email":"segredo@example.org","password":"segredo que fica","accept_terms":true}"#
      ),
      ("POST", "/api/accounts", #"{"username":"segredo","email":"segredo","password":"segredo"}"#),
      ("POST", "/api/session", #"{"login":"segredo@example.org","password":"segredo errado"}"#),
      ("POST", "/api/session", #"{"login":"quemsou","password":"segredo que fica"}"#),
      ("POST", "/api/accounts/recover", #"{"login":"segredo@example.org"}"#),
      ("POST", "/api/accounts/confirm", #"{"token":"segredo"}"#),
      ("POST", "/api/session", #"{"login":"segredo@example.org","password":"segredo "#),
    ]
    for (method, target, json) in requests {
      #expect(server.request(method, target, json: json).hasPrefix("HTTP/1.1 "), "\(target)")
    }
    for target in [
      "/api/people/quemsou", "/api/people/segredo%40example.org", "/api/account?token=segredo",
      "/confirm?token=segredo",
    ] { #expect(server.get(target).hasPrefix("HTTP/1.1 ")) }
    // Long enough for the jobs that mail, which run every second.
    Thread.sleep(forTimeInterval: 2.5)
    #expect(server.stop() == 0)
    let log = server.log
    #expect(log.contains("/api/accounts/recover"))
    #expect(log.contains("/api/people/{username}"))
    for secret in ["segredo", "quemsou", "example.org", "127.0.0.1"] {
      #expect(!log.contains(secret), "\(secret)")
    }
  }
}
