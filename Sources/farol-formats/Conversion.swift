internal import CGDAL

/// Writes a file of the server in a format that needs a library: a GeoPackage of devices or a CSV table on
/// standard input, a FlatGeobuf or a workbook on standard output. Both are files.
struct Conversion {
  /// The formats that can be written.
  enum Target: String {
    case flatGeobuf = "fgb"
    case workbook = "xlsx"
    /// From rows instead of a file.
    case geoParquet = "parquet"
  }

  private let target: Target
  private let options: Options

  init(to target: Target, _ options: Options) {
    self.target = target
    self.options = options
  }

  func run() throws {
    let isGeoPackage = InputFile.head().starts(with: Array("SQLite format 3".utf8))
    let source = try SourceTable(isGeoPackage ? "list.gpkg" : "list.csv")
    switch target {
    case .geoParquet: throw Failure(sentence: "Parquet is written from rows")
    case .flatGeobuf: try FlatGeobufFile().write(source)
    case .workbook: try Workbook(numbers: options.numbers).write(source, about: options.about)
    }
  }
}

/// The single table of a file of the server.
final class SourceTable {
  let layer: OGRLayerH
  let name: String
  private let file: GDALDatasetH

  init(_ name: String) throws {
    guard
      let file = GDALOpenEx(
        InputFiles.prefix + name, UInt32(GDAL_OF_VECTOR | GDAL_OF_READONLY), nil, nil, nil),
      let layer = GDALDatasetGetLayer(file, 0)
    else { throw Failure(sentence: GDAL.lastFault ?? "the table cannot be read") }
    self.file = file
    self.layer = layer
    self.name = OGR_L_GetName(layer).map { String(cString: $0) } ?? ""
  }

  deinit { GDALClose(file) }

  /// The definitions of the columns, in order.
  var fields: [OGRFieldDefnH] {
    let definition = OGR_L_GetLayerDefn(layer)
    return (0..<OGR_FD_GetFieldCount(definition)).compactMap {
      OGR_FD_GetFieldDefn(definition, $0)
    }
  }

  func forEach(_ body: (OGRFeatureH) throws -> Void) throws {
    OGR_L_ResetReading(layer)
    GDAL.lastFault = nil
    while let feature = OGR_L_GetNextFeature(layer) {
      defer { OGR_F_Destroy(feature) }
      try body(feature)
    }
    if let fault = GDAL.lastFault { throw Failure(sentence: fault) }
  }
}

/// A FlatGeobuf with points in WGS 84.
struct FlatGeobufFile {
  /// The index of a larger file would not fit into ``Limits/memory``: about 150 bytes for each feature.
  private static let maxIndexed: Int64 = 500_000

  func write(_ source: SourceTable) throws {
    guard let driver = GDALGetDriverByName("FlatGeobuf"),
      let file = GDALCreate(driver, ResultFiles.prefix + "result.fgb", 0, 0, 0, GDT_Unknown, nil)
    else { throw fault }
    var isOpen = true
    defer { if isOpen { GDALClose(file) } }
    let system = OSRNewSpatialReference(nil)
    defer { OSRDestroySpatialReference(system) }
    OSRImportFromEPSG(system, 4_326)
    OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER)
    let isIndexed = OGR_L_GetFeatureCount(source.layer, 1) <= Self.maxIndexed
    let index = CPLStrdup("SPATIAL_INDEX=\(isIndexed ? "YES" : "NO")")
    defer { VSIFree(index) }
    var settings: [UnsafeMutablePointer<CChar>?] = [index, nil]
    guard let layer = GDALDatasetCreateLayer(file, source.name, system, wkbPoint, &settings) else {
      throw fault
    }
    // FlatGeobuf has times but no days, so days are texts.
    var days: [Int32] = []
    for (number, field) in source.fields.enumerated() {
      let isDay = OGR_Fld_GetType(field) == OFTDate
      if isDay { days.append(Int32(number)) }
      let text = OGR_Fld_Create(OGR_Fld_GetNameRef(field), OFTString)
      defer { OGR_Fld_Destroy(text) }
      guard OGR_L_CreateField(layer, isDay ? text : field, 1) == OGRERR_NONE else { throw fault }
    }
    try source.forEach { feature in
      guard let copy = OGR_F_Create(OGR_L_GetLayerDefn(layer)) else { throw fault }
      defer { OGR_F_Destroy(copy) }
      guard OGR_F_SetFrom(copy, feature, 1) == OGRERR_NONE else { throw fault }
      for number in days where OGR_F_IsFieldSetAndNotNull(feature, number) != 0 {
        OGR_F_SetFieldString(copy, number, FieldTime(feature, number).dayText)
      }
      guard OGR_L_CreateFeature(layer, copy) == OGRERR_NONE else { throw fault }
    }
    isOpen = false
    GDAL.lastFault = nil
    GDALClose(file)
    guard GDAL.lastFault == nil else { throw fault }
  }

  private var fault: Failure { Failure(sentence: GDAL.lastFault ?? "the file cannot be written") }
}
