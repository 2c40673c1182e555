import JSON
package import PrivacyMap
package import SpatialDatabase

/// The column values of a device, as far as they can be computed without the database. When many devices
/// are written, this part can run in parallel to the writing.
package struct DeviceRow: Sendable {
  let fields: DeviceFields
  package let placement: DeviceWriter.Placement
  /// The values of ``names`` except the last two, which depend on the database and the day.
  private let said: [SQLValue]
  /// The country of the public point, and whether that is uncertain.
  private let country: [SQLValue]
  private let answersFor: OperatorStore.Entry?
  /// Months after which the device is due for another check.
  private let staleMonths: Int

  /// `country` contains the values of ``DeviceWriter/countryNames``.
  init(
    _ fields: DeviceFields, at placement: DeviceWriter.Placement, country: [SQLValue],
    vocabulary: Vocabulary
  ) {
    self.fields = fields
    self.placement = placement
    self.country = country
    said = Self.said(fields, placement, vocabulary)
    answersFor = fields.answersFor.flatMap(OperatorStore.Entry.init)
    staleMonths = vocabulary.category(fields.category)?.staleMonths ?? 24
  }

  /// The columns of `device` that follow from fields and placement.
  static let names =
    ["name", "category", "status", "longitude", "latitude", "precision", "approximate"]
    + DeviceProperty.plain.map(\.name)
    + ["choices", "assumed", "last_confirmed", "operator_rowid", "stale_on"]

  private static let entries = DeviceProperty.plain.map(\.entry)

  private static func said(
    _ fields: DeviceFields, _ placement: DeviceWriter.Placement, _ vocabulary: Vocabulary
  ) -> [SQLValue] {
    let point = placement.publicPoint
    let choices = vocabulary.canonical(fields.choices.map(\.kind), in: .choices)
    var values: [SQLValue] = [
      .text(fields.name), .text(fields.category), .text(fields.status.rawValue),
      .real(point.longitude), .real(point.latitude), .text(placement.precision.rawValue),
      SQLValue(placement.isApproximate),
    ]
    values.reserveCapacity(names.count)
    for entry in entries { values.append(entry.column(fields, vocabulary)) }
    values += [
      .text(JSONText.strings(choices)), .text(JSONText.strings(fields.assumed.sorted())),
      SQLValue(fields.lastConfirmed?.text),
    ]
    return values
  }

  /// The columns of `device` that follow from fields and placement, always in the same order.
  ///
  /// Adds the operator if no operator of that name exists.
  package func columns(
    addedOn: Day, _ connection: borrowing Connection
  ) throws -> [(name: String, value: SQLValue)] {
    let values = try said + decided(addedOn: addedOn, connection)
    return zip(Self.names, values).map { (name: $0, value: $1) }
  }

  /// The values of `operator_rowid` and `stale_on`.
  private func decided(
    addedOn: Day, _ connection: borrowing Connection
  ) throws -> [SQLValue] {
    let operatorRow = try answersFor.map { try OperatorStore().rowid(for: $0, connection) }
    return [
      SQLValue(operatorRow),
      .text(fields.staleOn(after: staleMonths, addedOn: addedOn).text),
    ]
  }
}

extension DeviceRow {
  /// The columns of a new device, without the geometry, the time and the account that adds it.
  static let newNames =
    ["id", "source_rowid", "source_key", "base_status"] + DeviceWriter.countryNames + names

  /// The values of ``newNames``, in several lists.
  ///
  /// - Parameters:
  ///   - id: the public id.
  ///   - source: the source, and the key of the device there.
  ///   - day: the day of the addition.
  ///   - connection: looks up the operator.
  /// - Returns: together as many values as there are names.
  /// - Throws: ``DatabaseFault``.
  func newValues(
    _ id: DeviceID, source: (rowid: Int64, key: String?)?, addedOn day: Day,
    _ connection: borrowing Connection
  ) throws -> [[SQLValue]] {
    let first: [SQLValue] = [
      .text(id.text), SQLValue(source?.rowid), SQLValue(source?.key),
      .text(fields.status.rawValue),
    ]
    return [first, country, said, try decided(addedOn: day, connection)]
  }
}
