import JSON
import PrivacyMap

/// A change of a device as it was sent, read as far as it can be without the database.
///
/// All that takes time in proportion to the body is done here, before the transaction. What remains for it
/// is to compare with what is stored, whose size bounds the work.
struct SentDevice: Sendable {
  /// The feature; of a patch what it sets.
  let feature: FeatureBody
  /// The properties that a patch names; nil where the whole device was sent.
  let named: Set<String>?
  /// What the form reads in the properties, unchanged ones too.
  let fields: DeviceFields
  /// What the form would refuse of them, if they are changed.
  let faults: RequestBody
  /// What a patch says of members of objects: only with what is stored does it make a value.
  private let partial: [String: JSONValue]
  /// What a patch says of properties that the server decides, and at such length that it cannot be what
  /// is stored.
  let overlong: Set<String>

  /// Values within a property that the server decides, at most.
  private static let mostDecided = 300
  /// Bytes of a text of an operator that is worth comparing with what is stored.
  private static let mostText = 8_000

  /// Reads a whole device.
  ///
  /// - Throws: ``InvalidInput`` where it is malformed.
  init(whole object: JSONObject, crs: CoordinateSystem, form: DeviceForm) throws {
    feature = try FeatureBody(object, crs: crs, needsPlace: false)
    named = nil
    partial = [:]
    overlong = []
    (fields, faults) = try Self.read(DeviceForm.said, of: feature, form)
    try checkForm()
  }

  /// Reads a JSON Merge Patch (RFC 7396) of a device.
  ///
  /// - Throws: ``InvalidInput`` where it is malformed.
  init(patch: JSONObject, crs: CoordinateSystem, form: DeviceForm) throws {
    feature = try FeatureBody(Self.whole(patch), crs: crs, needsPlace: false)
    let properties = patch["properties"]?.objectValue ?? JSONObject()
    let names = Set(properties.members.map(\.key))
    named = names
    let objects = properties.members.filter { $0.value.objectValue != nil }
    let overlong = Set(
      objects.filter { !DeviceForm.said.contains($0.key) && $0.value.exceeds(Self.mostDecided) }
        .map(\.key))
    var partial: [String: JSONValue] = [:]
    for (name, value) in objects where !overlong.contains(name) { partial[name] = value }
    var longText: String?
    if let who = partial["operator"]?.objectValue {
      longText = who.members.first { ($0.value.stringValue?.utf8.count ?? 0) > Self.mostText }?.key
      if longText != nil { partial["operator"] = nil }
    }
    self.overlong = overlong
    self.partial = partial
    var (fields, faults) = try Self.read(
      DeviceForm.said.intersection(names).subtracting(partial.keys)
        .subtracting(longText == nil ? [] : ["operator"]), of: feature, form)
    if let longText {
      faults.refuse(
        "operator." + PlainText.clipped(longText),
        PlainText.tooLong(1...Self.mostText))
    }
    self.fields = fields
    self.faults = faults
    try checkForm()
  }

  /// What is wanted of a property, where the device has `current`.
  func wanted(_ name: String, _ current: JSONValue?) -> JSONValue? {
    guard let named else { return feature.members[name] }
    guard named.contains(name) else { return current }
    return partial[name].map { MergePatch.apply($0, to: current) } ?? feature.members[name]
  }

  /// Whether only ``wanted(_:_:)`` tells what a property is to be.
  func isPartial(_ name: String) -> Bool { partial[name] != nil }

  /// A patch as the feature that it makes of one that says nothing.
  private static func whole(_ patch: JSONObject) -> JSONObject {
    var start: JSONObject = ["type": "Feature", "properties": [:]]
    let geometry = patch["geometry"]
    if geometry?.objectValue != nil { start["geometry"] = ["type": "Point"] }
    var merged = MergePatch.apply(.object(patch), to: .object(start)).objectValue ?? start
    // Nothing is said of the point: it stays.
    if merged["geometry"] == ["type": "Point"], geometry?["coordinates"] == nil {
      merged["geometry"] = nil
    }
    return merged
  }

  private static func read(
    _ names: Set<String>, of feature: FeatureBody, _ form: DeviceForm
  ) throws -> (DeviceFields, RequestBody) {
    var body = feature.properties.unread
    var fields = DeviceFields(name: "", category: "")
    try form.read(names.subtracting(["precision", "approximate"]), from: &body, into: &fields)
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

extension JSONValue {
  /// Whether it holds more than `limit` values, itself counted.
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
