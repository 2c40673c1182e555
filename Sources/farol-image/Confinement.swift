import CConfinement
import Glibc

/// What this process takes away from itself. Files are made to break decoders; a broken decoder
/// must find nothing here to use.
enum Confinement {
  /// At the start, before a byte is read: no more rights, no environment, no files but the three
  /// given, little memory and time.
  static func begin() throws(Failure) {
    guard keep_rights_as_they_are() == 0, leave_no_core() == 0 else {
      throw Failure(sentence: "rights cannot be given up")
    }
    // Swift's runtime would start a program to tell of a crash.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { signal(number, SIG_DFL) }
    _ = close_files_from(3)
    clearenv()
    umask(0o077)
    guard chdir("/") == 0 else { throw Failure(sentence: "there is no folder /") }
    try limit(RLIMIT_CORE, 0)
    try limit(RLIMIT_FSIZE, 0)
    try limit(RLIMIT_NOFILE, Limits.files)
    try limit(RLIMIT_CPU, Limits.seconds)
    // Nor may it wait for ever, as a decoder out of memory has been seen to, if nobody ends it.
    alarm(2 * UInt32(Limits.seconds))
    try limitMemory()
  }

  /// Before the first byte of a picture is decoded: only computing is left. Where the machine has
  /// no such filter, the limits above must do.
  static func tighten() {
    _ = allow_only_computing()
  }

  private static func limitMemory() throws(Failure) {
    // A sanitizer takes up terabytes of addresses for its notes.
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
