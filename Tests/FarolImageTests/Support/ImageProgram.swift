import Foundation
import JSON
import TestClient

/// The built `farol-image` beside the tests, run as the server runs it, and measured.
enum ImageProgram {
  /// What a run left behind.
  struct Outcome {
    /// The exit status; negative when a signal ended it.
    let status: Int
    /// What it said on standard error, without the line's end.
    let complaint: String
    let outputBytes: Int
    /// Seconds on the clock and of the processor, and the most memory held, in MB.
    let seconds, processorSeconds, megabytes: Double

    /// Whether it took no more than a picture may take: four seconds of the processor, counted
    /// whole by the kernel. On a busy machine more pass on the clock, and the server ends it.
    var isWithinLimits: Bool { processorSeconds < 4.5 && megabytes < 200 }
    /// Refused with this reason, at little cost.
    func isRefused(_ reason: String) -> Bool {
      status == 2 && complaint == reason && outputBytes == 0 && isWithinLimits
    }
    /// What a server needs of a hostile file: pictures or nothing, within limits.
    var isHarmless: Bool { isWithinLimits && (status == 0) == (outputBytes > 0) }
  }

  /// The two pictures of an answer.
  struct Answer {
    let type: String
    let large, thumb: [UInt8]
    let size, thumbSize: [Int]
  }

  struct Unreadable: Error { let text: String }

  private static let program = NeededProgram.built("farol-image")
  static let path = program.path
  /// Both this program and libvips' own.
  static func isThere() throws -> Bool { try program.isThere() && Vips.program.isThere() }

  /// Whether a sanitizer is in it, which needs more addresses than there is memory, and several
  /// times the memory and the time: bounds then hold no more.
  static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }

  /// The memory of a child cannot be measured from a large process, whose size it inherits, so a
  /// small one lies between. It runs one file after the other; memory is the most until then.
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

  /// Runs and reads the answer; an error when there is none.
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
