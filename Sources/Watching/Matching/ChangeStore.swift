import Devices
import PrivacyMap
import SpatialDatabase

/// The changes that watches have not been compared with yet.
struct ChangeStore: Sendable {
  let vocabulary: Vocabulary

  /// The progress of matching changes.
  struct Progress: Equatable, Sendable {
    /// In the change sequence.
    var sequence: Int64
    /// In `watch_note`.
    var note: Int64
  }

  /// A changed device, as it was before the first and is after the last change of a batch.
  struct Change {
    let rowid: Int64
    /// The last of its changes.
    var sequence: Int64
    /// Nil if it was not public before or is not after.
    var imageBefore: DeviceImage?
    var imageAfter: DeviceImage?
    /// The names of its operators: the recorded one, and the registered organisation that answers for it.
    var operatorsBefore: Set<String> = []
    var operatorsAfter: Set<String> = []
    /// The changed properties.
    var properties: Set<String> = []
    /// Whether its operator made a statement.
    var hasStatement = false
    var isConfirmedAnew = false
    /// Whether it is known how the device was before; otherwise ``before`` repeats ``after``.
    var isCompared = false

    var before: IndexedPoint? { imageBefore?.point }
    var after: IndexedPoint? { imageAfter?.point }
  }

  struct Batch {
    var changes: [Change]
    /// The operators with new figures about requests.
    var outcomes: [String]
    /// The progress once this batch is matched.
    var progress: Progress
    /// Whether there may be more changes.
    var isPart: Bool
  }

  /// The maximum number of changes in a batch, so that other writes do not wait long for its log.
  static let maxBatchSize = 500

  /// The progress as stored, and the version of the watches.
  func stored(_ connection: borrowing Connection) throws -> (progress: Progress, version: Int64) {
    try connection.first("SELECT sequence, note, version FROM watch_progress") { row in
      (Progress(sequence: row.int(0), note: row.int(1)), row.int(2))
    } ?? (Progress(sequence: 0, note: 0), 0)
  }

  /// Stores the progress and erases the notes up to it.
  func store(_ progress: Progress, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE watch_progress SET sequence = ?, note = ?",
      [.integer(progress.sequence), .integer(progress.note)])
    try connection.execute(
      "DELETE FROM watch_note WHERE number <= ?", [.integer(progress.note)])
  }

  /// The next changes after `progress`, at most `maximum`.
  func batch(
    after progress: Progress, maximum: Int, _ connection: borrowing Connection
  ) throws -> Batch {
    var last = progress.sequence
    var count = 0
    var changes: [Int64: Change] = [:]
    var firstKinds: [Int64: String] = [:]
    var added: Set<Int64> = []
    try connection.forEach(Self.changed, [.integer(progress.sequence), SQLValue(maximum)]) {
      row in
      (last, count) = (row.int(0), count + 1)
      let (rowid, kind) = (row.int(1), row.text(2))
      changes[rowid, default: Change(rowid: rowid, sequence: last)].sequence = last
      if firstKinds[rowid] == nil { firstKinds[rowid] = kind }
      if kind == "added" { added.insert(rowid) }
    }
    let isPart = count == maximum
    // In a part, a note of a later change belongs to the next batch: it names the change before it.
    let notes = try notes(after: progress.note, through: isPart ? last - 1 : .max, connection)
    try addStates(to: &changes, firstKinds, notes, connection)
    for rowid in notes.statements { changes[rowid]?.hasStatement = true }
    return Batch(
      changes: changes.values.flatMap { Self.devices(of: $0, isAdded: added.contains($0.rowid)) }
        .sorted { $0.sequence < $1.sequence },
      outcomes: notes.outcomes,
      progress: Progress(sequence: last, note: notes.last), isPart: isPart)
  }

  /// Separates two devices that had the same row one after the other: SQLite gives the row of the last device, once
  /// deleted, to the next one.
  private static func devices(of change: Change, isAdded: Bool) -> [Change] {
    guard let before = change.before, let after = change.after, before.id != after.id else {
      return [change]
    }
    var removal = Change(rowid: change.rowid, sequence: change.sequence)
    (removal.imageBefore, removal.operatorsBefore) = (change.imageBefore, change.operatorsBefore)
    var addition = Change(rowid: change.rowid, sequence: change.sequence)
    (addition.imageAfter, addition.operatorsAfter) = (change.imageAfter, change.operatorsAfter)
    addition.hasStatement = change.hasStatement
    // Otherwise it is added in the next batch.
    return isAdded ? [removal, addition] : [removal]
  }

  static let changed = """
    SELECT sequence, device_rowid, kind FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?
    """

  /// The notes of a batch.
  private struct Notes {
    /// The first image of each device.
    var images: [Int64: Image] = [:]
    var statements: Set<Int64> = []
    var outcomes: [String] = []
    var last: Int64
  }

  private struct Image {
    let number: Int64
    let revision: Int64
    let lastConfirmed: String?
  }

  private func notes(
    after number: Int64, through sequence: Int64, _ connection: borrowing Connection
  ) throws -> Notes {
    var notes = Notes(last: number)
    try connection.forEach(
      """
      SELECT number, kind, device_rowid, operator_name, revision, last_confirmed
      FROM watch_note WHERE number > ? AND sequence <= ? ORDER BY number
      """, [.integer(number), .integer(sequence)]
    ) { row in
      notes.last = row.int(0)
      switch row.text(1) {
      case "before":
        guard notes.images[row.int(2)] == nil else { return }
        notes.images[row.int(2)] = Image(
          number: row.int(0), revision: row.int(4), lastConfirmed: row.optionalText(5))
      case "statement": notes.statements.insert(row.int(2))
      default: notes.outcomes.append(row.text(3))
      }
    }
    return notes
  }

  /// Adds the states before and after, and the changed properties.
  private func addStates(
    to changes: inout [Int64: Change], _ firstKinds: [Int64: String], _ notes: Notes,
    _ connection: borrowing Connection
  ) throws {
    let rows = changes.keys.sorted()
    let reader = IndexedPointReader(vocabulary: vocabulary)
    try reader.forEachImage(.devices, rows, connection) { changes[rows[$0]]?.imageAfter = $1 }
    let numbers = rows.compactMap { notes.images[$0]?.number }
    try reader.forEachImage(.notes, numbers, connection) {
      changes[Int64($1.point.rowid)]?.imageBefore = $1
    }
    for rowid in rows {
      if firstKinds[rowid] == "added" {
        changes[rowid]?.imageBefore = nil
      } else if notes.images[rowid] == nil, firstKinds[rowid] == "changed" {
        // A part of the feature that has no column, such as a photo, or the note of another batch.
        let after = changes[rowid]?.imageAfter
        changes[rowid]?.imageBefore = after
      }
    }
    try addOperators(to: &changes, connection)
    try compare(&changes, notes.images, connection)
  }

  /// Adds the names of operators, each read once.
  private func addOperators(
    to changes: inout [Int64: Change], _ connection: borrowing Connection
  ) throws {
    let rows = changes.values.flatMap { [$0.before?.operatorRow, $0.after?.operatorRow] }
      .compactMap { $0 }.filter { $0 != 0 }
    let keys = Set(rows).sorted().map { Int64($0) }
    var names: [Int64: String] = [:]
    try connection.forEach(Self.operators, keys: keys) { names[keys[$0]] = $1.text(0) }
    for (rowid, change) in changes {
      func recorded(_ point: IndexedPoint?) -> Set<String> {
        Set([point.flatMap { names[Int64($0.operatorRow)] }].compactMap { $0 })
      }
      changes[rowid]?.operatorsBefore = recorded(change.before)
      changes[rowid]?.operatorsAfter = recorded(change.after)
    }
    let devices = changes.keys.sorted()
    try connection.forEach(Self.organisations, keys: devices) { place, row in
      changes[devices[place]]?.operatorsBefore.insert(row.text(0))
      changes[devices[place]]?.operatorsAfter.insert(row.text(0))
    }
  }

  static let operators = "SELECT name FROM operator WHERE rowid = ?"
  static let organisations = """
    SELECT organisation.name FROM organisation_claim
      JOIN organisation ON organisation.rowid = organisation_claim.organisation_rowid
    WHERE organisation_claim.device_rowid = ? AND organisation_claim.state = 'standing'
      AND organisation.state = 'approved'
    """

  /// Compares the devices that were and are public with their images.
  private func compare(
    _ changes: inout [Int64: Change], _ images: [Int64: Image],
    _ connection: borrowing Connection
  ) throws {
    let rows = images.keys.filter { changes[$0]?.before != nil && changes[$0]?.after != nil }
      .sorted()
    for rowid in rows {
      changes[rowid]?.isCompared = true
      guard let change = changes[rowid] else { continue }
      if change.before?.profile.status != change.after?.profile.status {
        changes[rowid]?.properties.insert("status")
      }
    }
    try connection.forEach(Self.confirmations, keys: rows) { place, row in
      let before = images[rows[place]]?.lastConfirmed ?? ""
      changes[rows[place]]?.isConfirmedAnew = row.optionalText(0).map { $0 > before } ?? false
    }
    let wanted = rows.compactMap { row in images[row].map { "[\(row),\($0.revision)]" } }
    try connection.forEach(Self.columns, [.text("[" + wanted.joined(separator: ",") + "]")]) {
      row in
      let column = row.text(1)
      guard column != "hidden", column != StoredDevice.exactPlace else { return }
      changes[row.int(0)]?.properties.insert(Self.names[column] ?? column)
    }
  }

  static let confirmations = "SELECT last_confirmed FROM device WHERE rowid = ?"
  /// The columns that revisions after a number changed; the pairs are rows of devices and such numbers.
  static let columns = """
    SELECT DISTINCT revision.device_rowid, part.key
    FROM json_each(?) AS wanted CROSS JOIN revision CROSS JOIN json_each(revision.before) AS part
    WHERE revision.device_rowid = CAST(json_extract(wanted.value, '$[0]') AS BIGINT)
      AND revision.number > CAST(json_extract(wanted.value, '$[1]') AS BIGINT)
      AND revision.before IS NOT NULL
    """

  /// Columns that the interface names otherwise.
  private static let names = [
    "operator_rowid": "operator", "longitude": "geometry", "latitude": "geometry",
    "choices_offered": "choices", "base_status": "status",
  ]

  /// The name and the description of a device before a change; before its last one, if there were more since.
  func textsBefore(_ change: Change, _ connection: borrowing Connection) throws -> [String] {
    let rowid = SQLValue.integer(change.rowid)
    var texts: [String: String] = [:]
    try connection.forEach("SELECT name, description FROM device WHERE rowid = ?", [rowid]) { row in
      texts["name"] = row.optionalText(0)
      texts["description"] = row.optionalText(1)
    }
    var isKnown = Set(texts.keys).subtracting(change.properties)
    try connection.forEach(Self.revisedTexts, [rowid]) { row in
      let column = row.text(0)
      guard change.properties.contains(column), isKnown.insert(column).inserted else { return }
      texts[column] = row.optionalText(1)
    }
    return Array(texts.values)
  }

  static let revisedTexts = """
    SELECT part.key, part.value FROM revision CROSS JOIN json_each(revision.before) AS part
    WHERE revision.device_rowid = ? AND revision.before IS NOT NULL
      AND part.key IN ('name', 'description')
    ORDER BY revision.number DESC
    """

  /// The public devices of an operator.
  func devices(of name: String, _ connection: borrowing Connection) throws -> [IndexedPoint] {
    var found: [IndexedPoint] = []
    try IndexedPointReader(vocabulary: vocabulary).forEach(
      connection, where: ("operator.name = ? LIMIT ?", [.text(name), SQLValue(Self.maxDevices)])
    ) { found.append($0) }
    return found
  }

  /// The maximum number of devices of an operator for which figures are reported.
  private static let maxDevices = 50_000
}
