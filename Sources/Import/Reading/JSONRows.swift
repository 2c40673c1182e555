import JSON

/// Converts the JSON of one element to a row.
struct JSONRows {
  /// The kind of the elements.
  enum Kind { case plain, feature, osmElement }

  let kind: Kind

  func row(_ bytes: [UInt8], number: Int, line: Int) -> SourceRow {
    var row = SourceRow(number: number, line: line, columns: JSONObject())
    do throws(InvalidJSON) {
      guard case .object(let object) = try JSONValue(parsing: bytes, options: .lenient) else {
        row.fault = RowFault(code: "not_an_object", detail: "The row is not a JSON object.")
        return row
      }
      switch kind {
      case .plain: row.columns = object
      case .feature: Self.readFeature(object, into: &row)
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

  private static func readFeature(_ feature: JSONObject, into row: inout SourceRow) {
    guard feature["type"]?.stringValue == "Feature" else {
      row.fault = RowFault(code: "not_a_feature", detail: "The row is not a GeoJSON feature.")
      return
    }
    row.columns = feature["properties"]?.objectValue ?? JSONObject()
    if let id = feature["id"], !id.isNull, row.columns["@id"] == nil {
      row.columns.members.append(("@id", id))
    }
    row.geometry = feature["geometry"]
    row.place = GeoJSONGeometry.place(feature["geometry"] ?? .null)
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
  }
}
