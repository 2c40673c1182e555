internal import CGDAL
internal import CharacterSets
internal import Glibc

/// A file that GDAL reads, written as GeoJSON features in WGS 84.
struct TableFile {
  private let format: TableFormat
  private let path: String
  private let options: Options

  init(_ format: TableFormat, path: String, _ options: Options) {
    self.format = format
    self.path = path
    self.options = options
  }

  func write(to output: Output) throws {
    let file = try open()
    defer { GDALClose(file) }
    let layers = try chosen(from: tables(of: file), in: file)
    if format == .xlsx, SheetNames.countsFrom1904(inWorkbookAt: path) { throw Refusal(.from1904) }
    if format == .xlsx, SheetNames.lacksResults(inWorkbookAt: path) { throw Refusal(.formulas) }
    let hasLinks = format == .kml && InputFile.contains(Self.link)
    try output.write(line: hasLinks ? #"{"rows":"geojson","links":true}"# : #"{"rows":"geojson"}"#)
    for layer in layers {
      var rows = LayerRows(
        layer.handle, format: format, name: layers.count > 1 ? layer.name : nil,
        headerRow: options.headerRow, encoding: encoding(of: layer.handle), system: options.system)
      try rows.write(to: output)
    }
  }

  /// The encoding of the texts of a Shapefile: from the mapping, from the file, or a guess.
  private func encoding(of layer: OGRLayerH) -> TextEncoding? {
    guard format == .shapefile else { return nil }
    if let wanted = options.encoding { return wanted }
    for key in ["ENCODING_FROM_CPG", "ENCODING_FROM_LDID"] {
      guard let name = GDALGetMetadataItem(layer, key, "SHAPEFILE"),
        let encoding = Self.encoding(stated: String(cString: name))
      else { continue }
      return encoding
    }
    return guess(layer)
  }

  /// The encoding with a name from a `.cpg` file, or with the number of a code page.
  private static func encoding(stated name: String) -> TextEncoding? {
    let plain = name.split(whereSeparator: \.isWhitespace).joined().lowercased()
    let number = plain.hasPrefix("ansi") ? String(plain.dropFirst(4)) : plain
    return [plain, "cp\(number)", "windows-\(number)"].lazy
      .compactMap { TextEncoding(named: $0) }.first
  }

  /// The maximum number of rows from whose texts the encoding is guessed.
  private static let maxGuessed = 5_000

  private func guess(_ layer: OGRLayerH) -> TextEncoding {
    var bytes: [UInt8] = []
    var rows = 0
    OGR_L_ResetReading(layer)
    while rows < Self.maxGuessed, let feature = OGR_L_GetNextFeature(layer) {
      defer { OGR_F_Destroy(feature) }
      rows += 1
      for number in 0..<OGR_F_GetFieldCount(feature) {
        guard let text = OGR_F_GetFieldAsString(feature, number) else { continue }
        bytes += UnsafeRawBufferPointer(start: text, count: strlen(text))
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    OGR_L_ResetReading(layer)
    return String(validating: bytes, as: UTF8.self) != nil ? .utf8 : TextEncoding.guess(bytes)
  }

  private func open() throws -> GDALDatasetH {
    var drivers: [UnsafeMutablePointer<CChar>?] = [CPLStrdup(format.driver), nil]
    var settings: [UnsafeMutablePointer<CChar>?] = []
    // Only the lists that a GeoPackage declares, not any table of the database.
    if format == .geoPackage { settings = [CPLStrdup("LIST_ALL_TABLES=NO")] }
    // GDAL would need files to convert texts.
    if format == .shapefile { settings = [CPLStrdup("ENCODING=")] }
    if format.isSheet, options.headerRow != 1 {
      for driver in ["XLSX", "ODS"] {
        CPLSetConfigOption("OGR_\(driver)_HEADERS", "DISABLE")
        CPLSetConfigOption("OGR_\(driver)_FIELD_TYPES", "STRING")
      }
    }
    settings.append(nil)
    defer { (drivers + settings).forEach { if let text = $0 { VSIFree(text) } } }
    let flags = UInt32(GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
    let file = drivers.withUnsafeMutableBufferPointer { drivers in
      settings.withUnsafeMutableBufferPointer { settings in
        drivers.withMemoryRebound(to: UnsafePointer<CChar>?.self) { drivers in
          settings.withMemoryRebound(to: UnsafePointer<CChar>?.self) { settings in
            GDALOpenEx(path, flags, drivers.baseAddress, settings.baseAddress, nil)
          }
        }
      }
    }
    guard let file else {
      // A link of Google Earth has no document around it.
      if format == .kml, InputFile.contains(Self.link) { throw Refusal(.links) }
      if format == .geoPackage, GDAL.lastFault?.contains("GeoPackage tables") == true {
        throw Refusal(.database)
      }
      throw GDAL.refusal()
    }
    return file
  }

  private typealias Layer = (name: String, handle: OGRLayerH)

  private func layers(of file: GDALDatasetH) -> [Layer] {
    (0..<GDALDatasetGetLayerCount(file)).compactMap { number in
      guard let layer = GDALDatasetGetLayer(file, number), let name = OGR_L_GetName(layer) else {
        return nil
      }
      return (String(cString: name), layer)
    }
  }

  /// The layers that are tables. Views are queries of the file's author: none is run, not even to find out whether it
  /// has rows.
  private func tables(of file: GDALDatasetH) throws -> [Layer] {
    let all = layers(of: file)
    guard format == .geoPackage else { return all }
    let tables = all.filter { isTable($0.name, in: file) }
    let views = all.map(\.name).filter { name in !tables.contains { $0.name == name } }
    if let view = views.first(where: { $0 == options.layer || tables.isEmpty }) {
      throw Refusal(.view, view)
    }
    return tables
  }

  private func chosen(from layers: [Layer], in file: GDALDatasetH) throws -> [Layer] {
    let names = layers.map(\.name)
    let found: [Layer]
    if let wanted = options.layer {
      found = layers.filter { $0.name == wanted }
      guard !found.isEmpty else { throw Refusal(.missing, names: names) }
    } else {
      let hidden = format == .xlsx ? SheetNames.hidden(inWorkbookAt: path) : []
      found = layers.filter { !hidden.contains($0.name) }.filter {
        !format.waysLayers.contains($0.name) && !Self.isEmpty($0.handle)
      }
      if found.isEmpty,
        layers.contains(where: { format.waysLayers.contains($0.name) && !Self.isEmpty($0.handle) })
      {
        throw Refusal(.ways)
      }
      if found.isEmpty, format == .kml, InputFile.contains(Self.link) { throw Refusal(.links) }
      guard !found.isEmpty else { throw GDAL.refusal(Refusal(.empty)) }
      guard found.count == 1 || format.hasParts else {
        throw Refusal(.several, names: names.filter { !hidden.contains($0) })
      }
    }
    return found
  }

  /// The element by which a KML file points to other files, which this program cannot fetch.
  private static let link = Array("<NetworkLink".utf8)

  private static func isEmpty(_ layer: OGRLayerH) -> Bool {
    OGR_L_ResetReading(layer)
    defer { OGR_L_ResetReading(layer) }
    guard let feature = OGR_L_GetNextFeature(layer) else { return true }
    OGR_F_Destroy(feature)
    return false
  }

  /// Whether a list of a GeoPackage is a table. A view is a query of the file's author.
  private func isTable(_ name: String, in file: GDALDatasetH) -> Bool {
    let quoted = name.split(separator: "'", omittingEmptySubsequences: false).joined(
      separator: "''")
    let query =
      "SELECT type FROM sqlite_master WHERE lower(name) = lower('\(quoted)') AND type = 'table'"
    guard let result = GDALDatasetExecuteSQL(file, query, nil, nil) else { return false }
    defer { GDALDatasetReleaseResultSet(file, result) }
    guard let row = OGR_L_GetNextFeature(result) else { return false }
    OGR_F_Destroy(row)
    return true
  }
}
