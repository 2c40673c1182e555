import PrivacyMap
import Service
import SpatialDatabase

/// Ends watches that were not renewed for a year, after a mail, and erases old changes; runs every hour.
struct WatchSweep: Sendable {
  /// The kind of job.
  static let job = "watch_sweep"
  static let every = Duration.seconds(3_600)
  /// The seconds after which a watch ends, unless it is renewed.
  static let life: Int64 = Seconds.days(365)
  /// The seconds before the end at which the owner gets a mail.
  static let notice: Int64 = Seconds.days(30)
  /// The retention of changes and deliveries in seconds.
  static let memory: Int64 = Seconds.days(90)
  /// Rows in a transaction, so that other writes do not wait long.
  private static let portion = 200

  let database: Database
  let environment: Environment
  let store: WatchStore
  let mails: WatchMails

  /// The day on which a watch ends.
  static func end(ofOneRenewedAt renewed: Timestamp) -> Day {
    renewed.later(life).day
  }

  private func ago(_ seconds: Int64) -> SQLValue {
    .text(
      environment.now().later(-seconds).text)
  }

  func run() throws {
    while try database.write(remind) == Self.portion {}
    while try database.write(end) == Self.portion {}
    while try database.write({
      try ChangeLog.forget(until: ago(Self.memory), maximum: Self.portion, $0)
    })
      == Self.portion
    {}
    while try database.write(forgetDeliveries) == Self.portion {}
  }

  private func remind(_ connection: borrowing Connection) throws -> Int {
    let rows = try connection.rows(
      "SELECT rowid FROM watch WHERE renewed_at <= ? AND reminded_at IS NULL LIMIT ?",
      [ago(Self.life - Self.notice), SQLValue(Self.portion)]
    ) { $0.int(0) }
    for row in rows {
      if let watch = try store.one(row: row, connection) {
        let renewed = Timestamp(text: watch.renewedAt) ?? environment.now()
        // If the server was off for long, the owner still has the whole notice.
        let day = max(
          Self.end(ofOneRenewedAt: renewed),
          environment.now().later(Self.notice).day)
        try mails.tell(.watchEnding, about: watch, day: day, connection)
      }
      try connection.execute(
        "UPDATE watch SET reminded_at = ? WHERE rowid = ?",
        [.text(environment.now().text), .integer(row)])
    }
    return rows.count
  }

  private func end(_ connection: borrowing Connection) throws -> Int {
    let over = try connection.rows(
      "SELECT rowid, id FROM watch WHERE \(Self.isOver) ORDER BY rowid LIMIT ?3",
      [ago(Self.life), ago(Self.notice), SQLValue(Self.portion)]
    ) { (row: $0.int(0), id: $0.text(1)) }
    guard !over.isEmpty else { return 0 }
    for watch in over {
      try connection.execute("DELETE FROM watch WHERE rowid = ?", [.integer(watch.row)])
    }
    try ErasureList.note(.watch, over.map(\.id), at: environment.now(), connection)
    try connection.execute("UPDATE watch_progress SET version = version + 1")
    return over.count
  }

  /// A watch that was not renewed since `?1`, and whose owner got the mail before `?2`.
  private static let isOver = "renewed_at <= ?1 AND reminded_at <= ?2"

  private func forgetDeliveries(_ connection: borrowing Connection) throws -> Int {
    try connection.execute(
      """
      DELETE FROM watch_sent WHERE rowid IN (
        SELECT rowid FROM watch_sent WHERE sent_at <= ? LIMIT ?)
      """, [ago(Self.memory), SQLValue(Self.portion)])
    return connection.changedRowCount
  }
}
