import JSON
package import Pictures
package import PrivacyMap
package import SpatialDatabase

/// The stored values of a device, for comparison with the requested values.
package struct StoredDevice {
  package let revision: Int64
  package let addedOn: Day
  package let place: Coordinate?
  package let choices: [OfferedChoice]
  /// The photos that are not deleted, in their order.
  package let photos: [KeptPhoto]
  /// The columns that an edit may change, by name.
  package let columns: [String: SQLValue]

  package static let editable = DeviceRow.names + ["hidden"]

  /// Whether it left the map because its import was undone.
  var isWithdrawn: Bool { columns["hidden"] == 2 }

  var precision: Precision {
    columns["precision"]?.textValue.flatMap(Precision.init(rawValue:)) ?? .area
  }

  /// Whether a placement is only the public point of this device, which reveals nothing new about its true place.
  func isShown(at placement: DeviceWriter.Placement) -> Bool {
    placement.place == placement.publicPoint && placement.precision == precision
      && columns["longitude"] == .real(placement.place.longitude)
      && columns["latitude"] == .real(placement.place.latitude)
  }

  /// The public point after an edit.
  func publicPoint(after edit: DeviceEdit) -> Coordinate {
    func degrees(_ name: String) -> Double {
      (edit.columns.last { $0.name == name }?.value ?? columns[name])?.realValue ?? 0
    }
    return .clamped(longitude: degrees("longitude"), latitude: degrees("latitude"))
  }

  /// - Returns: nil when the row does not exist.
  ///
  /// The true place is read only with `withPlace`; a connection for public data refuses this.
  package init?(rowid: Int64, withPlace: Bool = true, _ connection: borrowing Connection) throws {
    let position = withPlace ? "device_location.longitude, device_location.latitude" : "NULL, NULL"
    let join =
      withPlace ? "LEFT JOIN device_location ON device_location.device_rowid = device.rowid" : ""
    let found = try connection.first(
      """
      SELECT \(Self.editable.map { "device.\($0)" }.joined(separator: ", ")),
        device.revision, device.created_at, \(position)
      FROM device \(join) WHERE device.rowid = ?
      """, [.integer(rowid)]
    ) { row in
      var columns: [String: SQLValue] = [:]
      for (position, name) in Self.editable.enumerated() { columns[name] = row.value(position) }
      let next = Self.editable.count
      return (
        columns, row.int(next), row.text(next + 1),
        row.isNull(next + 2)
          ? nil
          : try? Coordinate(longitude: row.double(next + 2), latitude: row.double(next + 3))
      )
    }
    guard let found else { return nil }
    columns = found.0
    revision = found.1
    addedOn = Timestamp(text: found.2)?.day ?? Day(daysSinceEpoch: 0)
    place = found.3
    choices = try OfferedChoice.all(of: rowid, connection)
    photos = try KeptPhoto.all(of: rowid, connection)
  }

  /// The member of `revision.before` that marks a move of the true place inside the cell of the public point. It has no
  /// value: true places are stored in `revision_location` only.
  package static let exactPlace = "exact_place"

  /// The stored values of the columns, choices and photos that an edit changes.
  func json(changedBy edit: DeviceEdit) -> String {
    var json = JSONWriter()
    json.beginObject()
    for column in edit.columns {
      json.key(column.name)
      json.value(JSONValue(columns[column.name] ?? .null))
    }
    if edit.choices != nil {
      json.key("choices_offered")
      json.beginArray()
      for choice in choices { json.choice(choice) }
      json.endArray()
    }
    if edit.movesInsideCell {
      json.key(Self.exactPlace)
      json.null()
    }
    if edit.photos != nil {
      json.key("photos")
      json.beginArray()
      for photo in photos { photo.write(to: &json) }
      json.endArray()
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension StoredDevice {
  /// The fields whose values are assumed.
  package var assumed: Set<String> { Set((columns["assumed"] ?? .null).codes) }
}

extension SQLValue {
  /// Whether it is NULL or an empty list.
  package var isUnknown: Bool { self == .null || self == "[]" }

  /// The texts of a list in JSON.
  var codes: [String] {
    let json = textValue.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    return json?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}

extension JSONWriter {
  /// Writes a choice with the members that are set.
  fileprivate mutating func choice(_ choice: OfferedChoice) {
    beginObject()
    member("kind", choice.kind)
    for (name, text) in [
      ("channel", choice.channel?.rawValue), ("target", choice.target),
      ("instructions", choice.instructions), ("checked_on", choice.checkedOn?.text),
    ] {
      guard let text else { continue }
      key(name)
      string(text)
    }
    if let days = choice.deadlineDays {
      key("deadline_days")
      integer(days)
    }
    endObject()
  }
}
