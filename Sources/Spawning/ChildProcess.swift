internal import Glibc

/// A program that runs as a child process, with its output and its end. It must be ended with ``end(until:output:)`` or
/// ``kill()``, also by the last reference.
///
///     let ending = try ChildProcess.run(program, [], input: picture, limit: 16 << 20, within: .seconds(4))
package final class ChildProcess {
  /// The way in which the program ended.
  package enum Status: Equatable, Sendable {
    case exited(Int32)
    /// By a signal, its own or a resource limit's.
    case killed(signal: Int32)
    /// It exceeded its time limit and was killed.
    case tooLong
  }

  package struct Ending: Sendable {
    package let status: Status
    package let output: [UInt8]
    /// The text on standard error, without the line end.
    package let complaint: String
  }

  /// The program could not be started.
  package struct NotStarted: Error, CustomStringConvertible {
    /// The error of the system.
    package let code: Int32
    package var description: String { String(cString: strerror(code)) }
  }

  /// The program did not write in time.
  package struct Overdue: Error {
    /// Whether its deadline has passed, not only the time between two pieces.
    package let isAtDeadline: Bool
  }

  private let process: pid_t
  /// Standard output; nil if the program writes into a file.
  private let output: Int32?
  private let errors: Int32
  /// The bytes for standard input that were not sent yet; nil once it is closed, or if a file is the input.
  private var input: ArraySlice<UInt8>?
  private var complaint: [UInt8] = []
  private var hasEnded = false

  private static let pieceSize = 128 << 10
  /// The maximum number of bytes of standard error to keep.
  private static let maxComplaintLength = 4_096

  /// The path of a program next to the running one.
  package static func besideThis(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let this = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (this.lastIndex(of: "/").map { String(this[...$0]) } ?? "") + name
  }

  /// Runs a program until it ends or exceeds its time limit.
  ///
  /// `input` is its standard input. It is killed if it writes more than `limit` bytes.
  /// - Throws: ``NotStarted``.
  package static func run(
    _ program: String, _ arguments: [String], input: [UInt8], limit: Int, within time: Duration
  ) throws(NotStarted) -> Ending {
    let deadline = ContinuousClock.now.advanced(by: time)
    let child = try ChildProcess(program, arguments, input: input)
    var output: [UInt8] = []
    do {
      try child.forEachPiece(until: deadline) { piece in
        output += piece
        if output.count > limit { throw Overdue(isAtDeadline: true) }
      }
    } catch {
      child.kill()
      return child.ending(.tooLong, output)
    }
    return child.end(until: deadline, output: output)
  }

  /// Starts a program.
  ///
  /// `file` is the descriptor of its standard input; without it, the program reads `input`, and its output is read.
  /// `result` is the descriptor of the file for its output; nil if the output is read. `second` is the descriptor after
  /// its standard streams.
  /// - Throws: ``NotStarted``.
  package init(
    _ program: String, _ arguments: [String], file: Int32? = nil, input: [UInt8] = [],
    result: Int32? = nil, second: Int32? = nil
  ) throws(NotStarted) {
    let (errors, theirErrors) = try Self.sockets()
    var (output, theirOutput): (Int32?, Int32?)
    do throws(NotStarted) {
      if result == nil { (output, theirOutput) = try Self.sockets() }
      process = try Self.start(
        program, arguments, input: file ?? theirOutput ?? STDIN_FILENO,
        output: result ?? theirOutput ?? STDOUT_FILENO, errors: theirErrors, second: second)
    } catch {
      for descriptor in [errors, theirErrors, output, theirOutput] {
        if let descriptor { close(descriptor) }
      }
      throw error
    }
    close(theirErrors)
    if let theirOutput { close(theirOutput) }
    (self.output, self.errors) = (output, errors)
    self.input = file == nil ? input[...] : nil
    send()
  }

  deinit {
    kill()
    if let output { close(output) }
    close(errors)
  }

  /// Two connected sockets, because a pipe that no other program inherits needs a call that Swift lacks. A write to
  /// a closed socket need not raise a signal either.
  package static func sockets() throws(NotStarted) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw NotStarted(code: errno) }
    return (ends[0], ends[1])
  }

  /// Sends the input, and passes on standard output until it ends, or waits for the end of standard error.
  ///
  /// - Throws: ``Overdue`` if the program writes nothing for as long as `silence`, or after the deadline, or errors of
  ///   `body`.
  package func forEachPiece(
    silence: Duration = .seconds(3_600), until deadline: ContinuousClock.Instant? = nil,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.pieceSize)
    defer { buffer.deallocate() }
    var isComplaining = true
    while true {
      let left = deadline.map { ContinuousClock.now.duration(to: $0) } ?? silence
      guard left > .zero else { throw Overdue(isAtDeadline: true) }
      let wait = Int32(clamping: Int64(min(left, silence) / .milliseconds(1)) + 1)
      let wanted = Int16(POLLIN) | (input == nil ? 0 : Int16(POLLOUT))
      var watched = [
        pollfd(fd: output ?? -1, events: wanted, revents: 0),
        pollfd(fd: isComplaining ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&watched, 2, wait)
      if ready < 0, errno == EINTR { continue }
      if ready == 0, left <= silence, deadline != nil { continue }
      guard ready > 0 else { throw Overdue(isAtDeadline: false) }
      if watched[1].revents != 0 { isComplaining = takeComplaint(buffer) }
      guard let output else {
        if isComplaining { continue }
        return
      }
      if watched[0].revents & Int16(POLLOUT) != 0 { send() }
      guard watched[0].revents & ~Int16(POLLOUT) != 0 else { continue }
      let count = read(output, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      try body(UnsafeBufferPointer(rebasing: buffer.prefix(count)))
    }
  }

  /// Sends as much of the input as the socket takes. The program may stop reading; its error output explains why.
  private func send() {
    guard let output, let rest = input else { return }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let count = rest.withUnsafeBytes { Glibc.send(output, $0.baseAddress, $0.count, flags) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    input = count < 0 ? [] : rest.dropFirst(count)
    guard input?.isEmpty == true else { return }
    shutdown(output, Int32(SHUT_WR))
    input = nil
  }

  /// - Returns: false at the end of standard error.
  private func takeComplaint(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    let count = read(errors, buffer.baseAddress, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    complaint += buffer.prefix(min(count, Self.maxComplaintLength - complaint.count))
    return true
  }

  /// Waits for the end of a program whose output has ended, and kills it if it does not end itself.
  package func end(
    until deadline: ContinuousClock.Instant, output: [UInt8] = []
  ) -> Ending {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.maxComplaintLength)
    defer { buffer.deallocate() }
    while true {
      let left = Int64(ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
      var watched = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
      let ready = poll(&watched, 1, Int32(clamping: max(left, 0)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, takeComplaint(buffer) else { break }
    }
    let status = status(until: deadline)
    if status == nil { kill() }
    return ending(status ?? .tooLong, output)
  }

  private func ending(_ status: Status, _ output: [UInt8]) -> Ending {
    Ending(
      status: status, output: output,
      complaint: String(decoding: complaint.prefix { $0 != 0x0A }, as: UTF8.self))
  }

  /// Nil if it still runs.
  private func status(until deadline: ContinuousClock.Instant) -> Status? {
    var status: Int32 = 0
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { break }
      guard ended == 0 || errno == EINTR, ContinuousClock.now < deadline else { return nil }
      usleep(500)
    }
    hasEnded = true
    let signal = status & 0x7F  // as WTERMSIG has it
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Kills the program, wherever it is, with every process that it started itself. It has not been waited for yet, so
  /// no other process has its id.
  package func kill() {
    guard !hasEnded else { return }
    _ = Glibc.kill(-process, SIGKILL)
    _ = Glibc.kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
  }
}

extension ChildProcess {
  /// Starts a program with an empty environment, in its own process group, and with no signal blocked or ignored. The
  /// program itself must close files that one of our libraries left inheritable; `farol-image` does so first.
  ///
  /// The three descriptors become its standard streams, and `second` the descriptor after them; the caller closes its
  /// own copies.
  /// - Returns: its process id.
  private static func start(
    _ program: String, _ arguments: [String], input: Int32, output: Int32, errors: Int32,
    second: Int32?
  ) throws(NotStarted) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    if let second { posix_spawn_file_actions_adddup2(&actions, second, STDERR_FILENO + 1) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var child: pid_t = 0
    let fault = posix_spawn(&child, program, &actions, &attributes, &words, &environment)
    guard fault == 0 else { throw NotStarted(code: fault) }
    return child
  }
}
