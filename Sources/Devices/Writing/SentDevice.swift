import JSON
import PrivacyMap
import Service

/// A requested change of a device, read as far as possible without the database.
///
/// All work in proportion to the size of the body is done here, before the transaction. The transaction
/// only compares it with the stored device, whose size limits the work.
struct SentDevice: Sendable {
  /// The feature; for a patch, the members that it sets.
  let feature: FeatureBody
  /// The properties that a patch names; nil if the whole device was sent.
  let named: Set<String>?
  /// The values that the form reads from the properties, including unchanged ones.
  let fields: DeviceFields
  /// The faults that the form finds; they count only for changed properties.
  let faults: RequestBody
  /// Patches of members of objects; they result in a value only together with the stored object.
  private let partial: [String: JSONValue]
  /// Properties set by the server for which a patch contains a value that is too long to equal the stored
  /// one.
  let overlong: Set<String>

  /// The maximum number of JSON values within a property that the server sets.
  private static let mostDecided = 300
  /// The maximum length, in bytes, of an operator text to compare with the stored one.
  private static let mostText = 8_000

  /// Reads a whole device.
  ///
  /// - Throws: ``InvalidInput`` if it is malformed.
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
  /// - Throws: ``InvalidInput`` if it is malformed.
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

  /// The requested value of a property whose current value is `current`.
  func wanted(_ name: String, _ current: JSONValue?) -> JSONValue? {
    guard let named else { return feature.members[name] }
    guard named.contains(name) else { return current }
    return partial[name].map { MergePatch.apply($0, to: current) } ?? feature.members[name]
  }

  /// Whether the requested value depends on the current value, through ``wanted(_:_:)``.
  func isPartial(_ name: String) -> Bool { partial[name] != nil }

  /// Applies a patch to an empty feature.
  private static func whole(_ patch: JSONObject) -> JSONObject {
    var start: JSONObject = ["type": "Feature", "properties": [:]]
    let geometry = patch["geometry"]
    if geometry?.objectValue != nil { start["geometry"] = ["type": "Point"] }
    var merged = MergePatch.apply(.object(patch), to: .object(start)).objectValue ?? start
    // The patch has no coordinates: the point stays.
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
