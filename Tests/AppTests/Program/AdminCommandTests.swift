import Foundation
import SpatialDatabase
import Testing

@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class AdminCommandTests {
  private let program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private static let password = "uma palavra-passe bem comprida"

  private func create(_ username: String, password: String = password) throws
    -> FarolProgram.Outcome
  {
    try program.run(
      "admin", "create", "--username", username, "--email", "\(username)@example.org",
      "--password-stdin", input: password + "\n")
  }

  private func accounts() throws -> [String] {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Database(path: program.database, configuration: configuration)
    defer { try? database.close() }
    return try database.read { connection in
      try connection.rows("SELECT username, role FROM account ORDER BY rowid") {
        "\($0.text(0)) \($0.text(1))"
      }
    }
  }

  @Test func `the first admin is created without a server, and the secret shown once`() throws {
    let made = try create("boss")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("otpauth://totp/Farol:boss?secret="))
    #expect(!made.output.contains(Self.password))
    #expect(try accounts() == ["boss admin"])
    let again = try create("BOSS")
    #expect(again.status == 1)
    #expect(again.errors.split(separator: "\n").count == 1, "\(again.errors)")
    #expect(!again.errors.contains("example.org"))
  }

  @Test func `a running server executes the command, and does not log its values`() throws {
    let server = try program.serve()
    #expect(try create("boss").status == 0)
    #expect(try create("eva").status == 0)
    let demoted = try program.run(
      "admin", "promote", "--username", "eva", "--role", "moderator")
    #expect(demoted.status == 0, "\(demoted.errors)")
    let reset = try program.run(
      "admin", "reset-password", "--username", "eva", "--second-factor", "--password-stdin",
      input: "uma bem diferente\n")
    #expect(reset.output.contains("otpauth://totp/"))
    #expect(try program.run("admin", "promote", "--username", "rui", "--role", "admin").status == 1)
    #expect(server.stop() == 0)
    #expect(try accounts() == ["boss admin", "eva moderator"])
    let log = server.log
    #expect(log.contains("stopped"))
    for secret in [Self.password, "uma bem diferente", "example.org", "otpauth"] {
      #expect(!log.contains(secret))
    }
  }

  @Test func `a password from a terminal or standard input must satisfy the rules`() throws {
    let silent = try program.run(
      "admin", "create", "--username", "boss", "--email", "boss@example.org")
    #expect(silent.status == 1)
    #expect(silent.errors.contains("--password-stdin"))
    #expect(try create("boss", password: "password").status == 1)
    #expect(try create("boss", password: "").status == 1)
    let named = try program.run(
      "admin", "create", "--username", "boss", "--email", "boss@example.org", "--password", "x")
    #expect(named.status == 2)
  }

  @Test func `an unknown role is a usage error`() throws {
    let outcome = try program.run("admin", "promote", "--username", "boss", "--role", "king")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("moderator"))
    #expect(try program.run("admin").status != 1)
  }
}
