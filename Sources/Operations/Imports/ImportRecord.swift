import Devices
import Import
import JSON
import PrivacyMap
import Service

/// A device of a list with all values that can be computed before it is stored, so that the writing
/// thread has less work.
struct ImportRecord: Sendable {
  let device: ImportedDevice
  /// The key under which its source knows it.
  let ownName: ImportedDevice.Key
  let row: DeviceRow
  /// The additional columns as a JSON object; nil without such columns.
  let tags: String?

  /// The key without the namespace.
  var key: String { ownName.key }

  /// All its keys.
  var names: [ImportedDevice.Key] { [ownName] + device.otherKeys }

  init(_ device: ImportedDevice, key: String, of source: String, _ writer: DeviceWriter) {
    self.device = device
    ownName = ImportedDevice.Key(namespace: source, key: key)
    row = writer.row(
      Self.withAssumptions(device.fields, writer.vocabulary),
      at: Self.placement(of: device, writer.vocabulary))
    tags = Self.json(device.tags)
  }

  /// The position of a device with its precision: by default, that of its category.
  static func placement(
    of device: ImportedDevice, _ vocabulary: Vocabulary
  ) -> DeviceWriter.Placement {
    let isHousehold = vocabulary.category(device.fields.category)?.isHousehold ?? false
    return DeviceWriter.Placement(
      place: device.coordinate,
      precision: device.precision ?? (isHousehold ? .kilometre : .exact),
      isApproximate: device.isApproximate)
  }

  /// Adds the data that such a device usually collects, marked as assumed, if the list does not contain
  /// them.
  private static func withAssumptions(
    _ fields: DeviceFields, _ vocabulary: Vocabulary
  ) -> DeviceFields {
    guard fields.dataCollected.isEmpty,
      let usual = vocabulary.category(fields.category)?.collects, !usual.isEmpty
    else { return fields }
    var fields = fields
    fields.dataCollected = usual
    fields.assumed.append("data_collected")
    return fields
  }

  private static func json(_ tags: [ImportedDevice.Tag]) -> String? {
    guard !tags.isEmpty else { return nil }
    return JSONValue.object(JSONObject(tags.map { ($0.key, .string($0.value)) })).text
  }
}

extension ImportedDevice.Key {
  /// The key without the version of the record.
  var unversioned: Self { Self(namespace: namespace, key: key) }
}
