import Foundation
@testable import Mail
import Spawning
import TestMailServer
import Testing

/// A confined process parses mails from untrusted senders.
@Suite struct ReportProcessTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("report-process-\(UUID().uuidString)")

  private func program(_ script: String) throws -> ReportProcess {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = folder.appendingPathComponent("text")
    let path = folder.appendingPathComponent("program").path
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: text)
    // Another process writes it: see FormatProgramTests.
    let install = try Process.run(
      URL(fileURLWithPath: "/usr/bin/install"), arguments: ["-m", "700", text.path, path])
    install.waitUntilExit()
    return ReportProcess(program: path)
  }

  private let mail = Array(TestReport.text().utf8)

  @Test func `the process finds the same parts as the parser itself`() throws {
    for text in [
      TestReport.text(), TestReport.text().replacing("\n", with: "\r\n"),
      TestReport.text(status: "Action: delayed\nStatus: 4.2.2"),
    ] {
      let report = try #require(try ReportProcess().report(in: Array(text.utf8)))
      #expect(report == DeliveryReport(Array(text.utf8)))
    }
  }

  @Test(arguments: ["", "Subject: hello\n\nNo report.", "\0\u{FFFD}", "--\n--\n--"])
  func `another mail is no report`(text: String) throws {
    #expect(try ReportProcess().report(in: Array(text.utf8)) == nil)
  }

  @Test func `a large and deep mail has no effect`() throws {
    let deep = String(repeating: "Content-Type: multipart/mixed; boundary=a\n\n--a\n", count: 5_000)
    #expect(try ReportProcess().report(in: Array(deep.utf8)) == nil)
    #expect(try ReportProcess().report(in: [UInt8](repeating: 0x41, count: 256 << 10)) == nil)
  }

  @Test(arguments: ["kill -11 $$", "exec sleep 60", "while :; do :; done", "exec cat /dev/zero"])
  func `a parser that crashes or hangs is a mail without effect`(script: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = try program(script)
    let began = ContinuousClock.now
    #expect(try process.report(in: mail) == nil)
    #expect(ContinuousClock.now - began < ReportProcess.timeLimit + .seconds(3))
  }

  @Test(arguments: [
    "printf 'abc'", "printf '\\377\\377\\377\\377abc'", "printf '\\0\\0\\0'", "true",
  ])
  func `the output of a parser that was taken over is not trusted`(script: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try program(script).report(in: mail) == nil)
  }

  @Test func `parts are read as they were written, and nothing else`() throws {
    let parts = try #require(ReportParts(of: mail))
    let bytes = parts.encoded
    #expect(ReportParts(encoded: bytes) == parts)
    for count in [0, 1, 3, bytes.count - 1] {
      #expect(ReportParts(encoded: Array(bytes.prefix(count))) == nil, "\(count)")
    }
    let one: [UInt8] = [0, 0, 0, 1, 0x41]
    #expect(ReportParts(encoded: (0..<30).flatMap { _ in one }) == nil)
  }

  @Test func `without the program the mail stays for later`() throws {
    #expect(throws: ReportProcess.Failed.self) {
      try ReportProcess(program: "/nowhere/farol").report(in: mail)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let broken = try program("exit 1")
    #expect(throws: ReportProcess.Failed.self) { try broken.report(in: mail) }
  }

  @Test func `the process can open no file`() throws {
    // The command itself is confined before it reads a byte, so a missing filter is noticed by its rules in the kernel.
    let running = Process()
    running.executableURL = URL(fileURLWithPath: ChildProcess.besideThis("farol"))
    running.arguments = [ReportProcess.command]
    let (input, output) = (Pipe(), Pipe())
    (running.standardInput, running.standardOutput) = (input, output)
    try running.run()
    defer {
      try? input.fileHandleForWriting.close()
      running.waitUntilExit()
    }
    let status = "/proc/\(running.processIdentifier)/status"
    let end = ContinuousClock.now + .seconds(10)
    var text = ""
    while ContinuousClock.now < end, !text.contains("Seccomp:\t2") {
      text = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
      usleep(10_000)
    }
    #expect(text.contains("Seccomp:\t2") && text.contains("NoNewPrivs:\t1"))
  }
}
