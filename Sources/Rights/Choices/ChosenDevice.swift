import Devices
import JSON
import PrivacyMap
import SpatialDatabase

/// The data of a device in letters and ledgers: its public data on a certain day.
struct ChosenDevice: Sendable {
  let id: String
  var name: String
  var category: String
  /// The public point, in degrees.
  var longitude: Double
  var latitude: Double
  var country: String?
  var legalBasis: String?
  var purposes: [String]
  var dataCollected: [String]
  var retention: String?
  var operatorName: String?
  var operatorContact: String?
  var protectionContact: String?
  var privacyPolicy: String?
  /// The path of the first public photo.
  var photo: String?
  /// Nil if the device is no longer on the map.
  var status: String?
  /// Whether the device may be in a country other than ``country``.
  var isCountryUncertain = false
  var operatorKind: String?
  var manufacturer: String?

  /// The facts on which the displayed name depends.
  var named: DeviceNames.Facts {
    DeviceNames.Facts(
      name: name, category: category, manufacturer: manufacturer, operatorName: operatorName,
      position: .clamped(longitude: longitude, latitude: latitude))
  }

  /// The record's country, or `asked` if the record's country is unknown, or uncertain while `asked` is known.
  func country(orRather asked: String?) -> String? {
    guard let country, !isCountryUncertain || asked == nil else { return asked }
    return country
  }
}

extension ChosenDevice {
  /// Reads a public device; nil if it is hidden or does not exist.
  init?(_ id: String, _ connection: borrowing Connection) throws {
    let found = try connection.first(
      """
      SELECT device.id, device.name, device.category, device.longitude, device.latitude,
        device.country, device.legal_basis, device.purposes, device.data_collected,
        device.retention, operator.name, operator.contact, operator.data_protection_contact,
        operator.privacy_policy, device.status,
        (SELECT photo.id FROM photo WHERE photo.device_rowid = device.rowid
          AND photo.state = 'public' ORDER BY photo.position LIMIT 1),
        device.country_uncertain, operator.kind, device.manufacturer
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
      WHERE device.id = ? AND device.hidden = 0
      """, [.text(id)]
    ) { row in
      ChosenDevice(
        id: row.text(0), name: row.text(1), category: row.text(2), longitude: row.double(3),
        latitude: row.double(4), country: row.optionalText(5), legalBasis: row.optionalText(6),
        purposes: Self.codes(row.text(7)), dataCollected: Self.codes(row.text(8)),
        retention: row.optionalText(9), operatorName: row.optionalText(10),
        operatorContact: row.optionalText(11), protectionContact: row.optionalText(12),
        privacyPolicy: row.optionalText(13),
        photo: row.optionalText(15).map { "/api/photos/\($0)?size=large" },
        status: row.text(14), isCountryUncertain: row.bool(16), operatorKind: row.optionalText(17),
        manufacturer: row.optionalText(18))
    }
    guard let found else { return nil }
    self = found
    try takeRegisteredOperator(connection)
  }

  /// If the record names no operator, letters name the organisation that has claimed the device.
  private mutating func takeRegisteredOperator(_ connection: borrowing Connection) throws {
    guard operatorName == nil,
      let details = try DeviceOwnershipStore.standing(of: id, connection)?.details
    else { return }
    operatorName = details.name
    protectionContact = protectionContact ?? details.dataProtectionContact
    operatorContact = operatorContact ?? details.contact
    privacyPolicy = privacyPolicy ?? details.privacyPolicy
  }

  /// The offers of the device, in the order of its record.
  static func offers(
    of id: String, _ connection: borrowing Connection
  ) throws -> [OfferedChoice] {
    guard
      let device = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
    else { return [] }
    return try OfferedChoice.all(of: device, connection)
  }

  /// The offers that contributors recorded, then the offers that the operator states.
  static func allOffers(
    of id: String, _ connection: borrowing Connection
  ) throws -> [OfferedChoice] {
    try offers(of: id, connection) + Statement.offers(of: id, connection)
  }

  static func codes(_ json: String) -> [String] {
    ((try? JSONValue(parsing: Array(json.utf8)))?.arrayValue ?? []).compactMap(\.stringValue)
  }
}

extension ChosenDevice {
  /// The form in which a ledger stores the device.
  var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "name": .string(name), "category": .string(category), "longitude": .double(longitude),
      "latitude": .double(latitude), "country": text(country), "legal_basis": text(legalBasis),
      "purposes": .array(purposes.map { .string($0) }),
      "data_collected": .array(dataCollected.map { .string($0) }),
      "retention": text(retention), "operator": text(operatorName),
      "contact": text(operatorContact), "data_protection_contact": text(protectionContact),
      "privacy_policy": text(privacyPolicy), "photo": text(photo),
      "operator_kind": text(operatorKind), "manufacturer": text(manufacturer),
    ]
  }

  /// Reads the stored form; nil if it is not a device.
  init?(id: String, kept: JSONValue) {
    guard let name = kept["name"]?.stringValue, let category = kept["category"]?.stringValue else {
      return nil
    }
    func texts(_ member: String) -> [String] {
      kept[member]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    self.init(
      id: id, name: name, category: category, longitude: kept["longitude"]?.numberValue ?? 0,
      latitude: kept["latitude"]?.numberValue ?? 0, country: kept["country"]?.stringValue,
      legalBasis: kept["legal_basis"]?.stringValue, purposes: texts("purposes"),
      dataCollected: texts("data_collected"), retention: kept["retention"]?.stringValue,
      operatorName: kept["operator"]?.stringValue, operatorContact: kept["contact"]?.stringValue,
      protectionContact: kept["data_protection_contact"]?.stringValue,
      privacyPolicy: kept["privacy_policy"]?.stringValue, photo: kept["photo"]?.stringValue,
      status: nil, operatorKind: kept["operator_kind"]?.stringValue,
      manufacturer: kept["manufacturer"]?.stringValue)
  }
}
