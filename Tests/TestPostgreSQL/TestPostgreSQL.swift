internal import Foundation
internal import Glibc
internal import Locking

/// A real PostgreSQL with PostGIS for tests: on a Unix socket in a temporary folder, as a child process that removes it
/// when the test program ends.
package final class TestPostgreSQL: Sendable {
  /// The server did not start, or a command failed. Its standard error contains the reason.
  package struct Failure: Error {
    package init() {}
  }

  /// The folder of the socket.
  package let folder: String
  private let pipes: Locked<Pipes>

  /// Used by one caller at a time.
  private struct Pipes: @unchecked Sendable {
    let process: Process
    let input: FileHandle
    let output: FileHandle
    var unread: [UInt8] = []
  }

  /// The server that all tests of the process share, except those that stop it.
  package static let shared = Result { try TestPostgreSQL() }

  /// Starts a separate server.
  package init() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("cluster.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-B", script.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var pipes = Pipes(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading)
    folder = try Self.line(&pipes)
    self.pipes = Locked(pipes)
  }

  deinit {
    pipes.withLock { pipes in
      try? pipes.input.close()
      pipes.process.waitUntilExit()
    }
  }

  /// The address of a new database with PostGIS.
  package func newDatabase() throws -> String { url(try newDatabaseName()) }

  /// The name of a new database with PostGIS.
  package func newDatabaseName() throws -> String { try command("database") }

  /// Copies a database without connections, and returns the name of the copy.
  package func copy(of database: String) throws -> String { try command("copy \(database)") }

  /// Removes a database and ends its connections.
  package func drop(_ database: String) throws { _ = try command("drop \(database)") }

  /// The address of a database. `postgres` exists and has no PostGIS.
  package func url(_ database: String, user: String = "farol") -> String {
    "postgresql:///\(database)?host=\(folder)&user=\(user)"
  }

  /// Stops the server in order, or as a power cut does.
  package func stop(crashing: Bool = false) throws { _ = try command(crashing ? "crash" : "stop") }

  /// Starts it again.
  package func start() throws { _ = try command("start") }

  /// Starts it again as a standby, which can only be read.
  package func demote() throws { _ = try command("demote") }

  /// Makes the standby a primary. Connections continue.
  package func promote() throws { _ = try command("promote") }

  /// Starts a streaming standby of the server, at ``standbyURL(_:)``.
  package func startStandby() throws { _ = try command("standby") }

  /// Makes it a primary of a new timeline, in addition to the first server, or stops it.
  package func promoteStandby() throws { _ = try command("promote-standby") }
  package func stopStandby() throws { _ = try command("stop-standby") }

  /// Lets the standby receive changes without applying them, or apply them again.
  package func pauseStandby() throws { _ = try command("pause") }
  package func resumeStandby() throws { _ = try command("resume") }

  /// The address of a database on the standby.
  package func standbyURL(_ database: String) -> String { url(database) + "&port=5433" }

  private func command(_ line: String) throws -> String {
    try pipes.withLock { pipes in
      try pipes.input.write(contentsOf: Data("\(line)\n".utf8))
      return try Self.line(&pipes)
    }
  }

  private static func line(_ pipes: inout Pipes) throws -> String {
    let descriptor = pipes.output.fileDescriptor
    let end = ContinuousClock.now + .seconds(120)
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      if let newline = pipes.unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pipes.unread.removeSubrange(...newline) }
        return String(decoding: pipes.unread[..<newline], as: UTF8.self)
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard ContinuousClock.now < end else { throw Failure() }
      guard poll(&waiting, 1, 100) > 0 else { continue }
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { throw Failure() }
      pipes.unread += piece[..<count]
    }
  }
}
