import Pictures
import PrivacyMap
package import Service

extension Photos {
  package static let restores = RestoreRule.of(
    "contributions", ["photo": .repeats([.picture, .photo, .photoState, .redaction])])

  package static let personCounts = [
    PersonCount(
      "photos",
      """
      SELECT photo.account_rowid, count(*) FROM photo
      JOIN device ON device.rowid = photo.device_rowid
      WHERE photo.account_rowid IS NOT NULL AND photo.state = 'public' AND device.hidden = 0
      GROUP BY photo.account_rowid
      """)
  ]

  package static let personContributions = [
    PersonContribution(
      "photos", "photo WHERE photo.account_rowid = account.rowid AND state = 'public'")
  ]

  /// A photo has the name of its device.
  package static let logNames = [
    LogName("photo") {
      """
      SELECT name FROM device
      WHERE rowid = (SELECT device_rowid FROM photo WHERE id = \($0))
      """
    }
  ]

  package static let retention = [
    RetentionRule(
      code: "photo_deleted", entry: "contributions", what: "deleted photos",
      why: "to bring them back", period: .days(PhotoTable.keptDays), job: MediaSweep.job,
      due: "SELECT count(*) FROM photo WHERE state = 'deleted' AND deleted_at <= ?",
      limit: .ago(Seconds.days(PhotoTable.keptDays)))
  ]
}
