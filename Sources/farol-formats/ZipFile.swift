internal import CGDAL

/// A ZIP archive: a spreadsheet, a KMZ, a Shapefile, or an archive with one list.
struct ZipFile {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func write(to output: Output) throws {
    let names = try names()
    if names.contains("xl/workbook.xml") {
      return try table(.xlsx, path: TableFormat.xlsx.path, output)
    }
    if names.contains("xl/workbook.bin") { throw Refusal(.workbook, "XLSB") }
    if names.contains("content.xml"), names.contains("META-INF/manifest.xml") {
      return try table(.ods, path: TableFormat.ods.path, output)
    }
    let shapes = names.filter { Self.ending($0) == "shp" }
    if !shapes.isEmpty {
      let shape = try chosen(from: shapes)
      let parts = try Self.parts(of: shape, in: names)
      // GDAL finds only parts that are spelled alike.
      let isAlike = parts.allSatisfy { $0.name == "\(shape.dropLast(4)).\($0.ending)" }
      let path = isAlike ? Self.inside(shape) : try Self.unpacked(parts)
      return try table(.shapefile, path: path, output)
    }
    let lists = Self.lists(among: names)
    guard !lists.isEmpty else { throw Refusal(names.isEmpty ? .empty : .unknown) }
    if options.name.lowercased().hasSuffix(".kmz"), lists.contains("doc.kml") {
      return try table(.kml, path: Self.inside("doc.kml"), output)
    }
    let list = try chosen(from: lists)
    if let format = Self.tables[Self.ending(list)] {
      let isText = format == .kml || format == .gpx
      let path =
        isText ? Self.inside(list) : try Self.inMemory(list, ending: format.fileExtension)
      try table(format, path: path, output)
    } else if Self.others.contains(Self.ending(list)) {
      throw Refusal(.nested, list)
    } else {
      try Unpacking(name: list, isZip: true, entry: list).write(to: output)
    }
  }

  /// The files that may be the list. Without any, `.txt` and `.xml` files count, and without these also files about a
  /// list, such as a licence.
  private static func lists(among names: [String]) -> [String] {
    let all = names.filter { name in
      let ending = ending(name)
      return texts.contains(ending) || tables[ending] != nil || others.contains(ending)
    }
    let plain = all.filter { name in
      let file = name.split(separator: "/").last?.lowercased() ?? ""
      return !about.contains { file.hasPrefix($0) }
    }
    let named = plain.filter { ending($0) != "txt" && ending($0) != "xml" }
    return [named, plain, all].first { !$0.isEmpty } ?? []
  }

  private static let texts: Set<String> = [
    "csv", "tsv", "txt", "json", "geojson", "geojsonl", "ndjson", "geojsons", "osm", "xml",
  ]
  /// The formats that GDAL reads inside an archive.
  private static let tables: [String: TableFormat] = [
    "kml": .kml, "gpx": .gpx, "xlsx": .xlsx, "ods": .ods, "gpkg": .geoPackage, "fgb": .flatGeobuf,
  ]
  /// Lists that must be unpacked first.
  private static let others: Set<String> = ["xls", "xlsb", "kmz", "zip", "parquet", "pbf", "gz"]
  /// The beginnings of the names of files about a list.
  private static let about = [
    "readme", "read_me", "licen", "copying", "metadata", "changelog", "about", "attribution",
    "terms", "leiame", "liesmich", "lisezmoi", "leame",
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
    // The mapping has already named the file.
    var options = options
    if format == .shapefile || !path.hasPrefix(InputFiles.prefix) { options.layer = nil }
    try TableFile(format, path: path, options).write(to: output)
  }

  private typealias Part = (name: String, ending: String)

  /// The files of a Shapefile, which has its rows in two further files.
  private static func parts(of shape: String, in names: [String]) throws -> [Part] {
    let stem = shape.dropLast(4)
    let found = ["shp", "shx", "dbf", "prj", "cpg"].compactMap { ending -> Part? in
      let wanted = "\(stem).\(ending)"
      let name =
        names.first { $0 == wanted } ?? names.first { $0.lowercased() == wanted.lowercased() }
      return name.map { ($0, ending) }
    }
    let missing = ["shx", "dbf"].filter { ending in !found.contains { $0.ending == ending } }
    guard missing.isEmpty else {
      throw Refusal(.incomplete, missing.map { "\(stem).\($0)" }.joined(separator: ", "))
    }
    return found
  }

  /// The path of a Shapefile whose parts are unpacked into memory under one name.
  private static func unpacked(_ parts: [Part]) throws -> String {
    for part in parts { _ = try inMemory(part.name, ending: part.ending) }
    return "/vsimem/list.shp"
  }

  private static func ending(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
  }

  private static func inside(_ name: String) -> String {
    let archive = "/vsizip/{\(TableFormat.shapefile.path)}"
    return "\(archive)/\(spelling(of: name, in: archive))"
  }

  /// A list that GDAL reads here and there, unpacked into memory.
  private static func inMemory(_ name: String, ending: String) throws -> String {
    let archive = try Archive(isZip: true)
    while let found = try archive.next() {
      guard found == name else { continue }
      guard archive.size <= maxInMemory else { throw Refusal(.nested, name) }
      var bytes: [UInt8] = []
      try archive.unpack { piece in
        bytes.append(contentsOf: piece)
        guard bytes.count <= maxInMemory else { throw Refusal(.nested, name) }
      }
      let path = "/vsimem/list.\(ending)"
      // GDAL keeps the bytes until the process ends.
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      guard let file = VSIFileFromMemBuffer(path, copy, vsi_l_offset(bytes.count), 0) else {
        throw Refusal(.memory)
      }
      VSIFCloseL(file)
      return path
    }
    throw Refusal(.empty)
  }

  /// Bytes of a list that is unpacked into memory: the part of ``Limits/memory`` that is left.
  private static let maxInMemory = 32 << 20

  /// The name by which GDAL knows a file. Archives without a mark of UTF-8 have names in some code page, which GDAL and
  /// libarchive read differently.
  private static func spelling(of name: String, in archive: String) -> String {
    guard name.utf8.contains(where: { $0 >= 0x80 }), let list = VSIReadDirRecursive(archive) else {
      return name
    }
    defer { CSLDestroy(list) }
    var names: [String] = []
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
    while let text = entry?.pointee {
      names.append(String(cString: text))
      entry = entry?.advanced(by: 1)
    }
    if names.contains(name) { return name }
    let plain = asciiLetters(of: name)
    return names.first { asciiLetters(of: $0) == plain } ?? name
  }

  private static func asciiLetters(of name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter(\.isASCII)))
  }
}
