import JSON
internal import Locking
import PrivacyMap
import SpatialDatabase

/// Writes devices, with everything that hangs on them: operator, true position, text, history and
/// the change sequence, inside the caller's transaction.
struct DeviceWriter {
  /// Who or what writes, as it stands in the history.
  struct Author {
    var kind: String
    var importRun: Int64?
    var account: Int64?
    var comment: String?
    /// Whether it acts as a moderator, and so may change photos of others.
    var moderates = false
  }

  let vocabulary: Vocabulary
  let surroundings: Surroundings
  /// In which country a point lies; nil where set-up has made no map of countries.
  let countries: CountryMap?

  /// What is stored about where a device stands.
  struct Placement: Equatable {
    /// Where it truly stands.
    var place: Coordinate
    var precision: Precision
    /// A guess of its source, said so.
    var isApproximate = false

    /// Where the public is told that it stands.
    var publicPoint: Coordinate { precision.publicPoint(for: place) }
  }

  /// Adds a device and answers its row; `source` is where it comes from and its key there.
  func add(
    _ fields: DeviceFields, at placement: Placement, source: (rowid: Int64, key: String?)?,
    by author: Author, _ connection: borrowing Connection
  ) throws -> Int64 {
    try add(
      surroundings.newDeviceID(), fields, at: placement, source: source, by: author, connection)
  }

  /// Adds a device with an identity of its own and answers its row.
  func add(
    _ id: DeviceID, _ fields: DeviceFields, at placement: Placement,
    source: (rowid: Int64, key: String?)? = nil, by author: Author,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    let now = surroundings.now()
    let row = self.row(fields, at: placement)
    let point = placement.publicPoint
    let values: [SQLValue] =
      [.real(point.longitude), .real(point.latitude)]
      + (try row.newValues(id, source: source, addedOn: now.day, connection))
      + [SQLValue(author.account), .text(now.text), .text(now.text)]
    try connection.execute(Self.insertion(makePoint: connection.makePoint), values)
    let rowid = connection.lastInsertedRowID
    try connection.execute(
      "INSERT INTO device_location (device_rowid, longitude, latitude) VALUES (?, ?, ?)",
      [.integer(rowid), .real(placement.place.longitude), .real(placement.place.latitude)])
    try FullText.add(rowid, connection)
    try writeChoices(rowid, fields.choices, connection)
    try record(rowid, revision: 1, author, before: nil, now, connection)
    try change(rowid, kind: "added", now, connection)
    return rowid
  }

  /// What a device's row says, as far as it can be told without the database.
  func row(_ fields: DeviceFields, at placement: Placement) -> DeviceRow {
    DeviceRow(
      fields, at: placement, country: country(at: placement.publicPoint), vocabulary: vocabulary)
  }

  /// The statement that adds a device. Putting it together takes longer than some of what it does.
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

  /// How new words about a device meet those that are there.
  enum Merging {
    /// What is said replaces what was said; what is left unsaid becomes unknown.
    case replacing
    /// What is said replaces what was said; what is left unsaid stays.
    case overlaying(keepsPlace: Bool)
    /// Only what was unknown is filled in.
    case filling
  }

  /// Makes a device say what `row` says.
  ///
  /// A device that was withdrawn with an import stands again.
  ///
  /// - Returns: whether anything was different.
  func update(
    _ rowid: Int64, to row: DeviceRow, merging: Merging, by author: Author,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard let stored = try StoredDevice(rowid: rowid, connection) else { return false }
    let fields = row.fields
    let columns = try row.columns(addedOn: stored.addedOn, connection)
    var edit = DeviceEdit(stored: stored, wanted: columns, merging: merging)
    edit.settleStaleDay(fields, vocabulary: vocabulary)
    if case .replacing = merging, stored.choices != fields.choices {
      edit.choices = fields.choices
    } else if edit.columns.contains(where: { $0.name == "choices" }) {
      edit.choices = fields.choices
    }
    if edit.changesPlace, stored.place != row.placement.place { edit.place = row.placement.place }
    if stored.isWithdrawn { edit.columns.append(("hidden", 0)) }
    guard !edit.isEmpty else { return false }
    try apply(
      edit, to: rowid, stored, by: author, kind: stored.isWithdrawn ? "added" : "changed",
      connection)
    return true
  }

  /// Writes an edit as one more revision; `kind` is what it is in the change sequence.
  func apply(
    _ edit: DeviceEdit, to rowid: Int64, _ stored: StoredDevice, by author: Author, kind: String,
    _ connection: borrowing Connection
  ) throws {
    let now = surroundings.now()
    let revision = stored.revision + 1
    var columns =
      edit.columns + [
        ("revision", .integer(revision)), ("updated_at", .text(now.text)),
      ]
    if let said = edit.columns.first(where: { $0.name == "status" }) {
      columns.append(("base_status", said.value))
    }
    let changed = Set(edit.columns.map(\.name))
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
      try PhotoList(surroundings: surroundings, author: author)
        .apply(photos, to: rowid, connection)
    }
    try ClaimStore(vocabulary: vocabulary, surroundings: surroundings)
      .lapse(after: edit, of: rowid, from: stored, connection)
    if changed.contains("hidden") {
      try note(rowid, kind: kind, now, connection)
    } else {
      try change(rowid, kind: kind, now, connection)
    }
  }

  /// Takes a device off the map and keeps it for the day its import is repeated.
  func withdraw(
    _ rowid: Int64, by author: Author, _ connection: borrowing Connection
  ) throws {
    guard let stored = try StoredDevice(rowid: rowid, connection), !stored.isWithdrawn else {
      return
    }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.columns = [("hidden", 2)]
    try apply(edit, to: rowid, stored, by: author, kind: "removed", connection)
  }

  /// Takes a device out of sight, or shows it again. It is no revision, as the device says what it
  /// said before.
  func setHidden(
    _ rowid: Int64, _ isHidden: Bool, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE device SET hidden = ? WHERE rowid = ?", [SQLValue(isHidden), .integer(rowid)])
    try change(rowid, kind: isHidden ? "removed" : "added", surroundings.now(), connection)
  }

  /// Takes a device off the map and out of every table, its history with it.
  func remove(_ rowid: Int64, _ connection: borrowing Connection) throws {
    // One that a moderator has hidden is off the map already.
    let wasShown = try hiding(of: rowid, connection) != 1
    try connection.execute("DELETE FROM device WHERE rowid = ?", [.integer(rowid)])
    if wasShown { try change(rowid, kind: "removed", surroundings.now(), connection) }
  }

  /// The column `hidden` of a device.
  private func hiding(of rowid: Int64, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT hidden FROM device WHERE rowid = ?", [.integer(rowid)])
  }

  /// The columns that follow from the public point: whoever may not know the true place learns nothing
  /// of it from the country.
  static let countryNames = ["country", "country_uncertain"]

  /// The values of ``countryNames``.
  private func country(at point: Coordinate) -> [SQLValue] {
    let found = countries?.country(at: point)
    return [SQLValue(found?.country), SQLValue(found?.isUncertain ?? false)]
  }

  /// Makes the country of a row follow from its public point.
  ///
  /// - Returns: whether it was another.
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
        .integer(rowid), .integer(revision), .text(author.kind), .text(now.text),
        SQLValue(author.account), SQLValue(author.importRun), SQLValue(author.comment),
        SQLValue(before),
      ])
  }

  /// Notes in the sequence of changes that what the public sees of a device is another.
  ///
  /// A device that is out of sight changes nothing that anybody sees: its changes are not noted, so
  /// that no version of a public answer tells of them.
  func change(
    _ rowid: Int64, kind: String, _ now: Timestamp, _ connection: borrowing Connection
  ) throws {
    if kind == "changed", try hiding(of: rowid, connection) ?? 0 != 0 { return }
    try note(rowid, kind: kind, now, connection)
  }

  private func note(
    _ rowid: Int64, kind: String, _ now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO change (device_rowid, kind, changed_at) VALUES (?, ?, ?)",
      [.integer(rowid), .text(kind), .text(now.text)])
  }
}
