internal import CGDAL
internal import Glibc
internal import JSON

/// Writes geometries as GeoJSON in WGS 84.
final class Positions {
  /// Nil if the geometries have these coordinates, or state none.
  private let conversion: OGRCoordinateTransformationH?

  /// - Parameters:
  ///   - system: the file's system; nil if it states none.
  ///   - name: the code of the system of such a file.
  /// - Throws: ``Refusal`` for coordinates that cannot be converted.
  init(in system: OGRSpatialReferenceH?, otherwise name: String? = nil) throws {
    guard system == nil, let name else {
      conversion = try system.flatMap(Self.conversion)
      return
    }
    guard let named = OSRNewSpatialReference(nil) else { throw Refusal(.memory) }
    defer { OSRDestroySpatialReference(named) }
    guard OSRSetFromUserInput(named, name) == OGRERR_NONE else { throw Refusal(.coordinates, name) }
    conversion = try Self.conversion(from: named)
  }

  deinit { if let conversion { OCTDestroyCoordinateTransformation(conversion) } }

  private static func conversion(
    from: OGRSpatialReferenceH
  ) throws -> OGRCoordinateTransformationH? {
    guard let to = OSRNewSpatialReference(nil) else { throw Refusal(.memory) }
    defer { OSRDestroySpatialReference(to) }
    OSRImportFromEPSG(to, 4_326)
    for system in [from, to] {
      OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER)
    }
    if OSRIsSame(from, to) != 0 { return nil }
    guard OSRIsLocal(from) == 0, let conversion = OCTNewCoordinateTransformation(from, to) else {
      throw Refusal(.coordinates, OSRGetName(from).map { String(cString: $0) } ?? "")
    }
    return conversion
  }

  /// Writes one geometry, which this call may change; null without one.
  func write(_ geometry: OGRGeometryH?, _ json: inout JSONWriter) {
    guard let geometry else { return json.null() }
    if let conversion, OGR_G_Transform(geometry, conversion) != OGRERR_NONE {
      GDAL.lastFault = nil
      // The server refuses the row: this is not a type of GeoJSON.
      json.beginObject()
      json.member("type", "Unconvertible")
      return json.endObject()
    }
    OGR_G_FlattenTo2D(geometry)
    let plain =
      OGR_G_HasCurveGeometry(geometry, 0) != 0 ? OGR_G_GetLinearGeometry(geometry, 0, nil) : nil
    defer { if let plain { OGR_G_DestroyGeometry(plain) } }
    // A converted position has no meaning below a centimetre, and would differ from the same position in
    // another file.
    let precision = conversion != nil ? CPLStrdup("COORDINATE_PRECISION=7") : nil
    defer { VSIFree(precision) }
    var settings: [UnsafeMutablePointer<CChar>?] = [precision, nil]
    guard let text = OGR_G_ExportToJsonEx(plain ?? geometry, &settings) else { return json.null() }
    defer { VSIFree(text) }
    json.raw(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
  }
}
