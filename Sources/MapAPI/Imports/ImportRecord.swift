import Import
import JSON
import PrivacyMap

/// A device of a list with all that can be said of it before it is stored, so that the thread that stores
/// has less to do.
struct ImportRecord: Sendable {
  let device: ImportedDevice
  /// The name that its source knows it by.
  let ownName: ImportedDevice.Key
  let row: DeviceRow
  /// The further columns as a JSON object; nil where there are none.
  let tags: String?

  /// The name without the register.
  var key: String { ownName.key }

  /// All that it may be known by.
  var names: [ImportedDevice.Key] { [ownName] + device.otherKeys }

  init(_ device: ImportedDevice, key: String, of source: String, _ writer: DeviceWriter) {
    self.device = device
    ownName = ImportedDevice.Key(namespace: source, key: key)
    let isHousehold = writer.vocabulary.category(device.fields.category)?.isHousehold ?? false
    row = writer.row(
      Self.withAssumptions(device.fields, writer.vocabulary),
      at: DeviceWriter.Placement(
        place: device.coordinate,
        precision: device.precision ?? (isHousehold ? .kilometre : .exact),
        isApproximate: device.isApproximate))
    tags = Self.json(device.tags)
  }

  /// What such a device usually collects, said to be assumed, where its list does not tell.
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
    var json = JSONWriter()
    json.beginObject()
    for tag in tags {
      json.key(tag.key)
      json.string(tag.value)
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension ImportedDevice.Key {
  /// The same in every version of its record.
  var unversioned: Self { Self(namespace: namespace, key: key) }
}
