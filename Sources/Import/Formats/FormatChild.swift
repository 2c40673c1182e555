internal import Glibc
internal import Spawning

/// One run of `farol-formats`. It must be ended with ``checkEnd()`` or ``kill()``.
final class FormatChild {
  private let process: pid_t
  /// Standard output; nil if the program writes into a file.
  private let output: Int32?
  private let errors: Int32
  private var complaint: [UInt8] = []
  private var status: Int32?

  private static let pieceSize = 128 << 10
  /// Bytes of standard error that are kept.
  private static let maxComplaintLength = 4_096

  /// Starts the program. `file` is the descriptor of its standard input. `result` is that of the file for its
  /// output, nil if the output is read, and `second` the descriptor after its standard streams.
  ///
  /// It throws ``ImportFailure`` if the program cannot be started.
  init(
    _ program: String, _ argument: String, file: Int32, result: Int32? = nil, second: Int32? = nil
  ) throws {
    let (errors, theirErrors) = try Self.pipe()
    var (output, theirOutput): (Int32?, Int32?)
    if result == nil {
      do { (output, theirOutput) = try Self.pipe() } catch {
        close(errors)
        close(theirErrors)
        throw error
      }
    }
    defer {
      close(theirErrors)
      if let theirOutput { close(theirOutput) }
    }
    do {
      process = try SpawnedProcess.start(
        program, [argument], input: file, output: result ?? theirOutput ?? STDOUT_FILENO,
        errors: theirErrors, scratch: second)
    } catch {
      close(errors)
      if let output { close(output) }
      throw error.code == ENOENT ? FormatRefusal.notInstalled : FormatRefusal.notStarted(error)
    }
    self.output = output
    self.errors = errors
  }

  deinit {
    kill()
    if let output { close(output) }
    close(errors)
  }

  /// Two connected sockets, because a pipe that no other program inherits needs a call that Swift lacks. A write to
  /// a closed socket need not raise a signal either.
  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw ImportFailure("no connection to the program for this format")
    }
    return (ends[0], ends[1])
  }

  /// Passes on standard output until it ends, or waits for the end of standard error.
  ///
  /// - Throws: ``ImportFailure`` if the program writes nothing for a while, ``ImportReader/OutOfTime`` after the
  ///   deadline, or errors of `body`.
  func forEachPiece(
    silence: Duration, until deadline: ContinuousClock.Instant? = nil,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.pieceSize)
    defer { buffer.deallocate() }
    var isComplaining = true
    while true {
      let left = deadline.map { ContinuousClock.now.duration(to: $0) } ?? silence
      guard left > .zero else { throw ImportReader.OutOfTime() }
      let wait = Int32(clamping: Int64(min(left, silence) / .milliseconds(1)) + 1)
      var watched = [
        pollfd(fd: output ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isComplaining ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&watched, 2, wait)
      if ready < 0, errno == EINTR { continue }
      if ready == 0, left <= silence, deadline != nil { continue }
      guard ready > 0 else { throw FormatRefusal.tooCostly }
      if watched[1].revents != 0 { isComplaining = takeComplaint(buffer) }
      guard let output else {
        if isComplaining { continue }
        return
      }
      guard watched[0].revents != 0 else { continue }
      let count = read(output, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      try body(UnsafeBufferPointer(rebasing: buffer.prefix(count)))
    }
  }

  /// - Returns: false at the end of standard error.
  private func takeComplaint(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    let count = read(errors, buffer.baseAddress, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    complaint += buffer.prefix(min(count, Self.maxComplaintLength - complaint.count))
    return true
  }

  /// The time that a program may take to end after its output has ended.
  private static let timeToEnd = Duration.seconds(5)

  /// Waits for the end of a program whose output has ended, and ends it if it does not end itself.
  ///
  /// - Throws: the refusal that the program stated.
  func checkEnd() throws {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.maxComplaintLength)
    defer { buffer.deallocate() }
    let deadline = ContinuousClock.now + Self.timeToEnd
    while true {
      let left = Int64(ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
      var watched = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
      let ready = poll(&watched, 1, Int32(clamping: max(left, 0)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, takeComplaint(buffer) else { break }
    }
    status = SpawnedProcess.status(of: process, until: deadline)
    guard let status else {
      kill()
      throw FormatRefusal.tooCostly
    }
    let signal = status & 0x7F  // as WTERMSIG has it
    let line = String(decoding: complaint.prefix { $0 != 0x0A }, as: UTF8.self)
    switch (signal, status >> 8 & 0xFF) {
    case (0, 0): return
    case (0, 2): throw FormatRefusal.failure(line)
    case (0, 127): throw FormatRefusal.notInstalled
    case (0, _): throw FormatRefusal.failed(line)
    default: throw FormatRefusal.tooCostly
    }
  }

  /// Ends the program, wherever it is.
  func kill() {
    guard status == nil else { return }
    SpawnedProcess.kill(process)
    wait()
  }

  private func wait() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { break }
    }
    self.status = status
  }
}
