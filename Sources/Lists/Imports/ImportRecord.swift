import Devices
import Import
import JSON
import PrivacyMap

/// A device of a list with all values that can be computed before it is stored, so that the writing
/// thread has less work.
///
/// A class, because it is passed on several times and holds more than a kilobyte. It has nothing of the
/// device that its ``row`` has too.
final class ImportRecord: Sendable {
  let row: DeviceRow
  /// The number of its row in the file, counted from 1.
  let fileRow: Int
  /// The code of its category.
  let category: String
  /// The key under which its source knows it; nil if only the id of the device does.
  let ownName: ImportedDevice.Key?
  /// Its keys in other registers.
  let otherNames: [ImportedDevice.Key]
  /// Its identity if a Farol has exported it.
  let exported: ExportedRecord?
  /// Hashes of ``names`` without the versions of the record.
  let nameHashes: [Int]
  /// The id of the device, if it is new.
  let id: DeviceID
  /// Whether a known device keeps its position.
  let keepsKnownPosition: Bool
  /// The additional columns as a JSON object; nil without such columns.
  let tags: String?

  /// The key in its source without the namespace.
  var key: String? { ownName?.key }

  /// All its keys, the source's own key first.
  var names: [ImportedDevice.Key] { (ownName.map { [$0] } ?? []) + otherNames }

  /// The position stated by the source.
  var coordinate: Coordinate { row.placement.place }

  /// - Parameters:
  ///   - device: the device.
  ///   - key: the key under which its source knows it.
  ///   - source: the code of the source.
  ///   - writer: computes the values.
  init(_ device: ImportedDevice, key: String, of source: String, _ writer: DeviceWriter) {
    category = device.fields.category
    fileRow = device.row
    exported = device.exported
    ownName =
      device.exported != nil && device.sourceKey == nil
      ? nil : ImportedDevice.Key(namespace: source, key: key)
    otherNames = device.otherKeys
    nameHashes = ((ownName.map { [$0] } ?? []) + otherNames).map(\.unversioned.hashValue)
    id = device.exported?.id ?? writer.environment.newDeviceID()
    keepsKnownPosition = device.keepsKnownPosition
    row = writer.row(
      // An exported record states its assumptions itself.
      device.exported == nil
        ? Self.withAssumptions(device.fields, writer.vocabulary) : device.fields,
      at: Self.placement(of: device, writer.vocabulary))
    tags = Self.json(device.tags)
  }

  /// The position of a device with its precision: by default, its category's precision.
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
