internal import CGDAL
internal import CharacterSets
internal import Glibc
internal import JSON

/// The features of one layer, written one per line.
struct LayerRows {
  private struct Field {
    let number: Int32
    var name: String
    let type: OGRFieldType
    let isBoolean: Bool
  }

  private let layer: OGRLayerH
  private let format: TableFormat
  /// Written as `@layer`; nil for a single layer.
  private let name: String?
  /// The number of the row of a sheet with the names of the columns, from 1; 0 without such a row.
  private let headerRow: Int
  /// The encoding of the texts; nil if GDAL has converted them.
  private let encoding: TextEncoding?
  /// The coordinate system of a file that states none.
  private let system: String?
  private var fields: [Field]
  /// Whether GDAL has not seen the header of a sheet, as below a blank row, so that it is a row.
  private let lacksNames: Bool

  init(
    _ layer: OGRLayerH, format: TableFormat, name: String?, headerRow: Int = 1,
    encoding: TextEncoding? = nil, system: String? = nil
  ) {
    self.layer = layer
    self.format = format
    self.name = name
    self.headerRow = format.isSheet ? headerRow : 1
    self.encoding = encoding
    self.system = system
    let definition = OGR_L_GetLayerDefn(layer)
    var names = UniqueNames()
    var fields: [Field] = []
    for number in 0..<OGR_FD_GetFieldCount(definition) {
      guard let field = OGR_FD_GetFieldDefn(definition, number),
        let text = OGR_Fld_GetNameRef(field)
      else { continue }
      let name = Self.text(text, encoding)
      if format.drawnFields.contains(name) { continue }
      fields.append(
        Field(
          number: number, name: names.next(headerRow == 1 || !format.isSheet ? name : ""),
          type: OGR_Fld_GetType(field), isBoolean: OGR_Fld_GetSubType(field) == OFSTBoolean))
    }
    self.fields = fields
    lacksNames =
      format.isSheet && headerRow == 1 && !fields.isEmpty
      && fields.allSatisfy {
        $0.name.hasPrefix("Field") && $0.name.dropFirst(5).allSatisfy(\.isNumber)
      }
  }

  private static func text(_ text: UnsafePointer<CChar>, _ encoding: TextEncoding?) -> String {
    guard let encoding else { return String(cString: text) }
    return encoding.text(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  mutating func write(to output: Output) throws {
    let positions = try Positions(in: OGR_L_GetSpatialRef(layer), otherwise: system)
    OGR_L_ResetReading(layer)
    var json = JSONWriter(capacity: 4_096)
    var rowsBefore = format.isSheet && headerRow != 1 ? headerRow : lacksNames ? 1 : 0
    // GDAL has read a spreadsheet up to its first fault before it returns the first row.
    guard !GDAL.hasRunOut else { throw Refusal(.memory) }
    guard !format.isSheet || GDAL.lastFault == nil else { throw GDAL.refusal() }
    GDAL.lastFault = nil
    while let feature = OGR_L_GetNextFeature(layer) {
      defer { OGR_F_Destroy(feature) }
      // A damaged part of the file; the rest would be guesses.
      guard GDAL.lastFault == nil else { throw GDAL.refusal() }
      // Spreadsheets keep the rows below a list, too.
      if format.isSheet, isBlank(feature) { continue }
      if rowsBefore > 0 {
        rowsBefore -= 1
        if !lacksNames || isHeader(feature) {
          if rowsBefore == 0 { readNames(feature) }
          continue
        }
      }
      json.removeAll()
      write(feature, positions, &json)
      try output.write(json.bytes + [0x0A])
      GDAL.lastFault = nil
    }
    guard GDAL.lastFault == nil else { throw GDAL.refusal() }
    guard !GDAL.hasRunOut else { throw Refusal(.memory) }
  }

  private func isBlank(_ feature: OGRFeatureH) -> Bool {
    fields.allSatisfy { field in
      guard OGR_F_IsFieldSetAndNotNull(feature, field.number) != 0 else { return true }
      guard field.type == OFTString, let text = OGR_F_GetFieldAsString(feature, field.number)
      else { return false }
      return String(cString: text).allSatisfy(\.isWhitespace)
    }
  }

  /// Whether a row has names and no numbers, of which a name may be one.
  private func isHeader(_ feature: OGRFeatureH) -> Bool {
    fields.count { field in
      OGR_F_GetFieldAsString(feature, field.number).map { Double(String(cString: $0)) != nil }
        ?? false
    } < 2
  }

  private mutating func readNames(_ feature: OGRFeatureH) {
    var names = UniqueNames()
    for place in fields.indices {
      let text = OGR_F_GetFieldAsString(feature, fields[place].number)
      fields[place].name = names.next(text.map { String(cString: $0) } ?? "")
    }
  }

  private func write(
    _ feature: OGRFeatureH, _ positions: Positions, _ json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("type", "Feature")
    // Only a GeoPackage keeps the numbers of its rows.
    if format == .geoPackage {
      json.member("id", OGR_F_GetFID(feature))
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

  /// A longer value is a picture or the like.
  private static let maxBytes = 1 << 20

  private func isLong(_ field: Field, _ feature: OGRFeatureH) -> Bool {
    var count: Int32 = 0
    _ = OGR_F_GetFieldAsBinary(feature, field.number, &count)
    return count > Self.maxBytes
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
    case OFTBinary where isLong(field, feature): json.null()
    // GDAL writes bytes in hexadecimal digits, so a geometry in a column is not lost.
    default:
      json.string(
        OGR_F_GetFieldAsString(feature, field.number).map { Self.text($0, encoding) } ?? "")
    }
  }
}
