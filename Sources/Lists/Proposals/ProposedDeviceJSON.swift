import Devices
import Import
import JSON
import PrivacyMap

/// Writes a device of a list as JSON and reads it back unchanged, without its notes and its keys in other registers.
enum ProposedDeviceJSON {
  /// Without registers of others: a proposal adds devices and changes none that another list describes.
  static func json(_ device: ImportedDevice) -> JSONObject {
    var json = properties(device.fields)
    json["row"] = .integer(Int64(device.row))
    json["line"] = device.line.map { .integer(Int64($0)) }
    json["part"] = device.part.map { .integer(Int64($0)) }
    json["key"] = device.sourceKey.map(JSONValue.string)
    json["longitude"] = .double(device.coordinate.longitude)
    json["latitude"] = .double(device.coordinate.latitude)
    if device.isApproximate { json["approximate"] = true }
    if device.keepsKnownPosition { json["keeps_position"] = true }
    json["precision"] = device.precision.map { .string($0.rawValue) }
    if !device.tags.isEmpty {
      json["tags"] = .array(device.tags.map { .array([.string($0.key), .string($0.value)]) })
    }
    return json
  }

  /// The properties that the list states, by their names in the API.
  static func properties(_ fields: DeviceFields) -> JSONObject {
    var json = JSONObject()
    json["name"] = .string(fields.name)
    json["category"] = .string(fields.category)
    json["status"] = .string(fields.status.rawValue)
    for property in DeviceProperty.plain { json[property.name] = value(property, of: fields) }
    json["operator"] = fields.answersFor.map { .object(self.operator($0)) }
    if !fields.choices.isEmpty { json["choices"] = .array(fields.choices.map(\.json)) }
    if !fields.assumed.isEmpty { json["assumed"] = texts(fields.assumed) }
    return json
  }

  /// Nil for an unknown value. A bare `nil` in a conditional expression would be the JSON null.
  private static func value(_ property: DeviceProperty, of fields: DeviceFields) -> JSONValue? {
    switch property.entry {
    case .text(let path, _, _), .code(let path, _), .word(let path, _), .duration(let path),
      .date(let path):
      fields[keyPath: path].map(JSONValue.string)
    case .codes(let path, _, _):
      fields[keyPath: path].isEmpty ? JSONValue?.none : texts(fields[keyPath: path])
    case .integer(let path, _): fields[keyPath: path].map { .integer(Int64($0)) }
    case .number(let path, _): fields[keyPath: path].map(JSONValue.double)
    case .day(let path): fields[keyPath: path].map { .string($0.text) }
    case .bearings:
      fields.bearings.isEmpty
        ? JSONValue?.none : JSONValue.array(fields.bearings.map(JSONValue.double))
    case .own, .computed: nil
    }
  }

  private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  private static func `operator`(_ who: Operator) -> JSONObject {
    var json = JSONObject()
    json["name"] = who.name.map(JSONValue.string)
    json["kind"] = .string(who.kind.rawValue)
    json["contact"] = who.contact.map(JSONValue.string)
    json["privacy_policy"] = who.privacyPolicy.map(JSONValue.string)
    json["data_protection_contact"] = who.dataProtectionContact.map(JSONValue.string)
    return json
  }

  /// - Returns: nil if a necessary member is missing or out of range.
  static func device(_ json: JSONObject) -> ImportedDevice? {
    guard let row = json["row"]?.intValue, let name = json["name"]?.stringValue,
      let category = json["category"]?.stringValue,
      let longitude = json["longitude"]?.numberValue,
      let latitude = json["latitude"]?.numberValue,
      let place = try? Coordinate(longitude: longitude, latitude: latitude)
    else { return nil }
    var fields = DeviceFields(name: name, category: category)
    read(json, into: &fields)
    var device = ImportedDevice(ofRow: row, fields, at: place)
    device.line = json["line"]?.intValue
    device.part = json["part"]?.intValue
    device.sourceKey = json["key"]?.stringValue
    device.isApproximate = json["approximate"]?.boolValue ?? false
    device.keepsKnownPosition = json["keeps_position"]?.boolValue ?? false
    device.precision = json["precision"]?.stringValue.flatMap(Precision.init(rawValue:))
    device.tags = (json["tags"]?.arrayValue ?? []).compactMap { tag in
      guard let pair = tag.arrayValue, pair.count == 2, let key = pair[0].stringValue,
        let value = pair[1].stringValue
      else { return nil }
      return ImportedDevice.Tag(key, value)
    }
    return device
  }

  private static func read(_ json: JSONObject, into fields: inout DeviceFields) {
    fields.status =
      json["status"]?.stringValue.flatMap(DeviceStatus.init(rawValue:)) ?? fields.status
    for property in DeviceProperty.plain {
      guard let value = json[property.name] else { continue }
      read(value, property, into: &fields)
    }
    fields.answersFor = json["operator"]?.objectValue.map(self.operator)
    fields.choices = (json["choices"]?.arrayValue ?? []).compactMap { OfferedChoice($0) }
    fields.assumed = texts(json["assumed"])
  }

  private static func read(
    _ value: JSONValue, _ property: DeviceProperty, into fields: inout DeviceFields
  ) {
    switch property.entry {
    case .text(let path, _, _), .code(let path, _), .word(let path, _), .duration(let path),
      .date(let path):
      fields[keyPath: path] = value.stringValue
    case .codes(let path, _, _): fields[keyPath: path] = texts(value)
    case .integer(let path, _): fields[keyPath: path] = value.intValue
    case .number(let path, _): fields[keyPath: path] = value.numberValue
    case .day(let path): fields[keyPath: path] = value.stringValue.flatMap { Day(text: $0) }
    case .bearings: fields.bearings = (value.arrayValue ?? []).compactMap(\.numberValue)
    case .own, .computed: break
    }
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.arrayValue ?? []).compactMap(\.stringValue)
  }

  private static func `operator`(_ json: JSONObject) -> Operator {
    var who = Operator(
      name: json["name"]?.stringValue,
      kind: json["kind"]?.stringValue.flatMap(Operator.Kind.init(rawValue:)) ?? .unknown)
    who.contact = json["contact"]?.stringValue
    who.privacyPolicy = json["privacy_policy"]?.stringValue
    who.dataProtectionContact = json["data_protection_contact"]?.stringValue
    return who
  }
}
