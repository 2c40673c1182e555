internal import CGDAL
internal import Glibc

/// The file system of GDAL for results: `result.…` is standard output, and any other name is the scratch
/// file, which the server passes as the descriptor after the standard streams.
enum ResultFiles {
  static let prefix = "/vsiresult/"
  static let scratch: Int32 = 3

  /// An open file of GDAL.
  private final class Handle {
    let descriptor: Int32
    var place: Int64 = 0
    var isAtEnd = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }
  }

  static func install() {
    // GDAL keeps both pointers until the process ends.
    let prefix = strdup(Self.prefix)
    let system = UnsafeMutablePointer<file_system>.allocate(capacity: 1)
    system.initialize(
      to: file_system(
        size: { _ in -1 },
        open: { name, _ in
          guard let name else { return nil }
          let isResult = String(cString: name).contains("result.")
          // Released by `close`.
          return Unmanaged.passRetained(
            Handle(isResult ? STDOUT_FILENO : ResultFiles.scratch)
          ).toOpaque()
        },
        tell: { vsi_l_offset(max(ResultFiles.handle($0)?.place ?? 0, 0)) },
        seek: { ResultFiles.seek($0, Int64(clamping: $1), $2) },
        read: { ResultFiles.read($0, $1, $2, $3) },
        is_at_end: { ResultFiles.handle($0)?.isAtEnd == true ? 1 : 0 },
        close: { pointer in
          if let pointer { Unmanaged<Handle>.fromOpaque(pointer).release() }
          return 0
        }, write: { ResultFiles.write($0, $1, $2, $3) }))
    _ = install_file_system(prefix, system)
  }

  private static func handle(_ pointer: UnsafeMutableRawPointer?) -> Handle? {
    pointer.map { Unmanaged<Handle>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func seek(
    _ pointer: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
  ) -> Int32 {
    guard let file = handle(pointer) else { return -1 }
    let start: Int64 =
      switch whence {
      case SEEK_CUR: file.place
      case SEEK_END: Int64(lseek(file.descriptor, 0, SEEK_END))
      default: 0
      }
    let (place, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, place >= 0 else { return -1 }
    (file.place, file.isAtEnd) = (place, false)
    return 0
  }

  private static func read(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
    _ count: Int
  ) -> Int {
    transfer(pointer, buffer, size, count) { file, buffer, count in
      pread(file.descriptor, buffer, count, Int(file.place))
    }
  }

  private static func write(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeRawPointer?, _ size: Int, _ count: Int
  ) -> Int {
    transfer(pointer, UnsafeMutableRawPointer(mutating: buffer), size, count) {
      file, buffer, count in
      pwrite(file.descriptor, buffer, count, Int(file.place))
    }
  }

  private static func transfer(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
    _ count: Int, _ step: (Handle, UnsafeMutableRawPointer, Int) -> Int
  ) -> Int {
    let (bytes, overflows) = size.multipliedReportingOverflow(by: count)
    guard let file = handle(pointer), let buffer, size > 0, count > 0, !overflows else { return 0 }
    var done = 0
    while done < bytes {
      let more = step(file, buffer + done, bytes - done)
      if more < 0, errno == EINTR { continue }
      guard more > 0 else {
        file.isAtEnd = true
        break
      }
      done += more
      file.place += Int64(more)
    }
    return done / size
  }
}
