internal import CGDAL
internal import Glibc

/// The GDAL file system that contains one file, standard input.
enum InputFiles {
  static let prefix = "/vsifarol/"

  static func install() {
    OpenFiles.install(
      prefix,
      size: { name in
        guard let name, InputFiles.isList(String(cString: name)) else { return -1 }
        return InputFile.size
      },
      open: { name, mode in
        guard let name, let mode, InputFiles.isList(String(cString: name)),
          !String(cString: mode).contains(where: { "wa+".contains($0) })
        else { return nil }
        return OpenFiles.opened(STDIN_FILENO)
      }, isWritable: false)
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
}
