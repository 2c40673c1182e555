internal import Glibc
import JSON
package import PrivacyMap
package import SpatialDatabase

/// Reads devices as entries of the point index.
package struct IndexedPointReader: Sendable {
  private let vocabulary: Vocabulary

  package init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  static let selection = """
    SELECT device.rowid, device.id, device.longitude, device.latitude, device.category,
      device.status, device.setting, COALESCE(operator.kind, 'unknown'), device.precision,
      device.data_collected, device.choices, device.stale_on, device.country, device.bearings,
      device.zone, device.legal_basis, COALESCE(device.retention, 'unknown') <> 'unknown',
      device.source_rowid, CASE WHEN operator.name IS NULL THEN 0 ELSE operator.rowid END,
      device.created_at, device.last_confirmed, device.ended_at
    FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
    WHERE device.hidden = 0
    """

  /// A condition: the first and the last row to read.
  static let rowRange = "device.rowid BETWEEN ? AND ?"

  /// Reads every public device, or the devices that match a condition over `device` and `operator`.
  package func forEach(
    _ connection: borrowing Connection,
    where condition: (sql: String, arguments: [SQLValue]) = ("1 = 1", []),
    _ body: (IndexedPoint) -> Void
  ) throws {
    var codes = PointCodes(vocabulary: vocabulary)
    try connection.forEach(
      Self.selection + " AND " + condition.sql, condition.arguments
    ) { row in
      if let point = codes.point(row) { body(point) }
    }
  }

  /// Reads the devices of these rows; passes nil where a row is not public or does not exist.
  package func forEach(
    _ rowids: [Int64], _ connection: borrowing Connection,
    _ body: (Int64, IndexedPoint?) -> Void
  ) throws {
    var codes = PointCodes(vocabulary: vocabulary)
    var found: [Int64: IndexedPoint] = [:]
    try connection.forEach(Self.selection + " AND device.rowid = ?", keys: rowids) { place, row in
      found[rowids[place]] = codes.point(row)
    }
    for rowid in rowids { body(rowid, found[rowid]) }
  }

  /// Passes the images of these rows of a table with their places among them.
  package func forEachImage(
    _ source: ImageSource, _ rowids: [Int64], _ connection: borrowing Connection,
    _ body: (_ place: Int, _ image: DeviceImage) -> Void
  ) throws {
    var codes = PointCodes(vocabulary: vocabulary)
    try connection.forEach(source.sql, keys: rowids) { place, row in
      guard let point = codes.point(row) else { return }
      body(place, DeviceImage(point: point, values: DeviceImage.places.map { row.value($0) }))
    }
  }
}

/// A device at a moment, with the data that areas and filters need.
package struct DeviceImage: Sendable {
  package let point: IndexedPoint
  /// The values of ``columns``.
  package let values: [SQLValue]

  /// The columns of an image in `device`, in `watch_note`, and with a prefix in `watch_change`.
  package static let columns = [
    "longitude", "latitude", "category", "status", "setting", "precision", "data_collected",
    "choices", "stale_on", "country", "last_confirmed", "operator_rowid",
  ]
  /// Their places in ``ImageSource/sql``.
  fileprivate static let places = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 20, 22]
}

/// Where images are stored.
package struct ImageSource: Sendable {
  /// The columns of ``IndexedPointReader/selection``, with NULL for columns that no filter needs.
  fileprivate let sql: String

  private init(_ table: String, rowid: String, id: String, prefix: String, where condition: String)
  {
    sql = """
      SELECT \(rowid), \(id), \(prefix)longitude, \(prefix)latitude, \(prefix)category,
        \(prefix)status, \(prefix)setting, COALESCE(operator.kind, 'unknown'), \(prefix)precision,
        \(prefix)data_collected, \(prefix)choices, \(prefix)stale_on, \(prefix)country, '[]', NULL,
        NULL, 0, NULL, CASE WHEN operator.name IS NULL THEN 0 ELSE operator.rowid END, NULL,
        \(prefix)last_confirmed, NULL, \(prefix)operator_rowid
      FROM \(table) LEFT JOIN operator ON operator.rowid = \(prefix)operator_rowid
      WHERE \(condition)
      """
  }

  /// Public devices as they are, by row.
  package static let devices = ImageSource(
    "device", rowid: "device.rowid", id: "device.id", prefix: "device.",
    where: "device.hidden = 0 AND device.rowid = ?")
  /// Devices before a change, by the number in `watch_note`.
  package static let notes = ImageSource(
    "watch_note", rowid: "device_rowid", id: "watch_note.id", prefix: "watch_note.",
    where: "watch_note.number = ?")
  /// Devices before and after a change, by the number in `watch_change`.
  package static let before = change("before_")
  package static let after = change("after_")

  private static func change(_ prefix: String) -> ImageSource {
    ImageSource(
      "watch_change", rowid: "device_rowid", id: "device_id", prefix: prefix,
      where: "watch_change.number = ? AND \(prefix)longitude IS NOT NULL")
  }
}

/// Translates the codes of a row to numbers. A load reads a million rows of a dozen codes each, but
/// there are few distinct codes, so each is translated once.
private struct PointCodes {
  private let vocabulary: Vocabulary
  private var categories = TextNumbers()
  private var statuses = TextNumbers()
  private var settings = TextNumbers()
  private var operatorKinds = TextNumbers()
  private var precisions = TextNumbers()
  private var data = TextNumbers()
  private var choices = TextNumbers()
  private var dueDays = TextNumbers()
  private var countries = TextNumbers()
  private var bearings = TextNumbers()
  private var zones = TextNumbers()
  private var legalBases = TextNumbers()
  private var days = TextNumbers()

  private static let unknownCategory = UInt32.max

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// - Returns: nil when the row contains a value that the index cannot store.
  mutating func point(_ row: borrowing Row) -> IndexedPoint? {
    let category = categories.number(row, 4) { [vocabulary] in
      vocabulary.category($0).map { UInt32($0.number) } ?? Self.unknownCategory
    }
    guard let category = UInt8(exactly: category), let rowid = UInt32(exactly: row.int(0)),
      let id = row.withUTF8(1, { DeviceID(utf8: $0) }),
      let place = try? Coordinate(longitude: row.double(2), latitude: row.double(3))
    else { return nil }
    return IndexedPoint(
      rowid: rowid, id: id, position: FixedPosition(place),
      profile: profile(row, category: category),
      dueDay: UInt16(
        truncatingIfNeeded: dueDays.number(row, 11) {
          UInt32(Day(text: $0).map(IndexNumber.of) ?? 0)
        }),
      country: UInt16(
        truncatingIfNeeded: countries.number(row, 12) { UInt32(IndexedPoint.packedCountry($0)) }),
      bearing: UInt16(
        truncatingIfNeeded: bearings.number(row, 13) { UInt32(Self.firstBearing($0)) }),
      operatorRow: UInt32(clamping: row.int(18)), addedDay: day(row, 19),
      confirmedDay: day(row, 20), endedDay: day(row, 21))
  }

  /// The day of a timestamp; 0 if there is no timestamp.
  private mutating func day(_ row: borrowing Row, _ column: Int) -> UInt16 {
    let number = row.withUTF8(column) { moment in
      // Only the date part, which has few distinct values; the time of day nearly always differs.
      days.number(UnsafeBufferPointer(rebasing: moment.prefix(10))) {
        UInt32(Day(text: $0).map(IndexNumber.of) ?? 0)
      }
    }
    return UInt16(truncatingIfNeeded: number)
  }

  private mutating func profile(_ row: borrowing Row, category: UInt8) -> DeviceProfile {
    let status = statuses.number(row, 5) {
      UInt32(IndexNumber.of(DeviceStatus(rawValue: $0) ?? .reported))
    }
    let setting = settings.number(row, 6) { UInt32(IndexNumber.of(Setting(rawValue: $0))) }
    let operatorKind = operatorKinds.number(row, 7) {
      UInt32(IndexNumber.of(Operator.Kind(rawValue: $0) ?? .unknown))
    }
    let precision = precisions.number(row, 8) {
      UInt32(IndexNumber.of(Precision(rawValue: $0) ?? .exact))
    }
    let zone = zones.number(row, 14) { [vocabulary] in Self.place($0, vocabulary, .zones) }
    let legalBasis = legalBases.number(row, 15) { [vocabulary] in
      Self.place($0, vocabulary, .legalBases)
    }
    let isOperatorSaid = row.int(18) != 0 || operatorKind == Self.household
    return DeviceProfile(
      category: category, status: UInt8(truncatingIfNeeded: status),
      setting: UInt8(truncatingIfNeeded: setting),
      operatorKind: UInt8(truncatingIfNeeded: operatorKind),
      precision: UInt8(truncatingIfNeeded: precision), zone: UInt8(truncatingIfNeeded: zone),
      legalBasis: UInt8(truncatingIfNeeded: legalBasis),
      facts: DisclosedFacts(operator: isOperatorSaid, retention: row.bool(16)),
      data: data.number(row, 9) { [vocabulary] in vocabulary.bits(JSONText.codes($0), in: .data) },
      choices: choices.number(row, 10) { [vocabulary] in
        vocabulary.bits(JSONText.codes($0), in: .choices)
      }, source: UInt32(clamping: row.int(17)))
  }

  private static let household = UInt32(IndexNumber.of(Operator.Kind.household))

  /// The position of a code in its scheme, counted from 1; 0 is unknown.
  private static func place(_ code: String, _ vocabulary: Vocabulary, _ scheme: Scheme) -> UInt32 {
    let place = vocabulary.terms(of: scheme).firstIndex { $0.code == code }
    return place.map { UInt32(min($0 + 1, 255)) } ?? 0
  }

  /// The first number of a JSON array, in whole degrees.
  private static func firstBearing(_ json: String) -> UInt16 {
    let number = json.dropFirst().prefix { $0 != "," && $0 != "]" }
    guard let degrees = Double(number), degrees >= 0, degrees <= 360 else {
      return IndexedPoint.noBearing
    }
    return UInt16(degrees.rounded()) % 360
  }
}

/// Maps the texts of a column to numbers; looks them up by their bytes, without making a String.
struct TextNumbers {
  private struct Entry {
    /// The start of the text in ``bytes``.
    let start: Int
    let count: Int
    let number: UInt32
  }

  private var entries: [Entry] = []
  /// The bytes of all texts, concatenated.
  private var bytes: [UInt8] = []
  /// A hash table of positions in ``entries``, with open addressing. Empty while there are few
  /// entries, which are searched one by one.
  private var table: [Int32] = []
  /// The entry that was found last.
  private var last: Entry?
  private static let seed = UInt64.random(in: .min ... .max)

  private static let vacant: Int32 = -1
  private static let few = 8
  /// The number of texts to remember; a column with more distinct texts gains little.
  private static let capacity = 4_096

  /// The number of a column's text, where NULL counts as the empty text. Calls `make` for a text
  /// that is seen for the first time.
  mutating func number(
    _ row: borrowing Row, _ column: Int, make: (String) -> UInt32
  ) -> UInt32 {
    row.withUTF8(column) { number($0, make: make) }
  }

  /// The number of a text.
  mutating func number(
    _ text: UnsafeBufferPointer<UInt8>, make: (String) -> UInt32
  ) -> UInt32 {
    // Most columns repeat the same value in consecutive rows.
    if let last, holds(last, text) { return last.number }
    if let entry = entry(text) {
      last = entry
      return entry.number
    }
    let number = make(String(decoding: text, as: UTF8.self))
    guard entries.count < Self.capacity else { return number }
    let start = bytes.count
    bytes.append(contentsOf: text)
    entries.append(Entry(start: start, count: text.count, number: number))
    if entries.count > Self.few { note(entries.count - 1) }
    return number
  }

  private func entry(_ text: UnsafeBufferPointer<UInt8>) -> Entry? {
    if table.isEmpty { return entries.first { holds($0, text) } }
    let mask = table.count - 1
    var place = hash(text) & mask
    while table[place] != Self.vacant {
      let entry = entries[Int(table[place])]
      if holds(entry, text) { return entry }
      place = (place + 1) & mask
    }
    return nil
  }

  private func holds(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.count == text.count else { return false }
    guard let wanted = text.baseAddress else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { memcmp($0 + entry.start, wanted, entry.count) == 0 } ?? text.isEmpty
    }
  }

  /// Adds an entry to the hash table and grows the table if necessary.
  private mutating func note(_ position: Int) {
    if (position + 1) * 2 > table.count {
      table = [Int32](repeating: Self.vacant, count: max(64, table.count * 2))
      for earlier in 0..<position { place(earlier) }
    }
    place(position)
  }

  private mutating func place(_ position: Int) {
    let entry = entries[position]
    let mask = table.count - 1
    var place = bytes.withUnsafeBufferPointer {
      hash(UnsafeBufferPointer(rebasing: $0[entry.start..<entry.start + entry.count])) & mask
    }
    while table[place] != Self.vacant { place = (place + 1) & mask }
    table[place] = Int32(position)
  }

  /// Multiplies once per eight bytes. The random seed prevents attackers from choosing texts that
  /// collide. Swift's own hash would cost more than all other work here.
  private func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    var hash = Self.seed ^ UInt64(raw.count)
    var offset = 0
    while offset + 8 <= raw.count {
      hash = mixed(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    for byte in raw[offset...] { rest = rest << 8 | UInt64(byte) }
    return Int(truncatingIfNeeded: mixed(hash, rest))
  }

  private func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, §6.4).
    let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
