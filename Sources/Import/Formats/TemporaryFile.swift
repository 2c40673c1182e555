internal import Glibc

/// Temporary files.
enum TemporaryFile {
  /// Calls `body` with the descriptor of a file that contains all pieces, and its size. It has no name and
  /// disappears afterwards.
  static func with(
    pieces: (Int) throws -> [UInt8]?, _ body: (_ file: Int32, _ size: Int) throws -> Void
  ) throws {
    let file = try opened()
    defer { close(file) }
    var (number, size) = (0, 0)
    while let piece = try pieces(number) {
      try write(piece, to: file)
      number += 1
      size += piece.count
    }
    guard lseek(file, 0, SEEK_SET) == 0 else { throw failure }
    try body(file, size)
  }

  /// Creates a file with a name, which is removed if `body` throws.
  ///
  /// - Returns: its path.
  static func named(_ body: (_ file: Int32) throws -> Void) throws -> String {
    let (file, path) = try created()
    defer { close(file) }
    do { try body(file) } catch {
      unlink(path)
      throw error
    }
    return path
  }

  /// Opens a file without a name.
  static func opened() throws -> Int32 {
    let (file, path) = try created()
    unlink(path)
    return file
  }

  /// `/var/tmp` is on a disk; `/tmp` may be memory.
  private static func created() throws -> (file: Int32, path: String) {
    let folder = getenv("TMPDIR").map { String(cString: $0) }
    for folder in [folder, "/var/tmp", "/tmp"].compactMap(\.self) {
      // `mkstemp` replaces the six X by a name that does not exist.
      var path = Array("\(folder)/farol-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { continue }
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      return (file, name)
    }
    throw failure
  }

  private static func write(_ piece: [UInt8], to file: Int32) throws {
    var rest = piece[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      rest = rest.dropFirst(count)
    }
  }

  private static var failure: ImportFailure {
    ImportFailure("no room for a copy of the file: \(String(cString: strerror(errno)))")
  }
}
