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
    let positions = try Positions(in: OGR_L_GetSpatialRef(layer))
    OGR_L_ResetReading(layer)
    var json = JSONWriter(capacity: 4_096)
    GDAL.lastFault = nil
    while let feature = OGR_L_GetNextFeature(layer) {
      defer { OGR_F_Destroy(feature) }
      // A damaged part of the file; the rest would be guesses.
      guard GDAL.lastFault == nil else { throw GDAL.refusal() }
      json.removeAll()
      write(feature, positions, &json)
      try output.write(json.bytes + [0x0A])
      GDAL.lastFault = nil
    }
    guard GDAL.lastFault == nil else { throw GDAL.refusal() }
  }

  private func write(
    _ feature: OGRFeatureH, _ positions: Positions, _ json: inout JSONWriter
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
    positions.write(OGR_F_GetGeometryRef(feature), &json)
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
}
