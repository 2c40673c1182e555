import Foundation
import TestClient

/// The built program next to the tests, run as on a command line.
struct FarolProgram {
  /// The result of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  private static let program = NeededProgram.built("farol")
  static let path = URL(fileURLWithPath: program.path)
  static func isThere() throws -> Bool { try program.isThere() }

  /// The options of a sanitizer in the tests, passed on to the one in the program.
  static let sanitizing = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  let folder: URL
  var environment: [String: String] = [:]

  var database: String { folder.appendingPathComponent("farol.db").path }

  private func process(_ arguments: [String]) -> (Process, output: Pipe, errors: Pipe) {
    let process = Process()
    process.executableURL = Self.path
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment.merging([
      "FAROL_DATABASE": database, "FAROL_HOME": Repository.root.path, "PATH": "/usr/bin:/bin",
    ]) { given, _ in given }.merging(Self.sanitizing) { given, _ in given }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    return (process, output, errors)
  }

  /// Runs to the end; `input` is the content of standard input.
  func run(_ arguments: String..., input: String? = nil) throws -> Outcome {
    let (process, output, errors) = process(arguments)
    let given = Pipe()
    process.standardInput = given
    try process.run()
    given.fileHandleForWriting.write(Data((input ?? "").utf8))
    try given.fileHandleForWriting.close()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }

  /// Starts a command without waiting for it; its output is discarded.
  func start(_ arguments: String...) throws -> Process {
    let (process, _, _) = process(arguments)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Starts the server on a free port of this machine and waits until it responds.
  func serve() throws -> RunningFarol {
    let (process, _, errors) = process(["serve", "--listen", "127.0.0.1:0"])
    try process.run()
    var text = ""
    while process.isRunning {
      let piece = errors.fileHandleForReading.availableData
      if piece.isEmpty { break }
      text += String(decoding: piece, as: UTF8.self)
      if let address = text.range(of: "://127.0.0.1:"), text.hasSuffix("\n"),
        let port = UInt16(text[address.upperBound...].prefix { $0.isNumber })
      {
        return RunningFarol(process: process, port: port, errors: errors, start: text)
      }
    }
    process.terminate()
    throw NotServing(said: text)
  }

  struct NotServing: Error { let said: String }
}

/// A server that a test has started and stops through its process.
final class RunningFarol {
  let process: Process
  let port: UInt16
  /// Its log until it was ready.
  let start: String
  private let errors: Pipe

  init(process: Process, port: UInt16, errors: Pipe, start: String = "") {
    self.process = process
    self.port = port
    self.errors = errors
    self.start = start
  }

  /// Sends SIGTERM and waits; the exit status.
  func stop() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Reads its log until it contains `text`; returns the whole log if that never happens, as when
  /// the server has ended.
  func readLog(until text: String) -> String {
    var read: [UInt8] = []
    while read.firstRange(of: Array(text.utf8)) == nil {
      let piece = errors.fileHandleForReading.availableData
      if piece.isEmpty { break }
      read += piece
    }
    return String(decoding: read, as: UTF8.self)
  }

  /// Its log since it became ready; may be called once, after ``stop()``.
  var log: String {
    String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// The whole response to a GET, header and body; empty without a response.
  func get(_ target: String) -> String { request("GET", target) }

  /// The whole response to a request with a JSON body, header and body; empty without a response.
  func request(_ method: String, _ target: String, json: String? = nil) -> String {
    guard let client = try? RawClient(port: port) else { return "" }
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    if let json {
      head += "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n"
    }
    client.send(head + "\r\n" + (json ?? ""))
    return String(decoding: client.readToEnd(), as: UTF8.self)
  }

  deinit { if process.isRunning { process.terminate() } }
}
