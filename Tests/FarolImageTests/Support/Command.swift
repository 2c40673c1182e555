import Foundation
import TestClient

/// Files that tests write, each in a folder of its own.
enum Scratch {
  static func file(_ bytes: [UInt8], named name: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-image-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Removes the file and its folder.
  static func remove(_ file: String) {
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: file).deletingLastPathComponent())
  }
}

/// Other programs.
enum Command {
  struct Failed: Error, CustomStringConvertible {
    let status: Int32
    let said: String
    var description: String { "\(status): \(said)" }
  }

  /// What it writes to standard output; an error when it ends with another status than 0.
  static func run(
    _ path: String, _ arguments: [String], input: String = "/dev/null"
  ) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8"]
    process.standardInput = FileHandle(forReadingAtPath: input)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw Failed(
        status: process.terminationStatus, said: String(decoding: said, as: UTF8.self))
    }
    return Array(bytes)
  }
}

/// libvips' own program, which makes pictures of every kind and reads ours back.
enum Vips {
  static let program = NeededProgram(path: "/usr/bin/vips", remedy: "run `make test-setup`")

  /// The picture in another kind. `kind` is the ending of a file name, which tells libvips what the
  /// bytes are; `wanted` the ending of what is wanted, with options: `jpg[Q=90]`.
  static func convert(
    _ bytes: [UInt8], _ kind: String, to wanted: String, operation: [String] = ["copy"]
  ) throws -> [UInt8] {
    let file = try Scratch.file(bytes, named: "from." + kind)
    defer { Scratch.remove(file) }
    let ending = wanted.prefix { $0 != "[" }
    let result = file.replacing("from." + kind, with: "to." + ending)
    _ = try Command.run(
      program.path,
      [operation[0], file, result + wanted.dropFirst(ending.count)] + operation.dropFirst())
    return Array(try Data(contentsOf: URL(fileURLWithPath: result)))
  }
}
