import JSON
import PrivacyMap
import SpatialDatabase

/// A change of a device as a person asked for it, turned into an edit of what is stored.
///
/// What is sent as it was got is unchanged, whatever rules it would fail as new: lists bring values
/// that no form would take. What differs is read strictly.
struct DeviceChange {
  let form: DeviceForm
  let writer: DeviceWriter
  let caller: Caller
  let device: FoundDevice
  /// What the interface shows of the device now.
  let current: JSONObject

  /// How much a request says.
  enum Extent {
    /// The whole device: what is left out becomes unknown. `knewAll` when the client had seen what is
    /// shown now, claims and photos included.
    case whole(knewAll: Bool)
    /// Only these properties.
    case named(Set<String>)
  }

  /// What differs between the device and `sent`, ready to be written.
  ///
  /// - Throws: ``InvalidInput`` with every fault.
  func edit(
    _ sent: FeatureBody, _ extent: Extent, from stored: StoredDevice,
    _ connection: borrowing Connection
  ) throws -> DeviceEdit {
    var sent = sent
    let properties = current["properties"]?.objectValue ?? JSONObject()
    var different = DeviceForm.said.filter { name in
      !Self.say(properties[name], sent.members[name], theSame: name)
    }
    // Where nothing is said of them, what protects a place stays.
    for name in ["precision", "approximate"] where sent.properties.value(name) == nil {
      different.remove(name)
    }
    var fields = DeviceFields(
      name: stored.text("name") ?? "", category: stored.text("category") ?? device.id.text)
    try form.read(
      different.subtracting(["precision", "approximate"]), from: &sent.properties, into: &fields)
    let status = readStatus(&sent.properties, properties, extent)
    if case .named(let names) = extent {
      refuseDecided(names, &sent.properties, properties)
    }
    let placement = try readPlacement(&sent, different, stored)
    try sent.check()

    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.place = placement.moved
    var names = Set(different.flatMap { Self.columns[$0] ?? [$0] })
    names.formUnion(["longitude", "latitude"])
    let wanted = try writer.row(fields, at: placement.new)
      .columns(addedOn: stored.addedOn, connection)
    edit.columns = wanted.filter { column in
      names.contains(column.name) && stored.columns[column.name] != column.value
    }
    if different.contains("choices"), stored.choices != fields.choices {
      edit.choices = fields.choices
    }
    if let status, stored.columns["status"] != .text(status.rawValue) {
      edit.columns.append(("status", .text(status.rawValue)))
    }
    settleAssumed(&edit, fields.assumed, different, extent, stored)
    edit.settleStaleDay(fields, vocabulary: form.vocabulary)
    return edit
  }

  /// The columns of a property, where they are called otherwise.
  private static let columns = ["operator": ["operator_rowid"]]

  /// Where the device is to stand.
  private func readPlacement(
    _ sent: inout FeatureBody, _ different: Set<String>, _ stored: StoredDevice
  ) throws -> (new: DeviceWriter.Placement, moved: Coordinate?) {
    let wanted: Precision? =
      different.contains("precision") ? sent.properties.oneOf("precision") : nil
    if let wanted, wanted.isFiner(than: device.precision), !device.isTrusted(to: caller) {
      sent.properties.refuse("precision", Message("error.finer_precision"))
    }
    let shown = try Coordinate(
      longitude: stored.number("longitude") ?? 0, latitude: stored.number("latitude") ?? 0)
    // The public point sent back means the true one, which most people do not know. Whether another
    // place is the true one is not told: it counts as moved.
    let moved = sent.place.flatMap { Self.isSame($0, shown) ? nil : $0 }
    var isApproximate = stored.columns["approximate"] == 1
    if different.contains("approximate") {
      isApproximate = sent.properties.flag("approximate") ?? isApproximate
    } else if moved != nil {
      // Somebody has placed it by hand.
      isApproximate = false
    }
    let placement = DeviceWriter.Placement(
      place: moved ?? stored.place ?? shown, precision: wanted ?? device.precision,
      isApproximate: isApproximate)
    return (placement, moved)
  }

  /// Equal to what was published: two units of the seventh decimal, which other reference systems
  /// lose on the way.
  private static func isSame(_ one: Coordinate, _ other: Coordinate) -> Bool {
    abs(one.longitude - other.longitude) < 2.5e-7 && abs(one.latitude - other.latitude) < 2.5e-7
  }

  /// The status a moderator gives; it is computed for everybody else.
  private func readStatus(
    _ sent: inout RequestBody, _ properties: JSONObject, _ extent: Extent
  ) -> DeviceStatus? {
    guard sent.value("status") != nil, sent.value("status") != properties["status"] else {
      return nil
    }
    if case .whole(knewAll: false) = extent { return nil }
    guard let status: DeviceStatus = sent.oneOf("status") else { return nil }
    if caller.principal?.moderates == true { return status }
    sent.refuse("status", Message("error.status_is_computed"))
    return nil
  }

  /// Refuses a change of what only the server says, where it is named on purpose.
  private func refuseDecided(
    _ names: Set<String>, _ sent: inout RequestBody, _ properties: JSONObject
  ) {
    for name in names.sorted()
    where !DeviceForm.said.contains(name) && !DeviceForm.asides.contains(name) && name != "status" {
      guard !Self.say(properties[name], sent.value(name), theSame: name) else { continue }
      sent.refuse(name, Message("error.decided_here"))
    }
  }

  /// Makes the list of assumed fields follow: a field is assumed no longer when its value changes or
  /// somebody names it, and becomes so only when the request says so newly.
  private func settleAssumed(
    _ edit: inout DeviceEdit, _ wanted: [String], _ different: Set<String>, _ extent: Extent,
    _ stored: StoredDevice
  ) {
    let before = Set(stored.codes("assumed"))
    var after = different.contains("assumed") ? Set(wanted) : before
    after = after.filter { !(before.contains($0) && different.contains($0)) }
    if case .named(let names) = extent, !names.contains("assumed") { after.subtract(names) }
    let unknown = Set(edit.columns.filter { $0.value == .null || $0.value == "[]" }.map(\.name))
    after = after.filter { name in
      let column = Self.columns[name]?.first ?? name
      let isUnknown =
        edit.columns.contains { $0.name == column }
        ? unknown.contains(column) : stored.isUnknown(column)
      return !isUnknown
    }
    edit.columns.removeAll { $0.name == "assumed" }
    if after != before {
      edit.columns.append(("assumed", .text(JSONText.strings(after.sorted()))))
    }
  }

  /// Whether two values of a property mean the same: null, nothing and an empty list do, as do 1 and
  /// 1.0, and codes in any order.
  static func say(_ one: JSONValue?, _ other: JSONValue?, theSame name: String) -> Bool {
    plain(one) == plain(other)
  }

  private static func plain(_ value: JSONValue?) -> JSONValue {
    switch value {
    case nil, .null: return .null
    case .integer(let number): return .double(Double(number))
    case .array(let items) where items.isEmpty: return .null
    case .array(let items): return .array(items.map(plain))
    case .object(let object):
      let members = object.members.map { (key: $0.key, value: plain($0.value)) }
        .filter { $0.value != .null }.sorted { $0.key < $1.key }
      return members.isEmpty ? .null : .object(JSONObject(members))
    case .some(let value): return value
    }
  }
}

extension StoredDevice {
  func text(_ column: String) -> String? { columns[column]?.textValue }
  func number(_ column: String) -> Double? { columns[column]?.realValue }

  /// Whether a column says nothing.
  func isUnknown(_ column: String) -> Bool {
    columns[column] ?? .null == .null || columns[column] == "[]"
  }

  /// The texts of a column that holds a list.
  func codes(_ column: String) -> [String] {
    let json = text(column).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    return json?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}
