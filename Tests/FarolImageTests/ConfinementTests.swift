import Foundation
import Testing

/// The kernel's view of the program while it decodes.
@Suite(.enabled(if: try ImageProgram.isThere())) struct ConfinementTests {
  @Test func `the decoding program can only compute, with limits on memory and time`() throws {
    // Large enough that the program is still decoding when it is inspected.
    let png = PNGFile(width: 6_000, height: 6_000)
    let file = try Scratch.file(
      png.file(packed: PNGFile.zeros((6_000 * 3 + 1) * 6_000)), named: "picture")
    defer { Scratch.remove(file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ImageProgram.path)
    process.environment = ["SECRET": "1"]
    process.standardInput = FileHandle(forReadingAtPath: file)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    func read(_ name: String) throws -> [Substring] {
      let path = "/proc/\(process.processIdentifier)/\(name)"
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }
    // Mode 2 is a filter (proc_pid_status(5)).
    while process.isRunning, try !read("status").contains("Seccomp:\t2") { usleep(1_000) }
    try #require(process.isRunning)
    #expect(try read("status").contains("NoNewPrivs:\t1"))
    let limits = try read("limits")
    func limit(_ name: String) -> [Substring] {
      let line = limits.first { $0.hasPrefix(name) } ?? ""
      return line.dropFirst(name.count).split(separator: " ").prefix(2).map { $0 }
    }
    #expect(limit("Max cpu time") == ["4", "4"])
    #expect(limit("Max file size") == ["0", "0"])
    #expect(limit("Max core file size") == ["0", "0"])
    #expect(limit("Max open files") == ["16", "16"])
    if ImageProgram.isSanitized { return }
    #expect(limit("Max data size") == ["167772160", "167772160"])
    #expect(limit("Max address space") == ["2147483648", "2147483648"])
  }
}
