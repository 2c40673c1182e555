internal import Glibc

/// Runs a program that reads bytes, writes bytes and ends. The program itself must close files that one
/// of our libraries left inheritable; `farol-image` does so first.
package enum ChildProcess {
  /// How the program ended.
  package enum Status: Equatable, Sendable {
    case exited(Int32)
    /// By a signal, its own or that of a resource limit.
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
    package let description: String
  }

  /// The path of a program next to the running one.
  package static func besideThis(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let this = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (this.lastIndex(of: "/").map { String(this[...$0]) } ?? "") + name
  }

  /// Runs a program with an empty environment until it ends or exceeds its time limit.
  ///
  /// `input` is its standard input. It is killed if it writes more than `limit` bytes.
  /// - Throws: ``NotStarted``.
  package static func run(
    _ program: String, _ arguments: [String], input: [UInt8], limit: Int, within time: Duration
  ) throws(NotStarted) -> Ending {
    // Sockets instead of pipes: writing to a closed socket need not raise SIGPIPE.
    let (data, theirData) = try socketPair()
    let (errors, theirErrors) = try socketPairOrClose(data, theirData)
    defer { for descriptor in [data, errors] { close(descriptor) } }
    let started = Result { () throws(NotStarted) in
      do {
        return try SpawnedProcess.start(
          program, arguments, input: theirData, output: theirData, errors: theirErrors)
      } catch { throw NotStarted(description: "\(error)") }
    }
    for descriptor in [theirData, theirErrors] { close(descriptor) }
    let child = try started.get()
    var talk = Talk(
      data: data, errors: errors, input: input, limit: limit, deadline: .now.advanced(by: time))
    let isInTime = talk.hold() && talk.waitForEnd(of: child)
    if !isInTime { SpawnedProcess.kill(child) }
    var status: Int32 = 0
    if isInTime, let known = talk.status {
      status = known
    } else {
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }
    let signal = status & 0x7F  // as WTERMSIG has it
    return Ending(
      status: !isInTime
        ? .tooLong : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal),
      output: talk.output,
      complaint: String(decoding: talk.complaint.prefix { $0 != 0x0A }, as: UTF8.self))
  }

  private static func socketPair() throws(NotStarted) -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    guard
      socketpair(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0
    else { throw NotStarted(description: "sockets could not be created (\(errno))") }
    return (pair[0], pair[1])
  }

  private static func socketPairOrClose(
    _ first: Int32, _ second: Int32
  ) throws(NotStarted) -> (Int32, Int32) {
    do { return try socketPair() } catch {
      close(first)
      close(second)
      throw error
    }
  }
}

/// The exchange with a program: sends its input and collects its output, until it closes both or time is
/// up.
private struct Talk {
  let data, errors: Int32
  let input: [UInt8]
  let limit: Int
  let deadline: ContinuousClock.Instant
  var sent = 0
  var output: [UInt8] = []
  var complaint: [UInt8] = []
  /// As returned by `waitpid`.
  var status: Int32?

  private var piece = [UInt8](repeating: 0, count: 128 << 10)
  private var isHeard = (data: false, errors: false)

  init(
    data: Int32, errors: Int32, input: [UInt8], limit: Int, deadline: ContinuousClock.Instant
  ) {
    self.data = data
    self.errors = errors
    self.input = input
    self.limit = limit
    self.deadline = deadline
    if input.isEmpty { shutdown(data, Int32(SHUT_WR)) }
  }

  /// Milliseconds left, rounded up.
  private var timeLeft: Int32 {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return 0 }
    return Int32(left / .milliseconds(1)) + 1
  }

  /// Sends all input and receives all output.
  ///
  /// - Returns: false if time ran out or the output exceeded the limit.
  mutating func hold() -> Bool {
    while !isHeard.data || !isHeard.errors {
      let left = timeLeft
      guard left > 0, output.count <= limit, complaint.count <= 65_536 else { return false }
      var watched = [
        pollfd(
          fd: isHeard.data ? -1 : data,
          events: Int16(POLLIN) | (sent < input.count ? Int16(POLLOUT) : 0), revents: 0),
        pollfd(fd: isHeard.errors ? -1 : errors, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&watched, 2, left) > 0 else { continue }
      if watched[0].revents & Int16(POLLOUT) != 0 { tell() }
      if watched[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        isHeard.data = Self.hear(data, &piece, &output)
      }
      if watched[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        isHeard.errors = Self.hear(errors, &piece, &complaint)
      }
    }
    return true
  }

  private mutating func tell() {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let count = input[sent...].withUnsafeBytes { send(data, $0.baseAddress, $0.count, flags) }
    if count > 0 {
      sent += count
    } else if errno != EAGAIN, errno != EINTR {
      // The program no longer reads; its error output says why.
      sent = input.count
    }
    if sent == input.count { shutdown(data, Int32(SHUT_WR)) }
  }

  /// - Returns: true at the end of the stream.
  private static func hear(
    _ descriptor: Int32, _ piece: inout [UInt8], _ heard: inout [UInt8]
  ) -> Bool {
    let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      heard += piece[..<count]
      return false
    }
    return count == 0 || (errno != EAGAIN && errno != EINTR)
  }

  /// - Returns: false if time ran out first.
  mutating func waitForEnd(of child: pid_t) -> Bool {
    status = SpawnedProcess.status(of: child, until: deadline)
    return status != nil
  }
}
