internal import Locking
package import PrivacyMap
import Service
package import SpatialDatabase

/// Writes devices together with all dependent data (operator, true position, full text, history and
/// change sequence), inside the caller's transaction.
package struct DeviceWriter {
  /// The author of a write, as recorded in the history.
  package struct Author {
    package var kind: RevisionKind
    package var importRun: Int64?
    package var account: Int64?
    package var comment: String?
    /// Whether the author acts as a moderator, and so may change photos of other people.
    package var moderates = false

    package init(
      kind: RevisionKind, importRun: Int64? = nil, account: Int64? = nil, comment: String? = nil,
      moderates: Bool = false
    ) {
      self.kind = kind
      self.importRun = importRun
      self.account = account
      self.comment = comment
      self.moderates = moderates
    }
  }

  package let vocabulary: Vocabulary
  package let environment: Environment
  /// Finds the country of a point; nil if the installation has no map of countries.
  package let countries: CountryMap?
  /// The tables of other features with rows about devices, for removals.
  let tables: [DeviceTable]

  package init(
    vocabulary: Vocabulary, environment: Environment, countries: CountryMap?,
    tables: [DeviceTable] = []
  ) {
    self.vocabulary = vocabulary
    self.environment = environment
    self.countries = countries
    self.tables = tables
  }

  /// The stored position of a device.
  package struct Placement: Equatable {
    /// The true place.
    package var place: Coordinate
    package var precision: Precision
    /// Whether the position is marked as a guess of its source.
    package var isApproximate = false

    package init(place: Coordinate, precision: Precision, isApproximate: Bool = false) {
      self.place = place
      self.precision = precision
      self.isApproximate = isApproximate
    }

    /// The published position.
    var publicPoint: Coordinate { precision.publicPoint(for: place) }
  }

  /// Adds a device and returns its rowid; `source` is its source, and its key there.
  package func add(
    _ fields: DeviceFields, at placement: Placement, source: (rowid: Int64, key: String?)?,
    by author: Author, _ connection: borrowing Connection
  ) throws -> Int64 {
    try add(
      environment.newDeviceID(), fields, at: placement, source: source, by: author, connection)
  }

  /// Adds a device with the given id and returns its rowid.
  package func add(
    _ id: DeviceID, _ fields: DeviceFields, at placement: Placement,
    source: (rowid: Int64, key: String?)? = nil, by author: Author,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    let now = environment.now()
    let row = self.row(fields, at: placement)
    let point = placement.publicPoint
    let values: [[SQLValue]] =
      [[.real(point.longitude), .real(point.latitude)]]
      + (try row.newValues(id, source: source, addedOn: now.day, connection))
      + [[SQLValue(author.account), .text(now.text), .text(now.text)]]
    try connection.execute(Self.insertion(makePoint: connection.makePoint), joining: values)
    let rowid = connection.lastInsertedRowID
    try connection.together {
      try connection.execute(
        "INSERT INTO device_location (device_rowid, longitude, latitude) VALUES (?, ?, ?)",
        [.integer(rowid), .real(placement.place.longitude), .real(placement.place.latitude)])
      try FullText.add(rowid, connection)
      try writeChoices(rowid, fields.choices, connection)
      try record(rowid, revision: 1, author, before: nil, now, connection)
      try change(rowid, kind: .added, now, connection)
    }
    return rowid
  }

  /// The column values of a device, as far as they can be computed without the database.
  package func row(_ fields: DeviceFields, at placement: Placement) -> DeviceRow {
    DeviceRow(
      fields, at: placement, country: country(at: placement.publicPoint), vocabulary: vocabulary)
  }

  /// The INSERT statement of a device. Cached, because building the text takes longer than some
  /// inserts.
  private static func insertion(makePoint: String) -> String {
    knownInsertion.withLock { known in
      if let known { return known }
      let names = DeviceRow.newNames + ["account_rowid", "created_at", "updated_at"]
      let made = """
        INSERT INTO device (public_point, \(names.joined(separator: ", ")))
        VALUES (\(makePoint), \(names.map { _ in "?" }.joined(separator: ", ")))
        """
      known = made
      return made
    }
  }

  private static let knownInsertion = Locked<String?>(nil)

  /// How new values of a device are combined with the stored values.
  package enum Merging {
    /// New values replace stored values; a missing value becomes unknown.
    case replacing
    /// New values replace stored values; where a value is missing, the stored value stays.
    case overlaying(keepsPlace: Bool)
    /// New values only fill in unknown values.
    case filling
  }

  /// The result of changing a device.
  package enum Update {
    case changed(DeviceEdit)
    case unchanged
    /// A device that was withdrawn with an import is on the map again.
    case returned
  }

  /// Changes a device to the values of `row`. A device that was withdrawn with an import returns.
  package func update(
    _ rowid: Int64, to row: DeviceRow, merging: Merging, by author: Author,
    _ connection: borrowing Connection
  ) throws -> Update {
    guard let stored = try StoredDevice(rowid: rowid, connection) else { return .unchanged }
    let fields = row.fields
    let columns = try row.columns(addedOn: stored.addedOn, connection)
    var merging = merging
    // A list never reveals more about a place than people have chosen to show here.
    if case .overlaying = merging, row.placement.precision.isFiner(than: stored.precision) {
      merging = .overlaying(keepsPlace: true)
    }
    var edit = DeviceEdit(stored: stored, wanted: columns, merging: merging)
    edit.settleStaleDay(fields, vocabulary: vocabulary)
    if case .replacing = merging, stored.choices != fields.choices {
      edit.choices = fields.choices
    } else if edit.columns.contains(where: { $0.name == "choices" }) {
      edit.choices = fields.choices
    }
    if edit.changesPlace, stored.place != row.placement.place, !stored.isShown(at: row.placement) {
      edit.place = row.placement.place
    }
    if stored.isWithdrawn { edit.columns.append(("hidden", 0)) }
    guard !edit.isEmpty else { return .unchanged }
    try apply(
      edit, to: rowid, by: author, kind: stored.isWithdrawn ? .added : .changed, connection)
    return stored.isWithdrawn ? .returned : .changed(edit)
  }

  /// Writes an edit as a new revision; `kind` is its kind in the change sequence.
  package func apply(
    _ edit: DeviceEdit, to rowid: Int64, by author: Author, kind: ChangeKind,
    _ connection: borrowing Connection
  ) throws {
    let (now, stored) = (environment.now(), edit.stored)
    let revision = stored.revision + 1
    var columns =
      edit.columns + [
        ("revision", .integer(revision)), ("updated_at", .text(now.text)),
      ]
    if let said = edit.columns.first(where: { $0.name == "status" }) {
      columns.append(("base_status", said.value))
    }
    let changed = Set(edit.columns.map(\.name))
    if let precision = edit.columns.first(where: { $0.name == "precision" })?.value.textValue {
      try ErasureList.note(.precision, "device", row: rowid, value: precision, at: now, connection)
    }
    // Devices that leave or return with their import, of which there can be many, are not the decision of a person.
    let (before, after) = (stored.columns["hidden"], edit.columns.first { $0.name == "hidden" })
    if let after, after.value == 1 || (before == 1 && after.value == 0) {
      try ErasureList.note(
        .hidden, "device", row: rowid, value: "\(after.value == 1)", at: now, connection)
    }
    let movesPoint = changed.contains("longitude") || changed.contains("latitude")
    if movesPoint {
      columns += zip(Self.countryNames, country(at: stored.publicPoint(after: edit)))
        .map { (name: $0, value: $1) }
    }
    try connection.execute(
      "UPDATE device SET \(columns.map { "\($0.name) = ?" }.joined(separator: ", ")) "
        + "WHERE rowid = ?",
      columns.map(\.value) + [.integer(rowid)])
    if movesPoint {
      try connection.execute(
        """
        UPDATE device SET public_point = \(connection.makePoint(of: "longitude", "latitude"))
        WHERE rowid = ?
        """, [.integer(rowid)])
    }
    if let place = edit.place {
      try connection.execute(
        """
        INSERT INTO device_location (device_rowid, longitude, latitude) VALUES (?, ?, ?)
        ON CONFLICT (device_rowid) DO UPDATE SET longitude = excluded.longitude,
          latitude = excluded.latitude
        """, [.integer(rowid), .real(place.longitude), .real(place.latitude)])
    }
    if let choices = edit.choices {
      try connection.execute("DELETE FROM device_choice WHERE device_rowid = ?", [.integer(rowid)])
      try writeChoices(rowid, choices, connection)
    }
    if !changed.isDisjoint(with: ["name", "operator_rowid", "description"]) {
      try FullText.write(rowid, connection)
    }
    try record(
      rowid, revision: revision, author,
      before: stored.json(changedBy: edit), now, connection)
    if edit.place != nil, let before = stored.place {
      try connection.execute(
        """
        INSERT INTO revision_location (device_rowid, number, longitude, latitude)
        VALUES (?, ?, ?, ?)
        """,
        [
          .integer(rowid), .integer(revision), .real(before.longitude), .real(before.latitude),
        ])
    }
    if let photos = edit.photos {
      try PhotoList(environment: environment, author: author)
        .apply(photos, to: rowid, connection)
    }
    try VerificationStore(vocabulary: vocabulary, environment: environment)
      .lapse(after: edit, of: rowid, connection)
    // Changes of a hidden device are not recorded, as in ``change(_:kind:_:_:)``.
    if changed.contains("hidden") || kind != .changed || stored.columns["hidden"] == 0 {
      try note(rowid, kind: kind, now, connection)
    }
  }

  /// Hides a device or shows it again. This adds no revision, because the device's own values do not
  /// change. A device that is shown again counts as changed now, so that feeds contain it.
  package func setHidden(
    _ rowid: Int64, _ isHidden: Bool, _ connection: borrowing Connection
  ) throws {
    let now = environment.now()
    try connection.execute(
      "UPDATE device SET hidden = ? WHERE rowid = ?", [SQLValue(isHidden), .integer(rowid)])
    try ErasureList.note(
      .hidden, "device", row: rowid, value: "\(isHidden)", at: now, connection)
    if !isHidden {
      try connection.execute(
        "UPDATE device SET updated_at = ? WHERE rowid = ?", [.text(now.text), .integer(rowid)])
    }
    try change(rowid, kind: isHidden ? .removed : .added, now, connection)
  }

  /// Removes a device from the map and from all tables, including its history.
  package func remove(_ rowid: Int64, _ connection: borrowing Connection) throws {
    // A device that a moderator has hidden is already off the map.
    let wasShown = try hiding(of: rowid, connection) != 1
    try connection.execute("DELETE FROM device WHERE rowid = ?", [.integer(rowid)])
    if wasShown { try change(rowid, kind: .removed, environment.now(), connection) }
  }

  /// The column `hidden` of a device.
  private func hiding(of rowid: Int64, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT hidden FROM device WHERE rowid = ?", [.integer(rowid)])
  }

  /// The columns that follow from the public point. They do not follow from the true place, so that
  /// the country reveals nothing about it.
  static let countryNames = ["country", "country_uncertain"]

  /// The values of ``countryNames``.
  private func country(at point: Coordinate) -> [SQLValue] {
    let found = countries?.country(at: point)
    return [SQLValue(found?.country), SQLValue(found?.isUncertain ?? false)]
  }

  /// Recomputes the country of a row from its public point.
  ///
  /// - Returns: whether it changed.
  @discardableResult
  func settleCountry(_ rowid: Int64, _ connection: borrowing Connection) throws -> Bool {
    let stored = try connection.first(
      "SELECT longitude, latitude, country, country_uncertain FROM device WHERE rowid = ?",
      [.integer(rowid)]
    ) { row in
      (
        Coordinate.clamped(longitude: row.double(0), latitude: row.double(1)),
        [row.value(2), row.value(3)]
      )
    }
    guard let (point, known) = stored else { return false }
    let country = country(at: point)
    guard country != known else { return false }
    try connection.execute(
      "UPDATE device SET country = ?, country_uncertain = ? WHERE rowid = ?",
      country + [.integer(rowid)])
    return true
  }

  private func writeChoices(
    _ rowid: Int64, _ choices: [OfferedChoice], _ connection: borrowing Connection
  ) throws {
    for (position, choice) in choices.enumerated() {
      try connection.execute(
        """
        INSERT INTO device_choice (device_rowid, position, kind, channel, target, instructions,
          deadline_days, checked_on) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        Self.row(of: choice, at: position, device: rowid))
    }
  }

  /// The row of a choice that a device offers, in the order of its table's columns.
  static func row(of choice: OfferedChoice, at position: Int, device rowid: Int64) -> [SQLValue] {
    [
      .integer(rowid), SQLValue(position), .text(choice.kind), SQLValue(choice.channel?.rawValue),
      SQLValue(choice.target), SQLValue(choice.instructions), SQLValue(choice.deadlineDays),
      SQLValue(choice.checkedOn?.text),
    ]
  }

  private func record(
    _ rowid: Int64, revision: Int64, _ author: Author, before: String?, _ now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO revision (device_rowid, number, kind, made_at, account_rowid, import_rowid,
        comment, before) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(rowid), .integer(revision), .text(author.kind.rawValue), .text(now.text),
        SQLValue(author.account), SQLValue(author.importRun), SQLValue(author.comment),
        SQLValue(before),
      ])
  }

  /// Records in the change sequence that the public view of a device has changed.
  ///
  /// Changes of a hidden device are not recorded, because no public response changes. So the version
  /// of a public response reveals nothing about hidden devices.
  package func change(
    _ rowid: Int64, kind: ChangeKind, _ now: Timestamp, _ connection: borrowing Connection
  ) throws {
    if kind == .changed, try hiding(of: rowid, connection) ?? 0 != 0 { return }
    try note(rowid, kind: kind, now, connection)
  }

  private func note(
    _ rowid: Int64, kind: ChangeKind, _ now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO change (device_rowid, kind, changed_at) VALUES (?, ?, ?)",
      [.integer(rowid), .text(kind.rawValue), .text(now.text)])
  }
}
