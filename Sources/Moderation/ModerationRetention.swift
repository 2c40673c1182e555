package import Service

extension ModerationFeature {
  package static let retention = [
    RetentionRule(
      code: "report_address", entry: "flags", what: "addresses of people who reported something",
      why: "to answer them", period: .days(FlagStore.addressDays), job: ModerationFeature.job,
      due: "SELECT count(*) FROM flag WHERE email IS NOT NULL AND created_at <= ?",
      limit: .ago(FlagStore.addressDays * 86_400))
  ]
}
