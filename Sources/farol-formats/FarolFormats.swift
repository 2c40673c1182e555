internal import Confinement
internal import Glibc

/// Reads one file in a format that needs a library, and writes its rows in a format that the server reads
/// itself. It runs once per file as a child process of the server, so that an exploit of a library is
/// contained.
///
///     farol-formats '{"name": "list.gpkg", "seconds": 60}' < list.gpkg
///
/// The file is standard input and must be seekable. The first line of standard output states the rows that
/// follow: `{"rows":"geojson"}`, `{"rows":"osm-json"}`, or `{"rows":"bytes","name":"list.csv"}` for an
/// unpacked file.
///
/// With `"to": "fgb"` or `"to": "xlsx"` it converts a GeoPackage or a CSV table of the server instead, and with `"to":
/// "parquet"` rows that the server sends. With `"without": "id"` it leaves rows out of a Parquet file of the server
/// (``FilteredParquetFile``).
///
/// With `"streets": {"ways": ["highway"], "nodes": […], "kept": […]}` it reads the ways of an OpenStreetMap extract for
/// a graph of streets (``StreetFile``).
///
/// Exits with 0 on success, with 2 when the file is refused (``Refusal`` on standard error), and with
/// another code on failure. docs/explanation/formats.md has the full description.
@main
enum FarolFormats {
  static func main() {
    do {
      // For names in archives. The C library contains this locale and needs no file for it.
      setlocale(LC_CTYPE, "C.UTF-8")
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try Limits.confinement(options).begin()
      if let target = options.target {
        try convert(to: target, options)
      } else if let column = options.filtered {
        Confinement.tighten()
        try FilteredParquetFile(column: column).write(to: Output())
      } else {
        try read(options)
      }
      exit(0)
    } catch let refusal as Refusal {
      end(refusal.line, status: 2)
    } catch let failure as Failure {
      end(failure.sentence, status: 1)
    } catch let failure as Confinement.Failure {
      end(failure.sentence, status: 1)
    } catch {
      end("unexpected", status: 1)
    }
  }

  private static func read(_ options: Options) throws {
    // The confined process may no longer query the size.
    guard lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0, InputFile.size >= 0 else {
      throw Failure(sentence: "standard input is not a file")
    }
    let output = Output()
    if let keys = options.streets {
      guard case .osmPBF = try? FileKind(head: InputFile.head(), name: options.name) else {
        throw Refusal(.notPBF)
      }
      Confinement.tighten()
      try StreetFile(keys).write(to: output)
      return try output.flush()
    }
    let kind = try FileKind(head: InputFile.head(), name: options.name)
    switch kind {
    case .osmPBF:
      Confinement.tighten()
      try output.write(line: #"{"rows":"osm-json"}"#)
      try OSMFile(options).write(to: output)
    case .parquet:
      // For geometries and coordinate systems.
      GDAL.start()
      Confinement.tighten(knowsOpenFiles: true)
      let file = try ParquetFile()
      try output.write(line: #"{"rows":"geojson"}"#)
      try file.write(to: output)
    case .compressed:
      Confinement.tighten()
      try Unpacking(name: options.name, isZip: false).write(to: output)
    case .zip:
      // Which library reads an archive depends on its content, and GDAL needs files to start.
      GDAL.start()
      Confinement.tighten(knowsOpenFiles: true)
      try ZipFile(options).write(to: output)
    case .table(let format):
      GDAL.start()
      Confinement.tighten(knowsOpenFiles: true)
      try TableFile(format, path: format.path, options).write(to: output)
    }
    try output.flush()
  }

  private static func convert(to target: Conversion.Target, _ options: Options) throws {
    if target == .geoParquet {
      Confinement.tighten()
      return try GeoParquetFile(columns: options.columns, about: options.about).write()
    }
    guard InputFile.size > 0 else { throw Failure(sentence: "standard input is empty") }
    GDAL.start()
    GDAL.startWriting()
    Confinement.tighten(knowsOpenFiles: true)
    try Conversion(to: target, options).run()
  }

  private static func end(_ sentence: String, status: Int32) -> Never {
    let line = Array((sentence + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
