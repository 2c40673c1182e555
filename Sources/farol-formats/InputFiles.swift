internal import CGDAL
internal import Glibc

/// The file system of GDAL that contains one file, standard input. This process can open no other.
enum InputFiles {
  static let prefix = "/vsifarol/"

  /// An open file of GDAL.
  final class Handle {
    var place: Int64 = 0
    var isAtEnd = false
  }

  static func install() {
    // GDAL keeps both pointers until the process ends.
    let prefix = strdup(Self.prefix)
    let system = UnsafeMutablePointer<file_system>.allocate(capacity: 1)
    system.initialize(
      to: file_system(
        size: { name in
          guard let name, InputFiles.isList(String(cString: name)) else { return -1 }
          return InputFile.size
        },
        open: { name, mode in
          guard let name, let mode, InputFiles.isList(String(cString: name)),
            !String(cString: mode).contains(where: { "wa+".contains($0) })
          else { return nil }
          // Released by `close`.
          return Unmanaged.passRetained(Handle()).toOpaque()
        },
        tell: { vsi_l_offset(max(InputFiles.handle($0)?.place ?? 0, 0)) },
        seek: { InputFiles.seek($0, Int64(clamping: $1), $2) },
        read: { InputFiles.read($0, $1, $2, $3) },
        is_at_end: { InputFiles.handle($0)?.isAtEnd == true ? 1 : 0 },
        close: { pointer in
          if let pointer { Unmanaged<Handle>.fromOpaque(pointer).release() }
          return 0
        }, write: nil))
    _ = install_file_system(prefix, system)
  }

  /// `list` and an extension; GDAL passes the name without the prefix.
  private static func isList(_ name: String) -> Bool {
    let name = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    return [
      "list.gpkg", "list.fgb", "list.kml", "list.kmz", "list.gpx", "list.zip", "list.xlsx",
      "list.ods", "list.csv",
    ]
    .contains(name)
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
      case SEEK_END: InputFile.size
      default: 0
      }
    let (place, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, place >= 0 else { return -1 }
    file.place = place
    file.isAtEnd = false
    return 0
  }

  /// Moves the offset of the descriptor, which the server shares and reads as the progress.
  private static func read(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
    _ count: Int
  ) -> Int {
    let (bytes, overflows) = size.multipliedReportingOverflow(by: count)
    guard let file = handle(pointer), let buffer, size > 0, count > 0, !overflows,
      lseek(STDIN_FILENO, Int(file.place), SEEK_SET) >= 0
    else { return 0 }
    var read = 0
    while read < bytes {
      let more = Glibc.read(STDIN_FILENO, buffer + read, bytes - read)
      if more < 0, errno == EINTR { continue }
      guard more > 0 else {
        file.isAtEnd = true
        break
      }
      read += more
    }
    file.place += Int64(read)
    return read / size
  }
}
