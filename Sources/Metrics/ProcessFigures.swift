internal import Glibc

/// The system's figures about this process, from `/proc` (proc(5)).
package struct ProcessFigures: Sendable {
  /// The processor time of all threads, in user and kernel mode, in seconds.
  package let processorTime: Double
  /// Resident memory in bytes.
  package let residentBytes: Double
  /// Address space in bytes.
  package let virtualBytes: Double
  package let threads: Double
  /// Seconds since 1970.
  package let startedAt: Double

  /// - Returns: nil if the system does not provide the figures.
  package init?() {
    guard let text = Self.text(of: "/proc/self/stat"),
      // The program name is in parentheses and may contain any character.
      let end = text.lastIndex(of: ")")
    else { return nil }
    // The first of these is field 3.
    let fields = text[end...].dropFirst(2).split(separator: " ").map { Double($0) ?? 0 }
    guard fields.count > 21, let booted = Self.bootTime else { return nil }
    let ticks = max(1, Double(sysconf(Int32(_SC_CLK_TCK))))
    processorTime = (fields[11] + fields[12]) / ticks
    threads = fields[17]
    startedAt = booted + fields[19] / ticks
    virtualBytes = fields[20]
    residentBytes = fields[21] * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// File descriptors in use; nil if they cannot be counted, for example when no descriptor is free.
  package static var openDescriptors: Double? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without `.`, `..` and the descriptor used for reading.
    return Double(max(0, count - 3))
  }

  /// The maximum number of file descriptors for this process.
  package static var maxDescriptors: Double? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Double(limit.rlim_cur)
  }

  /// Start time of the machine, in seconds since 1970.
  private static let bootTime: Double? = {
    guard let text = text(of: "/proc/stat"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
    else { return nil }
    return Double(line.dropFirst(6))
  }()

  private static func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece.prefix(count)
    }
  }
}

extension MetricFamily {
  /// The figures of this process, under the standard names of Prometheus clients.
  package static var ofProcess: [MetricFamily] {
    func gauge(
      _ name: String, _ help: String, _ value: @escaping @Sendable (ProcessFigures) -> Double
    ) -> MetricFamily { .gauge(name, help) { ProcessFigures().map(value) } }
    return [
      MetricFamily(
        .counter, "process_cpu_seconds_total", "Processor time of the program, user and system."
      ) { ProcessFigures().map { [MetricSample($0.processorTime)] } ?? [] },
      gauge("process_resident_memory_bytes", "Resident memory of the program.") {
        $0.residentBytes
      },
      gauge("process_virtual_memory_bytes", "Address space of the program.") { $0.virtualBytes },
      gauge("process_threads", "Threads of the program.") { $0.threads },
      gauge("process_start_time_seconds", "Start time of the program, as Unix time.") {
        $0.startedAt
      },
      .gauge("process_open_fds", "File descriptors in use.") { ProcessFigures.openDescriptors },
      .gauge("process_max_fds", "Maximum number of open file descriptors.") {
        ProcessFigures.maxDescriptors
      },
    ]
  }
}
