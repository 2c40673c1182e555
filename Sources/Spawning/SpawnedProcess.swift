internal import Glibc

/// A program that runs as a child process.
package enum SpawnedProcess {
  /// The program could not be started.
  package struct NotStarted: Error, CustomStringConvertible {
    /// The error of the system.
    package let code: Int32
    package var description: String { String(cString: strerror(code)) }
  }

  /// Starts a program with an empty environment, in a process group of its own, and with no signal blocked or
  /// ignored. The program itself must close files that one of our libraries left inheritable. The caller ends it
  /// with ``kill(_:)`` when its time is over.
  ///
  /// The three descriptors become its standard streams, and `scratch` the descriptor after them; the caller
  /// closes its own copies.
  /// - Returns: its process id.
  package static func start(
    _ program: String, _ arguments: [String], input: Int32, output: Int32, errors: Int32,
    scratch: Int32? = nil
  ) throws(NotStarted) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    if let scratch { posix_spawn_file_actions_adddup2(&actions, scratch, STDERR_FILENO + 1) }
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

  /// Kills a program that ``start(_:_:input:output:errors:scratch:)`` started, with every process that it started
  /// itself. The caller has not waited for its end yet, so no other process has its id.
  package static func kill(_ process: Int32) {
    _ = Glibc.kill(-process, SIGKILL)
    _ = Glibc.kill(process, SIGKILL)
  }

  /// Waits for the end of a program until a moment.
  ///
  /// - Returns: its status as `waitpid` states it; nil if it still runs.
  package static func status(
    of process: Int32, until deadline: ContinuousClock.Instant
  ) -> Int32? {
    var status: Int32 = 0
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return status }
      guard ended == 0 || errno == EINTR, ContinuousClock.now < deadline else { return nil }
      usleep(500)
    }
  }
}
