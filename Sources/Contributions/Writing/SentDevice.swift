import Filters
import JSON
import PrivacyMap
import Service

/// A requested change of a device, read as far as possible without the database.
///
/// All work in proportion to the size of the body is done here, before the transaction. The
/// transaction only compares it with the stored device, whose size limits the work.
struct SentDevice: Sendable {
  /// The feature; for a patch, the members that it sets.
  let feature: FeatureBody
  /// The properties that a patch names; nil if the whole device was sent.
  let named: Set<String>?
  /// The values that the form reads from the properties, including unchanged ones.
  let fields: DeviceFields
  /// The faults that the form finds; they count only for changed properties.
  let faults: RequestBody
  /// A patch of members of the operator. It results in a value only together with the stored one.
  private let operatorPatch: JSONObject?
  /// Properties computed by the server for which a patch contains a value that is too long to
  /// equal the stored one.
  private let overlong: Set<String>

  /// The maximum number of JSON values within a property that the server computes.
  private static let maxComputed = 300

  /// Reads a whole device.
  ///
  /// - Throws: ``InvalidInput`` if it is malformed.
  init(whole object: JSONObject, crs: CoordinateSystem, form: DeviceForm) throws {
    feature = try FeatureBody(object, crs: crs, needsPlace: false)
    named = nil
    operatorPatch = nil
    overlong = []
    (fields, faults) = try Self.read(DeviceForm.said, of: feature, form)
    try checkForm()
  }

  /// Reads a JSON Merge Patch (RFC 7396) of a device.
  ///
  /// - Throws: ``InvalidInput`` if it is malformed.
  init(patch: JSONObject, crs: CoordinateSystem, form: DeviceForm) throws {
    var feature = try FeatureBody(Self.feature(patch), crs: crs, needsPlace: false)
    let properties = patch["properties"]?.objectValue ?? JSONObject()
    let named = Set(properties.members.map(\.key))
    overlong = Set(
      properties.members.filter { name, value in
        !DeviceForm.said.contains(name) && value.objectValue != nil
          && value.exceeds(Self.maxComputed)
      }.map(\.key))
    let who = properties["operator"]?.objectValue
    operatorPatch = who.map { who in
      JSONObject(who.members.filter { DeviceForm.ofOperator.contains($0.key) })
    }
    for (name, value) in who?.members ?? []
    where !DeviceForm.ofOperator.contains(name) && !value.isNull {
      feature.properties.fault(
        "operator." + PlainText.clipped(name), Message("error.unknown_member"))
    }
    let names = DeviceForm.said.intersection(named).subtracting(who == nil ? [] : ["operator"])
    (fields, faults) = try Self.read(names, of: feature, form)
    self.feature = feature
    self.named = named
    try checkForm()
  }

  /// Whether it changes a property whose value is `current`.
  func changes(_ name: String, from current: JSONValue?) -> Bool {
    guard let named else { return !DeviceChange.mean(current, feature.members[name]) }
    if !named.contains(name) { return false }
    if overlong.contains(name) { return true }
    let who = name == "operator" ? operatorPatch.map { JSONValue.object($0) } : nil
    return !DeviceChange.keeps(current, who ?? feature.members[name] ?? .null)
  }

  /// The members of an operator after the patch; nil if the patch does not change members of it.
  func patched(operator current: JSONValue?) -> JSONObject? {
    guard let operatorPatch else { return nil }
    var members = current?.objectValue ?? JSONObject()
    for (name, value) in operatorPatch.members { members[name] = value }
    return members
  }

  /// The feature that a patch describes. Null removes a member, so it counts as absent.
  private static func feature(_ patch: JSONObject) -> JSONObject {
    var feature = patch.withoutNulls
    if patch["type"] == nil { feature["type"] = "Feature" }
    if patch["properties"] == nil { feature["properties"] = [:] }
    if let properties = patch["properties"]?.objectValue {
      feature["properties"] = .object(properties.withoutNulls)
    }
    if let geometry = patch["geometry"]?.objectValue {
      var point = geometry.withoutNulls
      if geometry["type"] == nil { point["type"] = "Point" }
      // Without coordinates the point stays.
      let stays = geometry["coordinates"] == nil && point == ["type": "Point"]
      feature["geometry"] = stays ? nil : .object(point)
    }
    return feature
  }

  private static func read(
    _ names: Set<String>, of feature: FeatureBody, _ form: DeviceForm
  ) throws -> (DeviceFields, RequestBody) {
    var body = feature.properties.unread
    var fields = DeviceFields(name: "", category: "")
    try form.read(names, from: &body, into: &fields)
    return (fields, body)
  }

  private func checkForm() throws {
    var all = feature.body
    all.take(feature.properties)
    guard all.isMalformed else { return }
    all.take(faults)
    try all.check()
  }
}

extension JSONObject {
  fileprivate var withoutNulls: JSONObject { JSONObject(members.filter { !$0.value.isNull }) }
}

extension JSONValue {
  /// Whether it contains more than `limit` values, including itself.
  func exceeds(_ limit: Int) -> Bool {
    var left = limit
    return !count(down: &left)
  }

  private func count(down left: inout Int) -> Bool {
    left -= 1
    guard left >= 0 else { return false }
    switch self {
    case .array(let items): return items.allSatisfy { $0.count(down: &left) }
    case .object(let object): return object.members.allSatisfy { $0.value.count(down: &left) }
    default: return true
    }
  }
}
