import Accounts
import PrivacyMap
package import Service

extension DeviceRecords {
  package static let restores =
    RestoreRule.of(
      "contributions",
      [
        "device": .repeats([.removed, .hidden]), "revision": .follows("device"),
        "verdict": .follows("device"), "review": .follows("device"),
      ])
    + RestoreRule.of(
      "places",
      ["device_location": .repeats([.precision]), "revision_location": .follows("device")])
    + RestoreRule.of("order", ["tombstone_content": .repeats([.device])])
    + RestoreRule.of(
      "operators",
      [
        "operator": .remains("the erasure of its last device erases it"),
        "operator_alias": .follows("operator"), "device_choice": .follows("device"),
        "device_text": .remains("it is derived from the device"),
        "device_tag": .remains("it is derived from the device"),
      ])

  package static let personCounts = [
    PersonCount(
      "devices",
      """
      SELECT account_rowid, count(*) FROM device
      WHERE account_rowid IS NOT NULL AND hidden = 0 GROUP BY account_rowid
      """),
    PersonCount(
      "edits",
      """
      SELECT revision.account_rowid, count(*) FROM revision
      JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid IS NOT NULL AND revision.kind IN ('edit', 'restore')
        AND device.hidden = 0 GROUP BY revision.account_rowid
      """),
  ]

  package static let personContributions = [
    PersonContribution(
      "edits",
      "revision WHERE revision.account_rowid = account.rowid AND kind IN ('edit', 'restore')"),
    PersonContribution("claims", "verdict WHERE verdict.account_rowid = account.rowid"),
  ]

  /// A deleted device keeps its name until its data is erased. A review has the name of its device.
  package static let logNames = [
    LogName("device") {
      """
      SELECT coalesce(
        (SELECT name FROM device WHERE id = \($0)),
        (SELECT name FROM tombstone_content WHERE id = \($0)))
      """
    },
    LogName("review") {
      """
      SELECT name FROM device
      WHERE rowid = (SELECT device_rowid FROM review WHERE id = \($0))
      """
    },
  ]

  package static let retention = [
    RetentionRule(
      code: "device_deleted", entry: "order", what: "what deleted devices said",
      why: "to bring them back", period: .days(DeviceRemoval.keptDays), job: DeviceErasure.job,
      due: "SELECT count(*) FROM tombstone_content WHERE erase_on <= ?", limit: .today)
  ]
}
