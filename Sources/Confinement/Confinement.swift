internal import CConfinement
internal import Glibc

/// The sandbox of a process that reads untrusted files. Attackers craft files to exploit decoders, so an exploited
/// decoder must not have access to anything.
package struct Confinement: Sendable {
  /// The system denies a restriction.
  package struct Failure: Error {
    package let sentence: String
  }

  /// Seconds of processor time.
  package var seconds: UInt
  /// Writable memory in bytes.
  package var memory: UInt
  /// Address space in bytes, used or not.
  package var addresses: UInt
  /// Maximum number of open files.
  package var files: UInt
  /// Whether the process also ends after twice `seconds` of elapsed time. A process whose output is read
  /// slowly needs longer.
  package var isTimed: Bool
  /// Maximum size in bytes of a written file; 0 for a process that writes to pipes only.
  package var written: UInt
  /// The number of descriptors that stay open, the three standard streams included.
  package var keptFiles: UInt32

  package init(
    seconds: UInt, memory: UInt, addresses: UInt, files: UInt, isTimed: Bool, written: UInt = 0,
    keptFiles: UInt32 = 3
  ) {
    self.seconds = seconds
    self.memory = memory
    self.addresses = addresses
    self.files = files
    self.isTimed = isTimed
    self.written = written
    self.keptFiles = keptFiles
  }

  /// Called at the start, before any byte is read: no additional privileges, no environment, no
  /// files except those passed to it, limited memory and time.
  package func begin() throws(Failure) {
    guard keep_rights_as_they_are() == 0, leave_no_core() == 0 else {
      throw Failure(sentence: "privileges cannot be dropped")
    }
    // Otherwise Swift's runtime would start a program to report a crash.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { signal(number, SIG_DFL) }
    _ = close_files_from(keptFiles)
    clearenv()
    umask(0o077)
    guard chdir("/") == 0 else { throw Failure(sentence: "there is no folder /") }
    try limit(RLIMIT_CORE, 0)
    try limit(RLIMIT_FSIZE, written)
    try limit(RLIMIT_NOFILE, files)
    try limit(RLIMIT_CPU, seconds)
    // Ends the process if it hangs, as a decoder out of memory has done, and the server does not
    // kill it.
    if isTimed { alarm(2 * UInt32(clamping: seconds)) }
    try limitMemory()
  }

  /// Called before the first byte of a file is decoded: allows only computation. On a machine
  /// without such a filter, the limits above must suffice.
  ///
  /// - Parameter knowsOpenFiles: whether libraries may read the size of files that they opened before.
  package static func tighten(knowsOpenFiles: Bool = false) {
    _ = allow_only_computing(knowsOpenFiles ? 1 : 0)
  }

  private func limitMemory() throws(Failure) {
    // A sanitizer reserves terabytes of address space.
    for sanitizer in ["__asan_init", "__tsan_init"] where dlsym(nil, sanitizer) != nil { return }
    try limit(RLIMIT_DATA, memory)
    try limit(RLIMIT_AS, addresses)
  }

  private func limit(_ resource: __rlimit_resource, _ value: UInt) throws(Failure) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    guard setrlimit(Int32(resource.rawValue), &limit) == 0 else {
      throw Failure(sentence: "the limit \(resource.rawValue) cannot be set")
    }
  }
}
