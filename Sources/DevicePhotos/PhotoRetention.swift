import Devices
import PrivacyMap
package import Service

extension Photos {
  package static let restores = RestoreRule.of(
    "contributions", ["photo": .repeats([.picture, .photo, .photoState, .redaction])])

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
      why: "to bring them back", period: .days(PhotoList.keptDays), job: MediaSweep.job,
      due: "SELECT count(*) FROM photo WHERE state = 'deleted' AND deleted_at <= ?",
      limit: .ago(Seconds.days(PhotoList.keptDays)))
  ]
}
