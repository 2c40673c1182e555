import Devices
import JSON
import Service
import SpatialDatabase

/// The records of a person for a data request: their public contributions with the day, in
/// chronological order. No true points, and nothing hidden or deleted.
struct PersonRecords {
  /// The end of a page: moment, field and row of the last record.
  struct Place: Equatable {
    var at = ""
    var field = ""
    var key = ""

    var cursor: PageCursor { PageCursor(keys: [at, field, key]) }
  }

  /// The response with one page.
  struct Page {
    let username: String
    let records: [JSONValue]
    let next: String?
    /// The cursor of records that are added later.
    let since: String?

    static let shape = JSONShape<Page>(
      "dataRecords", .text("username", \.username),
      .init("records", .list(of: record.schema), \.records), .text("next", \.next),
      .text("since", \.since))
  }

  let account: Int64
  let fields: [RecordRequest.Field]
  /// The first moment, and the end (exclusive).
  let from: String
  let before: String

  /// Records of one kind. Parameters: account, from, before, the end of the last page, limit.
  static func query(_ field: RecordRequest.Field) -> String {
    """
    SELECT at, key, id, name, category, longitude, latitude, precision, one, two, three FROM (
      \(records(field))
    ) AS record WHERE at >= ?2 AND at < ?3 AND (at, '\(field.rawValue)', key) > (?4, ?5, ?6)
    ORDER BY at, key LIMIT ?7
    """
  }

  private static let device = """
    device.id AS id, device.name AS name, device.category AS category,
    device.longitude AS longitude, device.latitude AS latitude, device.precision AS precision
    """

  private static func records(_ field: RecordRequest.Field) -> String {
    switch field {
    case .devices:
      """
      SELECT device.created_at AS at, device.id AS key, \(device), NULL AS one, NULL AS two,
        NULL AS three
      FROM device WHERE device.account_rowid = ?1 AND device.hidden = 0
      """
    case .edits:
      """
      SELECT revision.made_at AS at, device.id || ' ' || printf('%09d', revision.number) AS key,
        \(device), revision.kind AS one, revision.number AS two, NULL AS three
      FROM revision JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid = ?1 AND revision.kind IN ('edit', 'restore')
        AND device.hidden = 0
      """
    case .claims:
      VerificationStore.records(of: device)
    case .photos:
      """
      SELECT photo.created_at AS at, photo.id AS key, \(device), photo.id AS one,
        photo.alt AS two, NULL AS three
      FROM photo JOIN device ON device.rowid = photo.device_rowid
      WHERE photo.account_rowid = ?1 AND photo.state = 'public' AND device.hidden = 0
      """
    }
  }

  /// At most `limit` records after the end of a page.
  func page(
    after place: Place, limit: Int, _ connection: borrowing Connection
  ) throws -> (records: [JSONValue], last: Place?, isWhole: Bool) {
    var found: [(place: Place, json: JSONValue)] = []
    for field in fields {
      try connection.forEach(
        Self.query(field),
        [
          .integer(account), .text(from), .text(before), .text(place.at), .text(place.field),
          .text(place.key), SQLValue(limit + 1),
        ]
      ) { row in
        let here = Place(at: row.text(0), field: field.rawValue, key: row.text(1))
        found.append((here, Self.record.json(Record(field: field, row: copy row))))
      }
    }
    found.sort {
      ($0.place.at, $0.place.field, $0.place.key) < ($1.place.at, $1.place.field, $1.place.key)
    }
    let page = found.prefix(limit)
    return (page.map(\.json), page.last?.place, found.count <= limit)
  }

  private struct Record {
    let field: RecordRequest.Field
    let row: Row

    func text(_ column: Int, of field: RecordRequest.Field) -> String? {
      self.field == field ? row.text(column) : nil
    }
  }

  private static let record = JSONShape<Record>(
    nil, .oneOf("field", \.field), .time("at") { $0.row.text(0) },
    .group(
      "device", .uuid("id") { $0.row.text(2) }, .text("name") { $0.row.text(3) },
      .text("category") { $0.row.text(4) },
      .init("geometry", .object) { JSONValue.point(($0.row.double(5), $0.row.double(6))) },
      .text("precision") { $0.row.text(7) }), .text("kind") { $0.text(8, of: .edits) }.optional,
    .count("revision") { $0.field == .edits ? $0.row.int(9) : nil }.optional,
    .text("claim") { $0.text(8, of: .claims) }.optional,
    .text("verdict") { $0.text(9, of: .claims) }.optional,
    .uuid("photo") { $0.text(8, of: .photos) }.optional,
    .text("alt") { $0.text(9, of: .photos) }.optional,
    .text("url") { $0.text(8, of: .photos).map { "/api/photos/\($0)?size=large" } }.optional)
}
