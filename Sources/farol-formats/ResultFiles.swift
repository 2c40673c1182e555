internal import CGDAL
internal import Glibc

/// The GDAL file system for results: `result.…` is standard output, and any other name is the scratch file, which the
/// server passes as the descriptor after the standard streams.
enum ResultFiles {
  static let prefix = "/vsiresult/"
  static let scratch: Int32 = 3

  static func install() {
    OpenFiles.install(
      prefix, size: { _ in -1 },
      open: { name, _ in
        guard let name else { return nil }
        let isResult = String(cString: name).contains("result.")
        return OpenFiles.opened(isResult ? STDOUT_FILENO : ResultFiles.scratch)
      }, isWritable: true)
  }
}
