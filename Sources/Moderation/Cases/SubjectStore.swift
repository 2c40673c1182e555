import Accounts
import Service
import SpatialDatabase

/// The rows that moderation acts on: accounts, devices, photos and revisions.
struct SubjectStore {
  func id(ofDevice rowid: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT id FROM device WHERE rowid = ?", [.integer(rowid)])
  }

  func rowid(ofDevice id: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
  }

  func device(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> (id: String, name: String)? {
    try connection.first(
      "SELECT id, name FROM device WHERE rowid = ?", [.integer(rowid)]
    ) { ($0.text(0), $0.text(1)) }
  }

  func state(ofPhoto photo: Int64, _ connection: borrowing Connection) throws -> String {
    try connection.text("SELECT state FROM photo WHERE rowid = ?", [.integer(photo)]) ?? ""
  }

  /// 1 if a device is hidden.
  func hidden(_ device: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT hidden FROM device WHERE rowid = ?", [.integer(device)]) ?? 0
  }

  func revision(
    _ number: Int64, of device: Int64, _ connection: borrowing Connection
  ) throws -> (kind: String, author: Int64?)? {
    try connection.first(
      "SELECT kind, account_rowid FROM revision WHERE device_rowid = ? AND number = ?",
      [.integer(device), .integer(number)]
    ) { ($0.text(0), $0.optionalInt(1)) }
  }

  /// An account by its id or username.
  func account(
    _ name: String, _ connection: borrowing Connection
  ) throws -> (rowid: Int64, id: String, isConfirmed: Bool)? {
    try connection.first(
      "SELECT rowid, id, confirmed_at FROM account WHERE id = ?", [.text(name)]
    ) { ($0.int(0), $0.text(1), !$0.isNull(2)) }
      ?? connection.first(
        "SELECT rowid, id, confirmed_at FROM account WHERE username_key = ?",
        [.text(Username.key(of: name))]
      ) { ($0.int(0), $0.text(1), !$0.isNull(2)) }
  }

  func rowid(ofAccount id: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT rowid FROM account WHERE id = ?", [.text(id)])
  }

  func role(of account: Int64, _ connection: borrowing Connection) throws -> Role? {
    try connection.text("SELECT role FROM account WHERE rowid = ?", [.integer(account)])
      .flatMap(Role.init(rawValue:))
  }

  /// The recipient of a mail. Accounts without a confirmed address get no mail.
  func recipient(
    _ account: Int64, _ connection: borrowing Connection
  ) throws -> (username: String, email: String, locale: String)? {
    try connection.first(
      """
      SELECT username, email, locale FROM account
      WHERE rowid = ? AND confirmed_at IS NOT NULL
      """, [.integer(account)]
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
  }

  /// Erases the address of a report.
  func eraseAddress(of flag: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("UPDATE flag SET email = NULL WHERE rowid = ?", [.integer(flag)])
  }
}
