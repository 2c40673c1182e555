import Foundation
import JSON
import TestClient

/// The built `farol-image` next to the tests, run as the server runs it, and measured.
enum ImageProgram {
  /// The result of a run.
  struct Outcome {
    /// The exit status; negative when a signal ended it.
    let status: Int
    /// The text on standard error, without the newline at its end.
    let complaint: String
    let outputBytes: Int
    /// Elapsed seconds, processor seconds, and peak memory in MB.
    let seconds, processorSeconds, megabytes: Double

    /// Whether the run stayed within the limits for one picture: four seconds of processor time,
    /// which the kernel counts in whole seconds. On a busy machine more time elapses, and the
    /// server ends the program.
    var isWithinLimits: Bool { processorSeconds < 4.5 && megabytes < 200 }
    /// Refused with this reason, within the limits.
    func isRefused(_ reason: String) -> Bool {
      status == 2 && complaint == reason && outputBytes == 0 && isWithinLimits
    }
    /// The server's requirement for a hostile file: pictures or an error, within the limits.
    var isHarmless: Bool { isWithinLimits && (status == 0) == (outputBytes > 0) }
  }

  /// The two pictures of the output.
  struct Answer {
    let type: String
    let large, thumb: [UInt8]
    let size, thumbSize: [Int]
  }

  struct Unreadable: Error { let text: String }

  private static let program = NeededProgram.built("farol-image")
  static let path = program.path
  /// Whether both this program and the one of libvips are there.
  static func isThere() throws -> Bool { try program.isThere() && Vips.program.isThere() }

  /// Whether the program is built with a sanitizer. A sanitizer needs more address space than there
  /// is memory, and several times the memory and the time, so the limits do not apply.
  static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }

  /// The memory of a child cannot be measured from a large process, because the child inherits its
  /// size. So a small process starts it. That process runs one file after another; the memory is
  /// the peak so far.
  private static let measuring = """
    import json, resource, subprocess, sys, time
    count = int(sys.argv[1])
    for file in sys.argv[2:2 + count]:
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        child = subprocess.Popen(sys.argv[2 + count:], stdin=open(file, "rb"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={})
        try: output, errors = child.communicate(timeout=20)
        except subprocess.TimeoutExpired: child.kill(); output, errors = child.communicate()
        seconds, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        print(json.dumps({"status": child.returncode, "complaint": errors.decode().strip(),
            "output": len(output), "seconds": seconds, "megabytes": used.ru_maxrss / 1024,
            "processor": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime}))
    """

  static func run(_ bytes: [UInt8], _ arguments: String...) throws -> Outcome {
    guard let outcome = try run(all: [bytes], arguments).first else {
      throw Unreadable(text: "no outcome")
    }
    return outcome
  }

  /// Runs once for each file.
  static func run(all pictures: [[UInt8]], _ arguments: [String] = []) throws -> [Outcome] {
    let files = try pictures.map { try Scratch.file($0, named: "picture") }
    defer { files.forEach(Scratch.remove) }
    let output = try Command.run(
      "/usr/bin/python3", ["-c", measuring, "\(files.count)"] + files + [path] + arguments)
    return try output.split(separator: 0x0A).map { line in
      guard let said = try? JSONValue(parsing: Array(line)), let status = said["status"]?.intValue,
        let complaint = said["complaint"]?.stringValue, let bytes = said["output"]?.intValue,
        let seconds = said["seconds"]?.numberValue,
        let processor = said["processor"]?.numberValue,
        let megabytes = said["megabytes"]?.numberValue
      else { throw Unreadable(text: String(decoding: line, as: UTF8.self)) }
      return Outcome(
        status: status, complaint: complaint, outputBytes: bytes, seconds: seconds,
        processorSeconds: processor, megabytes: megabytes)
    }
  }

  /// Runs and parses the output; throws when there is no output.
  static func answer(_ bytes: [UInt8], _ arguments: [String] = []) throws -> Answer {
    let file = try Scratch.file(bytes, named: "picture")
    defer { Scratch.remove(file) }
    let output = try Command.run(path, arguments, input: file)
    guard output.count > 4 else { throw Unreadable(text: "no answer") }
    let length = output.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let head = try JSONValue(parsing: Array(output[4..<4 + length]))
    func numbers(_ name: String) -> [Int] {
      ["width", "height", "bytes"].compactMap { head[name]?[$0]?.intValue }
    }
    let (large, thumb) = (numbers("large"), numbers("thumb"))
    guard large.count == 3, thumb.count == 3,
      output.count == 4 + length + large[2] + thumb[2]
    else { throw Unreadable(text: "lengths that do not fit") }
    return Answer(
      type: head["type"]?.stringValue ?? "", large: Array(output[(4 + length)...].prefix(large[2])),
      thumb: Array(output.suffix(thumb[2])), size: Array(large.prefix(2)),
      thumbSize: Array(thumb.prefix(2)))
  }
}
