import Foundation
import TestClient

/// Files that tests write, each in a separate folder.
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

  /// The standard output of the program; throws when its exit status is not 0.
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

/// The program of libvips, which makes pictures of every kind and reads our output.
enum Vips {
  static let program = NeededProgram(path: "/usr/bin/vips", remedy: "run `make test-setup`")

  /// The picture in another format. `kind` is a file extension that names the format of the bytes to
  /// libvips. `wanted` is the extension of the requested format, with options: `jpg[Q=90]`.
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
