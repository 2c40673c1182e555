internal import CGDAL
internal import JSON

/// The metadata of a GeoParquet file: which column has the geometries, and their coordinates.
struct GeoParquet {
  /// The column with the geometries; nil in a file without any.
  private(set) var geometry: String?
  /// Columns with the boxes of the geometries, which are not data.
  private(set) var boxes: [String] = []
  private var system: JSONValue?

  /// Plain Parquet.
  init() {}

  /// Reads the value of the key `geo` (GeoParquet 1.0 and 1.1).
  ///
  /// - Throws: ``Refusal``.
  init(_ text: [UInt8]) throws {
    guard let json = try? JSONValue(parsing: text),
      let primary = json["primary_column"]?.stringValue,
      let column = json["columns"]?[primary], column.objectValue != nil
    else { throw Refusal(.damaged, "geo") }
    let encoding = column["encoding"]?.stringValue ?? ""
    guard encoding == "WKB" else { throw Refusal(.encoding, encoding) }
    geometry = primary
    system = column["crs"]
    for edge in column["covering"]?["bbox"]?.objectValue?.members ?? [] {
      guard let box = edge.value.arrayValue?.first?.stringValue, box != primary else { continue }
      if !boxes.contains(box) { boxes.append(box) }
    }
  }

  /// Without a system, the coordinates are longitude and latitude in WGS 84.
  ///
  /// - Throws: ``Refusal`` for coordinates that cannot be converted.
  func positions() throws -> Positions {
    guard let system, system != .null else { return try Positions(in: nil) }
    let name = system["name"]?.stringValue ?? ""
    guard let reference = OSRNewSpatialReference(nil) else { throw Refusal(.memory) }
    defer { OSRDestroySpatialReference(reference) }
    var text = JSONWriter()
    text.value(system)
    guard system.objectValue != nil,
      OSRSetFromUserInput(reference, String(decoding: text.bytes, as: UTF8.self)) == OGRERR_NONE
    else { throw Refusal(.coordinates, name) }
    return try Positions(in: reference)
  }
}
