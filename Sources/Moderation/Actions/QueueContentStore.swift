import Devices
import PrivacyMap
import SpatialDatabase

/// The devices, photos, verdicts and flags of queue items.
struct QueueContentStore {
  /// The rows of a flagged target and its author; none if it was deleted since.
  func rows(
    of target: Target, _ connection: borrowing Connection
  ) throws -> (device: Int64?, photo: Int64?, account: Int64?) {
    switch target.kind {
    case .device:
      try connection.first(
        "SELECT rowid, account_rowid FROM device WHERE id = ?", [.text(target.id)]
      ) { ($0.int(0), nil, $0.optionalInt(1)) } ?? (nil, nil, nil)
    case .photo:
      try connection.first(
        "SELECT device_rowid, rowid, account_rowid FROM photo WHERE id = ?", [.text(target.id)]
      ) { ($0.int(0), $0.int(1), $0.optionalInt(2)) } ?? (nil, nil, nil)
    case .account:
      (
        nil, nil,
        try connection.integer("SELECT rowid FROM account WHERE id = ?", [.text(target.id)])
      )
    case .review, .flag: (nil, nil, nil)
    }
  }

  func precision(of device: Int64, _ connection: borrowing Connection) throws -> Precision {
    let precision = try connection.text(
      "SELECT precision FROM device WHERE rowid = ?", [.integer(device)])
    return precision.flatMap(Precision.init(rawValue:)) ?? .area
  }

  /// A device with its public point and its true point.
  struct Device {
    let id, name, category, status: String
    let isHidden: Bool
    let revision: Int64
    let precision: String
    let description, operatorName, operatorKind, author: String?
    let createdAt, updatedAt: String
    let point, location: (longitude: Double, latitude: Double)?
  }

  func device(_ rowid: Int64, _ connection: borrowing Connection) throws -> Device? {
    let location = try TruePlaces.place(of: rowid, connection)
    return try connection.first(
      """
      SELECT device.id, device.name, device.category, device.status, device.hidden,
        device.revision, device.precision, device.description, operator.name, operator.kind,
        account.username, device.created_at, device.updated_at, device.longitude, device.latitude
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
      LEFT JOIN account ON account.rowid = device.account_rowid
      WHERE device.rowid = ?
      """, [.integer(rowid)]
    ) { row in
      Device(
        id: row.text(0), name: row.text(1), category: row.text(2), status: row.text(3),
        isHidden: row.bool(4), revision: row.int(5), precision: row.text(6),
        description: row.optionalText(7), operatorName: row.optionalText(8),
        operatorKind: row.optionalText(9), author: row.optionalText(10), createdAt: row.text(11),
        updatedAt: row.text(12), point: row.isNull(13) ? nil : (row.double(13), row.double(14)),
        location: location)
    }
  }

  /// A photo and the username of its author.
  struct Photo {
    let id, state, alt: String
    let width, height: Int64
    let author: String?
    let createdAt: String
    let version: Int64
  }

  private static let photoColumns =
    "photo.id, photo.state, photo.alt, photo.width, photo.height, account.username, "
    + "photo.created_at, photo.version"

  private static func photo(_ row: Row) -> Photo {
    Photo(
      id: row.text(0), state: row.text(1), alt: row.text(2), width: row.int(3), height: row.int(4),
      author: row.optionalText(5), createdAt: row.text(6), version: row.int(7))
  }

  /// All photos of a device, hidden ones included.
  func photos(of device: Int64, _ connection: borrowing Connection) throws -> [Photo] {
    try connection.rows(
      """
      SELECT \(Self.photoColumns)
      FROM photo LEFT JOIN account ON account.rowid = photo.account_rowid
      WHERE device_rowid = ? AND state <> 'deleted' ORDER BY position, photo.rowid
      """, [.integer(device)], decode: Self.photo)
  }

  func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> Photo? {
    try connection.first(
      """
      SELECT \(Self.photoColumns)
      FROM photo LEFT JOIN account ON account.rowid = photo.account_rowid WHERE photo.rowid = ?
      """, [.integer(rowid)], decode: Self.photo)
  }

  func flag(
    _ id: String, _ connection: borrowing Connection
  ) throws -> (reason: String, note: String?)? {
    try connection.first("SELECT reason, note FROM flag WHERE id = ?", [.text(id)]) {
      ($0.text(0), $0.optionalText(1))
    }
  }

  /// An open flag and the username of its author.
  struct Flag {
    let id, kind, reason: String
    let note, author: String?
    let createdAt: String
    let wantsAnswer: Bool
    let times: Int64
  }

  /// The maximum of reasons shown per item: all kept reports (``FlagStore/maxKept``), and as many flags
  /// as fit.
  private static let maxReasons = 150

  /// The open flags on a target: serious reasons first, then reports, then the oldest.
  func reasons(for target: Target, _ connection: borrowing Connection) throws -> [Flag] {
    try connection.rows(
      """
      SELECT flag.id, flag.kind, reason, note, account.username, flag.created_at,
        flag.email IS NOT NULL, flag.times
      FROM flag LEFT JOIN account ON account.rowid = flag.account_rowid
      WHERE target_type = ? AND target_id = ? AND outcome IS NULL
      ORDER BY \(FlagStore.Reason.isSeriousSQL) DESC, flag.kind DESC, flag.created_at, flag.rowid
      LIMIT ?
      """, [.text(target.kind.rawValue), .text(target.id), SQLValue(Self.maxReasons)]
    ) { row in
      Flag(
        id: row.text(0), kind: row.text(1), reason: row.text(2), note: row.optionalText(3),
        author: row.optionalText(4), createdAt: row.text(5), wantsAnswer: row.bool(6),
        times: row.int(7))
    }
  }
}
