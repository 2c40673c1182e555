internal import CGDAL
internal import Glibc

/// The open files of the two file systems that GDAL has here; this process can open no others.
enum OpenFiles {
  /// A file that GDAL has open.
  final class Handle {
    let descriptor: Int32
    var place: Int64 = 0
    var isAtEnd = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var isInput: Bool { descriptor == STDIN_FILENO }
  }

  /// The parameters of `install_file_system` that differ are the file names, and whether files can be written.
  static func install(
    _ prefix: String, size: @escaping @convention(c) (UnsafePointer<CChar>?) -> Int64,
    open:
      @escaping @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) ->
      UnsafeMutableRawPointer?,
    isWritable: Bool
  ) {
    // GDAL keeps both pointers until the process ends.
    let prefix = strdup(prefix)
    let system = UnsafeMutablePointer<file_system>.allocate(capacity: 1)
    system.initialize(
      to: file_system(
        size: size, open: open,
        tell: { vsi_l_offset(max(OpenFiles.handle($0)?.place ?? 0, 0)) },
        seek: { OpenFiles.seek($0, Int64(clamping: $1), $2) },
        read: { OpenFiles.read($0, $1, $2, $3) },
        is_at_end: { OpenFiles.handle($0)?.isAtEnd == true ? 1 : 0 },
        close: { pointer in
          if let pointer { Unmanaged<Handle>.fromOpaque(pointer).release() }
          return 0
        }, write: isWritable ? { OpenFiles.write($0, $1, $2, $3) } : nil))
    _ = install_file_system(prefix, system)
  }

  /// A new handle; released when GDAL closes it.
  static func opened(_ descriptor: Int32) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Handle(descriptor)).toOpaque()
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
      case SEEK_END: file.isInput ? InputFile.size : Int64(lseek(file.descriptor, 0, SEEK_END))
      default: 0
      }
    let (place, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, place >= 0 else { return -1 }
    (file.place, file.isAtEnd) = (place, false)
    return 0
  }

  /// Moves the offset of standard input, which the server shares and reads as the progress.
  private static func read(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
    _ count: Int
  ) -> Int {
    transfer(pointer, buffer, size, count) { file, buffer, count in
      guard file.isInput else { return pread(file.descriptor, buffer, count, Int(file.place)) }
      guard lseek(STDIN_FILENO, Int(file.place), SEEK_SET) >= 0 else { return 0 }
      return Glibc.read(STDIN_FILENO, buffer, count)
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
