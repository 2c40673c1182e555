import PrivacyMap
package import Service

extension ModerationFeature {
  package static let restores =
    RestoreRule.of(
      "flags", ["flag": .remains("the time of each flag is in it, and the job erases addresses")])
    + RestoreRule.of(
      "order",
      [
        "account": .remains("moderators repeat suspensions"),
        "moderation_action": .remains("the log of the backup is complete up to its time"),
        "audit": .remains("the log of the backup is complete up to its time"),
        "tombstone": .remains("its words are those of moderators about a device"),
      ])

  package static let retention = [
    RetentionRule(
      code: "report_address", entry: "flags", what: "addresses of people who reported something",
      why: "to answer them", period: .days(FlagStore.addressDays), job: ModerationFeature.job,
      due: "SELECT count(*) FROM flag WHERE email IS NOT NULL AND created_at <= ?",
      limit: .ago(Seconds.days(FlagStore.addressDays)))
  ]
}
