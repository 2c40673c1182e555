import PrivacyMap
import SpatialDatabase
import Watching

/// The `mapping_day_contribution` table: contributions of participants in the area of a day while it ran.
///
/// The change sequence is read as far as ``MappingDay/taggedThrough``, which is stored together with the contributions
/// found. So a server that is killed neither loses a contribution nor counts one twice.
struct ContributionStore: Sendable {
  /// The maximum number of changes in a transaction.
  static let portion = 500

  /// Changes that are compared with a day.
  struct Batch: Sendable {
    /// The changed devices that are in the area, as a JSON list of rows.
    let devices: [Int64]
    let through: Int64
    /// Whether there may be more changes.
    let isPart: Bool
  }

  /// The next changes in the area of a day. Reading takes longer than writing, so it comes before.
  func batch(of day: MappingDay, _ connection: borrowing Connection) throws -> Batch {
    var (last, count) = (day.taggedThrough, 0)
    var rows: Set<Int64> = []
    try connection.forEach(
      Self.changed, [.integer(day.taggedThrough), SQLValue(Self.portion)]
    ) { row in
      (last, count) = (row.int(0), count + 1)
      rows.insert(row.int(1))
    }
    let keys = rows.sorted()
    var inside: [Int64] = []
    try connection.forEach(Self.points, keys: keys) { place, row in
      let point = Coordinate.clamped(longitude: row.double(0), latitude: row.double(1))
      if day.plan.area.contains(point) { inside.append(keys[place]) }
    }
    return Batch(devices: inside, through: last, isPart: count == Self.portion)
  }

  static let changed = """
    SELECT sequence, device_rowid FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?
    """
  static let points = """
    SELECT longitude, latitude FROM device
    WHERE rowid = ? AND hidden = 0 AND longitude IS NOT NULL
    """

  /// Tags the participants' contributions to the devices of a batch.
  func tag(_ batch: Batch, _ day: MappingDay, _ connection: borrowing Connection) throws {
    if !batch.devices.isEmpty {
      let list = "[" + batch.devices.map(String.init).joined(separator: ",") + "]"
      for statement in Self.tags {
        try connection.execute(
          statement,
          [
            .integer(day.rowid), .text(list), .text(day.plan.start.text), .text(day.plan.end.text),
          ])
      }
    }
    try connection.execute(
      "UPDATE mapping_day SET tagged_through = ? WHERE rowid = ?",
      [.integer(batch.through), .integer(day.rowid)])
  }

  static let tags = [
    tag(.added, "revision", "made_at", "work.kind = 'add'"),
    tag(.corrected, "revision", "made_at", "work.kind = 'edit'"),
    tag(.confirmed, "verdict", "made_at", "work.verdict = 'confirm' AND work.counts = 1"),
    tag(.photographed, "photo", "created_at", "work.state = 'public'"),
  ]

  /// The statement for one kind of contributions, which are rows of `table`.
  private static func tag(
    _ kind: ContributionKind, _ table: String, _ time: String, _ condition: String
  ) -> String {
    """
    INSERT INTO mapping_day_contribution (day_rowid, device_rowid, kind, category, made_at, team)
    SELECT day, device, '\(kind.rawValue)', category, made_at, team FROM (
    SELECT mapping_day.rowid AS day, device.rowid AS device, device.category AS category,
      work.\(time) AS made_at, person.team AS team, row_number() OVER (
        PARTITION BY device.rowid ORDER BY work.\(time), person.rowid) AS place
    FROM mapping_day CROSS JOIN json_each(?2) AS part
      JOIN device ON device.rowid = CAST(part.value AS BIGINT)
      JOIN \(table) AS work ON work.device_rowid = device.rowid
      JOIN mapping_day_participant AS person
        ON person.day_rowid = mapping_day.rowid AND person.account_rowid = work.account_rowid
    WHERE mapping_day.rowid = ?1 AND person.state = 'joined' AND \(condition)
      AND work.\(time) >= person.joined_at AND work.\(time) >= ?3 AND work.\(time) < ?4
    ) AS made WHERE place = 1
    ON CONFLICT (day_rowid, kind, device_rowid) DO NOTHING
    """
  }

  /// The number in the change sequence before which no change is later than `moment`.
  ///
  /// The sequence has no index by time, and both increase together, so it is halved some twenty times.
  func sequence(at moment: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    var low: Int64 = 0
    var high = try connection.integer("SELECT coalesce(max(sequence), 0) FROM change") ?? 0
    while low < high {
      let middle = low + (high - low) / 2
      let found = try connection.first(
        "SELECT sequence, changed_at FROM change WHERE sequence > ? ORDER BY sequence LIMIT 1",
        [.integer(middle)]
      ) { (number: $0.int(0), time: $0.text(1)) }
      guard let found, found.time < moment.text else {
        high = middle
        continue
      }
      low = found.number
    }
    return low
  }

  /// The figures of a day.
  struct Figures: Sendable {
    var byKind: [String: Int64] = [:]
    /// By hours since the start, then by kind.
    var byHour: [(hour: Int, kind: String, count: Int64)] = []
    /// Devices by category, most first.
    var byCategory: [(category: String, count: Int64)] = []
    /// Devices that were contributed to.
    var devices: Int64 = 0
    /// Contributions to devices that were deleted since.
    var gone: Int64 = 0
    /// By the names of teams.
    var byTeam: [String: Int64] = [:]
  }

  func figures(of day: MappingDay, _ connection: borrowing Connection) throws -> Figures {
    var figures = Figures()
    var hours: [Int: [String: Int64]] = [:]
    try connection.forEach(Self.byMinute, [.integer(day.rowid)]) { row in
      let (kind, count) = (row.text(0), row.int(2))
      figures.byKind[kind, default: 0] += count
      guard let at = Timestamp(text: "\(row.text(1)):00Z") else { return }
      let seconds = at.secondsSinceEpoch - day.plan.start.secondsSinceEpoch
      hours[Int(max(0, seconds) / 3_600), default: [:]][kind, default: 0] += count
    }
    figures.byHour = hours.sorted { $0.key < $1.key }.flatMap { hour, kinds in
      ContributionKind.allCases.compactMap { kind in
        kinds[kind.rawValue].map { (hour, kind.rawValue, $0) }
      }
    }
    figures.byCategory = try connection.rows(Self.byCategory, [.integer(day.rowid)]) {
      (category: $0.text(0), count: $0.int(1))
    }
    let totals = try connection.first(Self.totals, [.integer(day.rowid)]) {
      ($0.int(0), $0.int(1))
    }
    (figures.devices, figures.gone) = totals ?? (0, 0)
    if !day.plan.teams.isEmpty {
      try connection.forEach(Self.byTeam, [.integer(day.rowid)]) { row in
        figures.byTeam[row.text(0)] = row.int(1)
      }
    }
    return figures
  }

  /// By minute, because time zones differ by parts of an hour.
  static let byMinute = """
    SELECT kind, substr(made_at, 1, 16), count(*) FROM mapping_day_contribution WHERE day_rowid = ?
    GROUP BY kind, substr(made_at, 1, 16)
    """
  static let byCategory = """
    SELECT category, count(DISTINCT device_rowid) FROM mapping_day_contribution
    WHERE day_rowid = ? GROUP BY category ORDER BY count(DISTINCT device_rowid) DESC, category
    """
  static let byTeam = """
    SELECT team, count(*) FROM mapping_day_contribution
    WHERE day_rowid = ? AND team IS NOT NULL GROUP BY team
    """

  /// The members from which on the contributions of a team are shown: fewer would be figures of a person.
  static let minMembers: Int64 = 3

  /// Forgets at the end of a day which contributions are of small teams. The participants are forgotten later.
  func forgetSmallTeams(
    of day: MappingDay, _ members: [String: Int64], _ connection: borrowing Connection
  ) throws {
    for team in day.plan.teams where members[team] ?? 0 < Self.minMembers {
      try connection.execute(
        "UPDATE mapping_day_contribution SET team = NULL WHERE day_rowid = ? AND team = ?",
        [.integer(day.rowid), .text(team)])
    }
  }

  static let totals = """
    SELECT count(DISTINCT device_rowid),
      coalesce(sum(CASE WHEN device_rowid IS NULL THEN 1 ELSE 0 END), 0)
    FROM mapping_day_contribution WHERE day_rowid = ?
    """

  /// A contribution to a device that is public.
  struct Contribution: Sendable {
    let rowid: Int64
    let device, name, category, kind: String
    /// The start of the hour. An exact time could be matched with edits, which have authors, and so reveal who
    /// confirmed a device.
    let hour: String
    let longitude, latitude: Double
  }

  /// The contributions of a day to devices that are still public, in the order in which they were tagged.
  func page(
    of day: Int64, after row: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Contribution] {
    try connection.rows(Self.page, [.integer(day), .integer(row), SQLValue(limit)]) { row in
      Contribution(
        rowid: row.int(0), device: row.text(1), name: row.text(2), category: row.text(3),
        kind: row.text(4), hour: "\(row.text(5).prefix(13)):00:00Z", longitude: row.double(6),
        latitude: row.double(7))
    }
  }

  static let page = """
    SELECT work.rowid, device.id, device.name, work.category, work.kind, work.made_at,
      device.longitude, device.latitude
    FROM mapping_day_contribution AS work JOIN device ON device.rowid = work.device_rowid
    WHERE work.day_rowid = ? AND work.rowid > ? AND device.hidden = 0
      AND device.longitude IS NOT NULL
    ORDER BY work.rowid LIMIT ?
    """
}
