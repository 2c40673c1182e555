import JSON
internal import Projections
import WrittenValues

/// Converts the JSON of one element to a row.
struct JSONRows {
  /// The kind of the elements.
  enum Kind { case plain, feature, esriFeature, osmElement }

  let kind: Kind
  /// The coordinate system of the geometries; nil for degrees.
  var system: CoordinateSystem?

  func row(_ bytes: [UInt8], number: Int, line: Int) -> SourceRow {
    var row = SourceRow(number: number, line: line, columns: JSONObject())
    do throws(InvalidJSON) {
      guard case .object(let object) = try JSONValue(parsing: bytes, options: .lenient) else {
        row.fault = RowFault(code: "not_an_object", detail: "The row is not a JSON object.")
        return row
      }
      switch kind {
      case .plain: row.columns = object
      case .feature: readFeature(object, into: &row)
      case .esriFeature: readEsriFeature(object, into: &row)
      case .osmElement: Self.readElement(object, into: &row)
      }
    } catch {
      let isText = String(validating: bytes, as: UTF8.self) != nil
      row.fault = RowFault(
        code: isText ? "not_json" : "not_text",
        detail: "The row is not JSON: \(error.reason) (byte \(error.offset)).")
    }
    return row
  }

  private func readFeature(_ feature: JSONObject, into row: inout SourceRow) {
    guard feature["type"]?.stringValue == "Feature" else {
      row.fault = RowFault(code: "not_a_feature", detail: "The row is not a GeoJSON feature.")
      return
    }
    row.columns = feature["properties"]?.objectValue ?? JSONObject()
    if let id = feature["id"], !id.isNull, row.columns["@id"] == nil {
      row.columns.members.append(("@id", id))
    }
    Self.splitElementName(in: &row.columns)
    HTMLText.addTable(to: &row.columns)
    row.geometry = feature["geometry"].map(inDegrees)
    row.place = GeoJSONGeometry.place(row.geometry ?? .null)
  }

  /// Programs that convert OpenStreetMap data name an element `node/123`, as overpass turbo and osmtogeojson do.
  private static func splitElementName(in columns: inout JSONObject) {
    if columns["@type"] == nil, let type = columns["osm_type"]?.stringValue,
      ["node", "way", "relation"].contains(type), let id = columns["osm_id"]?.scalarText,
      let number = Int64(id)
    {
      // QuickOSM and the export tool of HOT.
      let named = ["osm_type", "osm_id", "full_id", "@id"]
      columns.members.removeAll { named.contains($0.key) }
      columns["@type"] = .string(type)
      // Tables made with osm2pgsql have relations below zero.
      columns["@id"] = .integer(type == "relation" ? Int64(clamping: number.magnitude) : number)
      return
    }
    guard columns["@type"] == nil, let name = columns["@id"]?.stringValue else { return }
    let parts = name.split(separator: "/")
    guard parts.count == 2, ["node", "way", "relation"].contains(parts[0]), let id = Int64(parts[1])
    else { return }
    columns["@id"] = .integer(id)
    columns["@type"] = .string(String(parts[0]))
  }

  /// A feature of ArcGIS: its attributes and a geometry without a name of its type.
  private func readEsriFeature(_ feature: JSONObject, into row: inout SourceRow) {
    guard let attributes = feature["attributes"]?.objectValue else {
      row.fault = RowFault(
        code: "not_a_feature", detail: "The row has no attributes, as a feature of ArcGIS has.")
      return
    }
    row.columns = attributes
    let shape = feature["geometry"] ?? .null
    var geometry = JSONObject()
    if let x = shape["x"], let y = shape["y"] {
      geometry["type"] = "Point"
      geometry["coordinates"] = .array([x, y])
    } else {
      for (member, type) in [
        ("points", "MultiPoint"), ("paths", "MultiLineString"), ("rings", "Polygon"),
      ] {
        guard let coordinates = shape[member] else { continue }
        geometry["type"] = .string(type)
        geometry["coordinates"] = coordinates
      }
    }
    guard !geometry.members.isEmpty else { return }
    row.geometry = inDegrees(.object(geometry))
    row.place = GeoJSONGeometry.place(row.geometry ?? .null)
  }

  /// The geometry with its positions in degrees. A position that cannot be converted becomes null.
  private func inDegrees(_ geometry: JSONValue) -> JSONValue {
    guard let system, case .object(var object) = geometry else { return geometry }
    if let coordinates = object["coordinates"] {
      object["coordinates"] = Self.converted(coordinates, from: system)
    }
    if let members = object["geometries"]?.arrayValue {
      object["geometries"] = .array(members.map(inDegrees))
    }
    return .object(object)
  }

  private static func converted(_ coordinates: JSONValue, from system: CoordinateSystem)
    -> JSONValue
  {
    guard let elements = coordinates.arrayValue else { return .null }
    guard let x = elements.first?.numberValue, let y = coordinates[1]?.numberValue else {
      return .array(elements.map { converted($0, from: system) })
    }
    guard let position = system.degrees(x: x, y: y) else { return .null }
    return .array([.double(position.longitude), .double(position.latitude)])
  }

  /// Data about mappers (`user`, `uid`, `changeset`) is dropped.
  private static func readElement(_ element: JSONObject, into row: inout SourceRow) {
    guard let type = element["type"]?.stringValue, ["node", "way", "relation"].contains(type) else {
      row.fault = RowFault(
        code: "not_an_element", detail: "The row is not an OpenStreetMap element.")
      return
    }
    var columns = element["tags"]?.objectValue ?? JSONObject()
    columns["@type"] = .string(type)
    for name in OSMPlace.members {
      if let value = element[name], !value.isNull { columns["@" + name] = value }
    }
    if element["visible"]?.boolValue == false { columns["@deleted"] = "yes" }
    let device = (element["members"]?.arrayValue ?? []).first { member in
      member["role"]?.stringValue == "device" && member["type"]?.stringValue == "node"
    }
    if let device, let ref = device["ref"], OSMPlace.rename(&columns, to: ref),
      let place = OSMPlace.position(device["lon"], device["lat"])
    {
      row.columns = columns
      row.place = .point(longitude: place.longitude, latitude: place.latitude)
      return
    }
    row.columns = columns
    row.place = OSMPlace.place(
      type: type, longitude: element["lon"]?.numberValue, latitude: element["lat"]?.numberValue,
      center: element["center"].flatMap { OSMPlace.position($0["lon"], $0["lat"]) },
      bounds: element["bounds"].flatMap(OSMPlace.middle)
        ?? OSMPlace.middleOfShape(.object(element)))
    if type == "way", case .unusable = row.place {
      row.nodes = (element["nodes"]?.arrayValue ?? []).compactMap { $0.intValue.map(Int64.init) }
    }
  }
}
