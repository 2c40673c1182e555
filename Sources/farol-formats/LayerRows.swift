internal import CGDAL
internal import Glibc
internal import JSON

/// The features of one layer, written one per line.
struct LayerRows {
  private struct Field {
    let number: Int32
    let name: String
    let type: OGRFieldType
    let isBoolean: Bool
  }

  private let layer: OGRLayerH
  private let format: TableFormat
  /// Written as `@layer`; nil for a single layer.
  private let name: String?
  private let fields: [Field]

  init(_ layer: OGRLayerH, format: TableFormat, name: String?) {
    self.layer = layer
    self.format = format
    self.name = name
    let definition = OGR_L_GetLayerDefn(layer)
    fields = (0..<OGR_FD_GetFieldCount(definition)).compactMap { number in
      guard let field = OGR_FD_GetFieldDefn(definition, number),
        let text = OGR_Fld_GetNameRef(field)
      else { return nil }
      let name = String(cString: text)
      if format.drawnFields.contains(name) { return nil }
      return Field(
        number: number, name: name, type: OGR_Fld_GetType(field),
        isBoolean: OGR_Fld_GetSubType(field) == OFSTBoolean)
    }
  }

  func write(to output: Output) throws {
    let conversion = try conversion()
    defer { if let conversion { OCTDestroyCoordinateTransformation(conversion) } }
    OGR_L_ResetReading(layer)
    var json = JSONWriter(capacity: 4_096)
    GDAL.lastFault = nil
    while let feature = OGR_L_GetNextFeature(layer) {
      defer { OGR_F_Destroy(feature) }
      // A damaged part of the file; the rest would be guesses.
      guard GDAL.lastFault == nil else { throw GDAL.refusal() }
      json.removeAll()
      write(feature, conversion, &json)
      try output.write(json.bytes + [0x0A])
      GDAL.lastFault = nil
    }
    guard GDAL.lastFault == nil else { throw GDAL.refusal() }
  }

  /// The conversion to WGS 84; nil if the layer has these coordinates, or states none.
  private func conversion() throws -> OGRCoordinateTransformationH? {
    guard let from = OGR_L_GetSpatialRef(layer) else { return nil }
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

  private func write(
    _ feature: OGRFeatureH, _ conversion: OGRCoordinateTransformationH?, _ json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("type", "Feature")
    // Only a GeoPackage keeps the numbers of its rows.
    if format == .geoPackage {
      json.key("id")
      json.integer(OGR_F_GetFID(feature))
    }
    json.key("properties")
    json.beginObject()
    if let name { json.member("@layer", name) }
    for field in fields where OGR_F_IsFieldSetAndNotNull(feature, field.number) != 0 {
      json.key(field.name)
      value(of: field, feature, &json)
    }
    json.endObject()
    json.key("geometry")
    geometry(of: feature, conversion, &json)
    json.endObject()
  }

  private func value(of field: Field, _ feature: OGRFeatureH, _ json: inout JSONWriter) {
    switch field.type {
    case OFTInteger where field.isBoolean:
      json.bool(OGR_F_GetFieldAsInteger(feature, field.number) != 0)
    case OFTInteger, OFTInteger64:
      json.integer(OGR_F_GetFieldAsInteger64(feature, field.number))
    case OFTReal: json.double(OGR_F_GetFieldAsDouble(feature, field.number))
    case OFTDate: json.string(FieldTime(feature, field.number).dayText)
    case OFTDateTime: json.string(FieldTime(feature, field.number).text)
    case OFTStringList:
      json.beginArray()
      var text = OGR_F_GetFieldAsStringList(feature, field.number)
      while let line = text?.pointee {
        json.string(String(cString: line))
        text = text?.advanced(by: 1)
      }
      json.endArray()
    case OFTBinary: json.null()
    default:
      json.string(OGR_F_GetFieldAsString(feature, field.number).map { String(cString: $0) } ?? "")
    }
  }

  private func geometry(
    of feature: OGRFeatureH, _ conversion: OGRCoordinateTransformationH?, _ json: inout JSONWriter
  ) {
    guard let geometry = OGR_F_GetGeometryRef(feature) else { return json.null() }
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
