internal import JSON

/// A ZIP archive: a spreadsheet, a KMZ, a Shapefile, or an archive with one list.
struct ZipFile {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func write(to output: Output) throws {
    let names = try names()
    if names.contains("xl/workbook.xml") {
      return try table(.xlsx, path: TableFormat.xlsx.path, output)
    }
    let shapes = names.filter { Self.ending($0) == "shp" }
    if !shapes.isEmpty {
      let shape = try chosen(from: shapes)
      try Self.checkParts(of: shape, in: names)
      return try table(.shapefile, path: Self.inside(shape), output)
    }
    let lists = names.filter { Self.lists.contains(Self.ending($0)) }
    guard !lists.isEmpty else { throw Refusal(names.isEmpty ? .empty : .unknown) }
    if options.name.lowercased().hasSuffix(".kmz"), lists.contains("doc.kml") {
      return try table(.kml, path: Self.inside("doc.kml"), output)
    }
    let list = try chosen(from: lists)
    switch Self.ending(list) {
    case "kml": try table(.kml, path: Self.inside(list), output)
    case "gpx": try table(.gpx, path: Self.inside(list), output)
    default: try Unpacking(name: list, isZip: true, entry: list).write(to: output)
    }
  }

  private static let lists: Set<String> = [
    "csv", "tsv", "txt", "json", "geojson", "geojsonl", "ndjson", "geojsons", "osm", "xml", "kml",
    "gpx",
  ]

  /// All file names. Programs add folders with names that start with a dot or `__MACOSX`.
  private func names() throws -> [String] {
    let archive = try Archive(isZip: true)
    var names: [String] = []
    var total: Int64 = 0
    while let name = try archive.next() {
      names.append(name)
      // A file that states too little is cut off by GDAL, which believes the statement.
      total = total.addingReportingOverflow(archive.size).partialValue
      try Limits.check(unpacked: total < 0 ? .max : total, packed: InputFile.size)
      guard names.count <= Limits.entries else { throw Refusal(.unpacksTooMuch) }
    }
    return names.filter { name in
      !name.hasPrefix("__MACOSX/") && name.split(separator: "/").last?.hasPrefix(".") == false
    }
  }

  /// The only one, or the one that the mapping names, with or without folder and extension.
  private func chosen(from names: [String]) throws -> String {
    guard let wanted = options.layer else {
      guard names.count == 1 else { throw Refusal(.several, names: names) }
      return names[0]
    }
    let found = names.first { name in
      let file = name.split(separator: "/").last.map(String.init) ?? name
      let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      return [name, file, stem].contains(wanted)
    }
    guard let found else { throw Refusal(.missing, names: names) }
    return found
  }

  private func table(_ format: TableFormat, path: String, _ output: Output) throws {
    try output.write(line: #"{"rows":"geojson"}"#)
    // The mapping has already named the file.
    var options = options
    if format == .shapefile { options.layer = nil }
    try TableFile(format, path: path, options).write(to: output)
  }

  /// A Shapefile has its rows in two further files.
  private static func checkParts(of shape: String, in names: [String]) throws {
    let stem = shape.dropLast(4)
    let missing = ["shx", "dbf"].filter { part in
      !names.contains { $0.lowercased() == "\(stem).\(part)".lowercased() }
    }
    guard missing.isEmpty else {
      throw Refusal(.incomplete, missing.map { "\(stem).\($0)" }.joined(separator: ", "))
    }
  }

  private static func ending(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
  }

  private static func inside(_ name: String) -> String {
    "/vsizip/{\(TableFormat.shapefile.path)}/\(name)"
  }
}
