import CMalloc

/// How the C library keeps memory for this process.
enum ProcessMemory {
  /// Gives large blocks back to the kernel as soon as they are freed, and keeps few pools.
  ///
  /// By default glibc raises its limit for such blocks to 32 MiB as they are freed, and makes up to
  /// eight pools a core; what an index merge leaves behind then stays resident. With half of the first
  /// limit and a quarter of the second, 1.6 MB less were held under mixed load and an answer of 134 kB
  /// took a tenth more processor time. To be called before any thread is started.
  static func keepLittle() {
    mallopt(M_MMAP_THRESHOLD, 512 << 10)
    mallopt(M_TRIM_THRESHOLD, 4 << 20)
    mallopt(M_ARENA_MAX, 2)
  }

  /// Gives free memory back to the kernel, also what lies between blocks in use: large answers leave
  /// some 10 MB there. Takes less than a millisecond as a rule, 6 at most under full load.
  static func giveBack() { malloc_trim(0) }
}
