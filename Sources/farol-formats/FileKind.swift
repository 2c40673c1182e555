/// The kind of a file, recognised by its first bytes.
enum FileKind {
  case osmPBF
  case parquet
  /// Compressed with bzip2, xz or Zstandard.
  case compressed
  case zip
  case table(TableFormat)

  /// - Throws: ``Refusal`` for a file that this program does not read.
  init(head: [UInt8], name: String) throws {
    if head.starts(with: Array("SQLite format 3".utf8)) {
      self = .table(.geoPackage)
    } else if head.starts(with: Array("fgb".utf8)) {
      self = .table(.flatGeobuf)
    } else if head.starts(with: Array("PAR1".utf8)) || head.starts(with: Array("PARE".utf8)) {
      self = .parquet
    } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else if head.starts(with: Array("BZh".utf8))
      || head.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A])
      || head.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    {
      self = .compressed
    } else if Self.isPBF(head) {
      self = .osmPBF
    } else if let root = Self.root(head) {
      self = .table(root)
    } else {
      throw Refusal(.unknown)
    }
  }

  /// Four bytes with the length of the header of a block, then its type as field 1.
  private static func isPBF(_ head: [UInt8]) -> Bool {
    head.count > 16 && head[0] == 0 && head[4] == 0x0A
      && head[6...].starts(with: Array("OSMHeader".utf8))
  }

  private static func root(_ head: [UInt8]) -> TableFormat? {
    let text = String(decoding: head, as: UTF8.self)
    if text.contains("<kml") { return .kml }
    return text.contains("<gpx") ? .gpx : nil
  }
}

/// The formats that GDAL reads.
enum TableFormat {
  case geoPackage, flatGeobuf, kml, kmz, gpx, shapefile, xlsx, ods

  /// GDAL's name of the driver.
  var driver: String {
    switch self {
    case .geoPackage: "GPKG"
    case .flatGeobuf: "FlatGeobuf"
    case .kml, .kmz: "LIBKML"
    case .gpx: "GPX"
    case .shapefile: "ESRI Shapefile"
    case .xlsx: "XLSX"
    case .ods: "ODS"
    }
  }

  /// The extension by which the driver recognises a file.
  var fileExtension: String {
    switch self {
    case .geoPackage: "gpkg"
    case .flatGeobuf: "fgb"
    case .kml: "kml"
    case .kmz: "kmz"
    case .gpx: "gpx"
    case .shapefile: "zip"
    case .xlsx: "xlsx"
    case .ods: "ods"
    }
  }

  /// Whether the rows come from a spreadsheet, with any text above and below the list.
  var isSheet: Bool { self == .xlsx || self == .ods }

  /// Standard input as a file for GDAL.
  var path: String { "\(InputFiles.prefix)list.\(fileExtension)" }

  /// Whether a file usually has one list in several parts, such as the folders of a KML.
  var hasParts: Bool {
    switch self {
    case .kml, .kmz: true
    case .geoPackage, .flatGeobuf, .gpx, .shapefile, .xlsx, .ods: false
    }
  }

  /// Layers that are read only if the mapping names them: tracks, routes and their vertices.
  var waysLayers: Set<String> {
    self == .gpx ? ["routes", "tracks", "route_points", "track_points"] : []
  }

  /// Fields that state only how a viewer draws a feature.
  var drawnFields: Set<String> {
    switch self {
    case .kml, .kmz:
      ["altitudeMode", "tessellate", "extrude", "visibility", "drawOrder", "icon", "snippet"]
    default: []
    }
  }
}
