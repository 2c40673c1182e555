import Foundation
import Glibc
import Logging
import Testing

@testable import MapAPI

/// The program that reads pictures, from the server's side: whatever it does, the server goes on.
@Suite final class ImageProcessTests {
  private let folder: URL
  private let log = TestLog()

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A program that stands in for the one that reads pictures.
  private func program(_ script: String) throws -> ImageProcess {
    let file = folder.appendingPathComponent("program")
    // Written by another program: a child of a test beside this one may hold what is open here, and a file
    // that is open to be written is not run.
    let ending = try ChildProcess.run(
      "/bin/sh", ["-c", "cat > '\(file.path)'; chmod 700 '\(file.path)'"],
      input: Array("#!/bin/sh\n\(script)\n".utf8), limit: 0, within: .seconds(4))
    try #require(ending.status == .exited(0))
    let log = log
    return ImageProcess(program: file.path, logger: Logger(label: "test") { _ in log })
  }

  private let picture = [UInt8](repeating: 7, count: 3_000_000)

  @Test func `one that does not end is ended after four seconds`() throws {
    let image = try program("exec /bin/sleep 60")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    let taken = ContinuousClock.now - started
    #expect(taken >= .seconds(4))
    #expect(taken < .seconds(6))
  }

  @Test func `one that closes its mouth and does not end is ended too`() throws {
    let image = try program("exec 0<&- 1>&- 2>&-; exec /bin/sleep 60")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    #expect(ContinuousClock.now - started < .seconds(6))
  }

  @Test func `one that never stops talking is ended`() throws {
    let image = try program("exec /bin/cat /dev/zero")
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
    #expect(ContinuousClock.now - started < .seconds(4))
    let complaining = try program("exec /bin/cat /dev/zero >&2")
    #expect(throws: PictureRefusal.tooCostly) { try complaining.draw(picture) }
  }

  @Test func `one that breaks is the picture's doing`() throws {
    let image = try program("kill -SEGV $$")
    #expect(throws: PictureRefusal.tooCostly) { try image.draw(picture) }
  }

  @Test(arguments: PictureRefusal.allCases)
  func `what it refuses is refused for that reason`(refusal: PictureRefusal) throws {
    // It need not have read what it was sent.
    let image = try program("echo \(refusal.rawValue) >&2; exit 2")
    #expect(throws: refusal) { try image.draw(picture) }
    #expect(log.lines.isEmpty)
  }

  @Test(arguments: [
    "exit 1", "exit 0", "echo unheard-of >&2; exit 2", "printf '\\377\\377\\377\\377{}'",
    "printf '\\000\\000\\000\\002{}'", "printf '\\000\\000\\000\\002[]abc'",
  ])
  func `an answer that cannot be meant is a fault of ours`(script: String) throws {
    let image = try program(script)
    #expect(throws: Refusal.self) { try image.draw(picture) }
    #expect(log.lines.count == 1)
  }

  @Test func `one that is missing is a fault of ours`() throws {
    let log = log
    let image = ImageProcess(
      program: "/nowhere/farol-image", logger: Logger(label: "test") { _ in log })
    #expect(throws: Refusal.self) { try image.draw(picture) }
    #expect(log.lines.count == 1)
  }

  @Test func `it gets no environment`() throws {
    let ending = try ChildProcess.run(
      "/usr/bin/env", [], input: [], limit: 10_000, within: .seconds(4))
    #expect(ending.status == .exited(0))
    #expect(ending.output.isEmpty)
  }

  @Test func `all that is sent is read and all that is said is heard`() throws {
    let ending = try ChildProcess.run(
      "/bin/cat", [], input: picture, limit: 4_000_000, within: .seconds(4))
    #expect(ending.status == .exited(0))
    #expect(ending.output == picture)
  }

  @Test func `two work at once and no more`() async throws {
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
