package import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Turns a requested change of a device into an edit of the stored device.
///
/// A value that is sent back as it was received is accepted, even if the rules would refuse it as a
/// new value: imported lists contain values that no form accepts. Changed values are checked
/// strictly.
package struct DeviceChange {
  let form: DeviceForm
  let writer: DeviceWriter
  let caller: Caller
  let device: FoundDevice
  /// The device as the API shows it now.
  let current: JSONObject
  /// Whether the client had seen exactly this state, including claims and photos.
  let knewAll: Bool

  private var properties: JSONObject { current["properties"]?.objectValue ?? JSONObject() }

  /// The edit that changes the device to `sent`.
  ///
  /// - Throws: ``InvalidInput`` with the faults.
  func edit(
    _ sent: SentDevice, from stored: StoredDevice, _ connection: borrowing Connection
  ) throws -> DeviceEdit {
    let properties = self.properties
    let names = sent.named.map { DeviceForm.said.intersection($0) } ?? DeviceForm.said
    var different = names.filter { name in
      !Self.mean(properties[name], sent.wanted(name, properties[name]))
    }
    var feature = sent.feature
    // If a request does not mention precision or approximate, they stay: they protect the true
    // place.
    for name in ["precision", "approximate"] where feature.properties.value(name) == nil {
      different.remove(name)
    }
    let fields = try read(sent, different, stored, &feature.properties)
    let status = readStatus(&feature.properties, properties, sent)
    refuseDecided(sent, &feature.properties, properties)
    let placement = try readPlacement(&feature, different, stored)
    try feature.check()

    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.place = placement.moved
    var columns = Set(different.flatMap { Self.columns[$0] ?? [$0] })
    columns.formUnion(["longitude", "latitude"])
    let wanted = try writer.row(fields, at: placement.new)
      .columns(addedOn: stored.addedOn, connection)
    edit.columns = wanted.filter { column in
      columns.contains(column.name) && stored.columns[column.name] != column.value
    }
    if different.contains("choices"), stored.choices != fields.choices {
      edit.choices = fields.choices
    }
    if let status, stored.columns["status"] != .text(status.rawValue) {
      edit.columns.append(("status", .text(status.rawValue)))
    }
    settleAssumed(&edit, fields.assumed, different, sent.named, stored)
    edit.settleStaleDay(fields, vocabulary: form.vocabulary)
    return edit
  }

  /// Reads the changed properties and collects the faults of these only.
  private func read(
    _ sent: SentDevice, _ different: Set<String>, _ stored: StoredDevice,
    _ body: inout RequestBody
  ) throws -> DeviceFields {
    body.take(sent.faults, about: different)
    var fields = sent.fields
    if !different.contains("name") { fields.name = stored.text("name") ?? "" }
    if !different.contains("category") {
      fields.category = stored.text("category") ?? device.id.text
    }
    if !different.contains("operator") {
      fields.answersFor = nil
    } else if sent.isPartial("operator") {
      let merged = sent.wanted("operator", properties["operator"]) ?? .null
      var inner = try RequestBody(["operator": merged], ["operator"], prefix: "")
      try form.read(["operator"], from: &inner, into: &fields)
      body.take(inner)
    }
    return fields
  }

  /// The columns of a property, where their names differ.
  private static let columns = ["operator": ["operator_rowid"]]

  /// Reads the requested position.
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
    // The public point sent back means that the true place stays; most users know only the public
    // point. Any other place counts as a move, so that the response does not reveal whether it is
    // the true place.
    let moved = sent.place.flatMap { Self.isSame($0, shown) ? nil : $0 }
    var isApproximate = stored.columns["approximate"] == 1
    if different.contains("approximate") {
      isApproximate = sent.properties.flag("approximate") ?? isApproximate
    } else if moved != nil {
      // A person has placed it by hand.
      isApproximate = false
    }
    let placement = DeviceWriter.Placement(
      place: moved ?? stored.place ?? shown, precision: wanted ?? device.precision,
      isApproximate: isApproximate)
    return (placement, moved)
  }

  /// Equal to the published value up to two units of the seventh decimal, which conversion to other
  /// reference systems can lose.
  private static func isSame(_ one: Coordinate, _ other: Coordinate) -> Bool {
    abs(one.longitude - other.longitude) < 2.5e-7 && abs(one.latitude - other.latitude) < 2.5e-7
  }

  /// Reads the status that a moderator sets; for all other callers the server computes it.
  private func readStatus(
    _ sent: inout RequestBody, _ properties: JSONObject, _ whole: SentDevice
  ) -> DeviceStatus? {
    guard sent.value("status") != nil, sent.value("status") != properties["status"] else {
      return nil
    }
    if whole.named == nil, !knewAll { return nil }
    guard let status: DeviceStatus = sent.oneOf("status") else { return nil }
    if caller.principal?.moderates == true { return status }
    sent.refuse("status", Message("error.status_is_computed"))
    return nil
  }

  /// Refuses explicit changes to properties that only the server sets.
  private func refuseDecided(
    _ whole: SentDevice, _ sent: inout RequestBody, _ properties: JSONObject
  ) {
    for name in (whole.named ?? []).sorted()
    where !DeviceForm.said.contains(name) && !DeviceForm.asides.contains(name) && name != "status" {
      let isSame =
        !whole.overlong.contains(name)
        && Self.mean(properties[name], whole.wanted(name, properties[name]))
      if isSame { continue }
      sent.refuse(name, Message("error.decided_here"))
    }
  }

  /// Updates the list of assumed fields. A field is no longer assumed once its value changes or the
  /// request names it. It becomes assumed only if the request newly says so.
  private func settleAssumed(
    _ edit: inout DeviceEdit, _ wanted: [String], _ different: Set<String>, _ named: Set<String>?,
    _ stored: StoredDevice
  ) {
    let before = Set(stored.codes("assumed"))
    var after = different.contains("assumed") ? Set(wanted) : before
    after = after.filter { !(before.contains($0) && different.contains($0)) }
    if let named, !named.contains("assumed") { after.subtract(named) }
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

  /// Whether two values of a property are equivalent: null, missing and an empty list are, as are 1
  /// and 1.0. Stops at the first difference.
  package static func mean(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
    let (one, other) = (one ?? .null, other ?? .null)
    if one.saysNothing || other.saysNothing { return one.saysNothing && other.saysNothing }
    switch (one, other) {
    case (.array(let items), .array(let others)):
      return items.count == others.count && zip(items, others).allSatisfy { mean($0, $1) }
    case (.object(let object), .object(let another)):
      let members = object.members.filter { !$0.value.saysNothing }
      let others = another.members.filter { !$0.value.saysNothing }
      guard members.count == others.count else { return false }
      let known = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
      return others.allSatisfy { member in
        known[member.key].map { mean($0, member.value) } ?? false
      }
    default:
      return one == other || one.numberValue != nil && one.numberValue == other.numberValue
    }
  }
}

extension JSONValue {
  /// Whether it is null, an empty list, or an object with only such values.
  fileprivate var saysNothing: Bool {
    switch self {
    case .null: true
    case .array(let items): items.isEmpty
    case .object(let object): object.members.allSatisfy { $0.value.saysNothing }
    default: false
    }
  }
}

extension StoredDevice {
  func text(_ column: String) -> String? { columns[column]?.textValue }
  func number(_ column: String) -> Double? { columns[column]?.realValue }

  /// Whether a column has no value.
  func isUnknown(_ column: String) -> Bool {
    columns[column] ?? .null == .null || columns[column] == "[]"
  }

  /// The texts of a column that contains a list.
  func codes(_ column: String) -> [String] {
    let json = text(column).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    return json?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}
