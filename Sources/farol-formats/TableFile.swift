internal import CGDAL
internal import JSON

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
    for layer in layers {
      try LayerRows(layer.handle, format: format, name: layers.count > 1 ? layer.name : nil)
        .write(to: output)
    }
  }

  private func open() throws -> GDALDatasetH {
    var drivers: [UnsafeMutablePointer<CChar>?] = [CPLStrdup(format.driver), nil]
    var settings: [UnsafeMutablePointer<CChar>?] = []
    // Only the lists that a GeoPackage declares, not any table of the database.
    if format == .geoPackage { settings = [CPLStrdup("LIST_ALL_TABLES=NO")] }
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
    guard let file else { throw GDAL.refusal() }
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
      found = layers.filter { !format.verticesLayers.contains($0.name) && !Self.isEmpty($0.handle) }
      guard !found.isEmpty else { throw GDAL.refusal(Refusal(.empty)) }
      guard found.count == 1 || format.hasParts else { throw Refusal(.several, names: names) }
    }
    return found
  }

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
