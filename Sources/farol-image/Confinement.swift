import CConfinement
import Glibc

/// The sandbox of this process. Attackers craft files to exploit decoders, so an exploited decoder
/// must not have access to anything.
enum Confinement {
  /// Called at the start, before any byte is read: no additional privileges, no environment, no
  /// files except the three standard streams, limited memory and time.
  static func begin() throws(Failure) {
    guard keep_rights_as_they_are() == 0, leave_no_core() == 0 else {
      throw Failure(sentence: "privileges cannot be dropped")
    }
    // Otherwise Swift's runtime would start a program to report a crash.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { signal(number, SIG_DFL) }
    _ = close_files_from(3)
    clearenv()
    umask(0o077)
    guard chdir("/") == 0 else { throw Failure(sentence: "there is no folder /") }
    try limit(RLIMIT_CORE, 0)
    try limit(RLIMIT_FSIZE, 0)
    try limit(RLIMIT_NOFILE, Limits.files)
    try limit(RLIMIT_CPU, Limits.seconds)
    // Ends the process if it hangs, as a decoder out of memory has done, and the server does not
    // kill it.
    alarm(2 * UInt32(Limits.seconds))
    try limitMemory()
  }

  /// Called before the first byte of a picture is decoded: allows only computation. On a machine
  /// without such a filter, the limits above must suffice.
  static func tighten() {
    _ = allow_only_computing()
  }

  private static func limitMemory() throws(Failure) {
    // A sanitizer reserves terabytes of address space.
    for sanitizer in ["__asan_init", "__tsan_init"] where dlsym(nil, sanitizer) != nil { return }
    try limit(RLIMIT_DATA, Limits.memory)
    try limit(RLIMIT_AS, Limits.addresses)
  }

  private static func limit(_ resource: __rlimit_resource, _ value: UInt) throws(Failure) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    guard setrlimit(Int32(resource.rawValue), &limit) == 0 else {
      throw Failure(sentence: "the limit \(resource.rawValue) cannot be set")
    }
  }
}
