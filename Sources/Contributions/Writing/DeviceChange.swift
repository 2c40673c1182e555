import Devices
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
  let features: DeviceFeatures
  let precondition: Precondition

  /// The edit that changes the device to `sent`.
  ///
  /// - Throws: ``InvalidInput`` with the faults.
  func edit(
    _ sent: SentDevice, from stored: StoredDevice, _ connection: borrowing Connection
  ) throws -> DeviceEdit {
    var different: Set<String> = []
    for property in DeviceProperty.all
    where property.isEntered && sent.named?.contains(property.name) ?? true {
      let current = try stored.value(of: property, connection)
      if sent.changes(property.name, from: current) { different.insert(property.name) }
    }
    var feature = sent.feature
    // If a request does not mention precision or approximate, they stay: they protect the true
    // place.
    for name in ["precision", "approximate"] where feature.properties.value(name) == nil {
      different.remove(name)
    }
    let fields = try read(sent, different, stored, &feature.properties, connection)
    let status = try readStatus(&feature.properties, stored, sent, connection)
    try refuseComputed(sent, &feature.properties, connection)
    let placement = try readPlacement(&feature, different, stored)
    try feature.check()

    var edit = DeviceEdit(of: stored)
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
    _ body: inout RequestBody, _ connection: borrowing Connection
  ) throws -> DeviceFields {
    body.take(sent.faults, about: different)
    var fields = sent.fields
    if !different.contains("name") { fields.name = stored.text("name") ?? "" }
    if !different.contains("category") {
      fields.category = stored.text("category") ?? device.id.text
    }
    if !different.contains("operator") {
      fields.answersFor = nil
    } else if let members = sent.patched(operator: try stored.operatorValue(connection)) {
      var inner = try RequestBody(["operator": .object(members)], ["operator"], prefix: "")
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
    _ properties: inout RequestBody, _ stored: StoredDevice, _ sent: SentDevice,
    _ connection: borrowing Connection
  ) throws -> DeviceStatus? {
    guard let wanted = properties.value("status"),
      wanted.stringValue == nil || wanted.stringValue != stored.text("status")
    else { return nil }
    // A client that had not seen the present claims sends an outdated status back with the rest.
    if sent.named == nil,
      !precondition.names(try features.feature(of: device, connection).tag)
    {
      return nil
    }
    guard let status: DeviceStatus = properties.oneOf("status") else { return nil }
    if caller.principal?.moderates == true { return status }
    properties.refuse("status", Message("error.status_is_computed"))
    return nil
  }

  /// Refuses explicit changes to properties that only the server sets.
  private func refuseComputed(
    _ sent: SentDevice, _ properties: inout RequestBody, _ connection: borrowing Connection
  ) throws {
    guard let named = sent.named else { return }
    let computed = DeviceProperty.all.filter {
      !$0.isEntered && $0.name != "status" && named.contains($0.name)
    }
    guard !computed.isEmpty else { return }
    let current = try features.values(of: computed, rowid: device.rowid, connection)
    for name in computed.map(\.name).sorted() where sent.changes(name, from: current[name]) {
      properties.refuse(name, Message("error.decided_here"))
    }
  }

  /// Updates the list of assumed fields. A field is no longer assumed once its value changes or the request names it.
  /// It becomes assumed only if the request newly lists it.
  private func settleAssumed(
    _ edit: inout DeviceEdit, _ wanted: [String], _ different: Set<String>, _ named: Set<String>?,
    _ stored: StoredDevice
  ) {
    let before = stored.assumed
    var after = different.contains("assumed") ? Set(wanted) : before
    after = after.filter { !(before.contains($0) && different.contains($0)) }
    if let named, !named.contains("assumed") { after.subtract(named) }
    let unknown = Set(edit.columns.filter(\.value.isUnknown).map(\.name))
    after = after.filter { name in
      let column = Self.columns[name]?.first ?? name
      let isUnknown =
        edit.columns.contains { $0.name == column }
        ? unknown.contains(column) : (stored.columns[column] ?? .null).isUnknown
      return !isUnknown
    }
    edit.assume(after)
  }

  /// Whether a merge patch (RFC 7396) leaves a value as it is, in the sense of ``mean(_:_:)``.
  static func keeps(_ current: JSONValue?, _ patch: JSONValue) -> Bool {
    guard let changes = patch.objectValue else { return mean(current, patch) }
    guard let object = current?.objectValue else {
      return (current ?? .null).saysNothing && patch.saysNothing
    }
    let known = Dictionary(object.members.map { ($0.key, $0.value) }) { first, _ in first }
    return changes.members.allSatisfy { keeps(known[$0.key], $0.value) }
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
  /// The stored value of a property that people set, as in responses.
  func value(
    of property: DeviceProperty, _ connection: borrowing Connection
  ) throws -> JSONValue? {
    let stored = columns[property.name] ?? .null
    return switch property.kind {
    case .answersFor: try operatorValue(connection)
    case .offeredChoices: .array(choices.map(\.json))
    case .codes, .numbers: try stored.textValue.map { try JSONValue(parsing: Array($0.utf8)) }
    case .flag: .bool(stored == 1)
    default: JSONValue(stored)
    }
  }

  /// The members of the operator; nil if none is known.
  func operatorValue(_ connection: borrowing Connection) throws -> JSONValue? {
    guard let rowid = columns["operator_rowid"]?.integerValue else { return nil }
    return try OperatorStore().members(of: rowid, connection).map { .object($0) }
  }

  func text(_ column: String) -> String? { columns[column]?.textValue }
  func number(_ column: String) -> Double? { columns[column]?.realValue }
}
