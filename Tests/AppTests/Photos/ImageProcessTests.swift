import Foundation
import Glibc
import Logging
@testable import Pictures
@testable import Service
import Spawning
import Testing

/// The program that decodes pictures, from the server's side: no fault of it stops the server.
@Suite final class ImageProcessTests {
  private let folder: URL
  private let log = TestLog()

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A substitute for the program that decodes pictures.
  private func program(_ script: String) throws -> ImageProcess {
    let file = folder.appendingPathComponent("program")
    // Written by another program: a child of a parallel test may inherit open files, and the system
    // cannot run a file that is open for writing.
    let ending = try ChildProcess.run(
      "/bin/sh", ["-c", "cat > '\(file.path)'; chmod 700 '\(file.path)'"],
      input: Array("#!/bin/sh\n\(script)\n".utf8), limit: 0, within: .seconds(4))
    try #require(ending.status == .exited(0))
    let log = log
    return ImageProcess(program: file.path, logger: Logger(label: "test") { _ in log })
  }

  private let picture = [UInt8](repeating: 7, count: 3_000_000)

  @Test func `a program that does not end is ended after four seconds`() throws {
    let image = try program("exec /bin/sleep 60")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    let taken = ContinuousClock.now - started
    #expect(taken >= .seconds(4))
    #expect(taken < .seconds(6))
  }

  @Test func `a program that closes its output and does not end is ended too`() throws {
    let image = try program("exec 0<&- 1>&- 2>&-; exec /bin/sleep 60")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    #expect(ContinuousClock.now - started < .seconds(6))
  }

  @Test func `a program with endless output is ended`() throws {
    let image = try program("exec /bin/cat /dev/zero")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    #expect(ContinuousClock.now - started < .seconds(4))
    let complaining = try program("exec /bin/cat /dev/zero >&2")
    #expect(throws: PictureRefusal.tooCostly) { try complaining.draw(picture) }
  }

  @Test func `a crash counts as a fault of the picture`() throws {
    let image = try program("kill -SEGV $$")
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
  }

  @Test(arguments: PictureRefusal.allCases)
  func `a refusal by the program is reported with its reason`(refusal: PictureRefusal) throws {
    // It need not have read its input.
    let image = try program("echo \(refusal.rawValue) >&2; exit 2")
    #expect(throws: refusal) { try image.draw(picture) }
    #expect(log.lines.isEmpty)
  }

  @Test(arguments: [
    "exit 1", "exit 0", "echo unheard-of >&2; exit 2", "printf '\\377\\377\\377\\377{}'",
    "printf '\\000\\000\\000\\002{}'", "printf '\\000\\000\\000\\002[]abc'",
  ])
  func `an invalid output is a server error`(script: String) throws {
    let image = try program(script)
    #expect(throws: Refusal.self) { try image.draw(picture) }
    #expect(log.lines.count == 1)
  }

  @Test func `a missing program is a server error`() throws {
    let log = log
    let image = ImageProcess(
      program: "/nowhere/farol-image", logger: Logger(label: "test") { _ in log })
    #expect(throws: Refusal.self) { try image.draw(picture) }
    #expect(log.lines.count == 1)
  }

  @Test func `the program gets no environment`() throws {
    let ending = try ChildProcess.run(
      "/usr/bin/env", [], input: [], limit: 10_000, within: .seconds(4))
    #expect(ending.status == .exited(0))
    #expect(ending.output.isEmpty)
  }

  @Test func `all input is read and all output is received`() throws {
    let ending = try ChildProcess.run(
      "/bin/cat", [], input: picture, limit: 4_000_000, within: .seconds(4))
    #expect(ending.status == .exited(0))
    #expect(ending.output == picture)
  }

  @Test func `at most two programs run at once`() async throws {
    let image = try program(
      "echo x >> \(folder.path)/started; /bin/sleep 0.3; echo damaged >&2; exit 2")
    let started = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              #expect(throws: PictureRefusal.damaged) { try image.draw([1]) }
              done.resume()
            }
          }
        }
      }
    }
    #expect(ContinuousClock.now - started >= .milliseconds(900))
  }
}
