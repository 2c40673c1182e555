import SpatialDatabase

extension RetentionRule {
  /// All retention periods of personal data. Data that is stored until a user deletes it has no rule
  /// here.
  package static let all: [RetentionRule] = accounts + keys + mail + order + people

  private static let accounts = [
    RetentionRule(
      code: "account_unconfirmed", entry: "account", what: "accounts never confirmed",
      why: "to give their owners time to confirm", period: .days(AccountSweep.patience / 86_400),
      job: AccountSweep.job,
      due: "SELECT count(*) FROM account WHERE confirmed_at IS NULL AND created_at <= ?",
      limit: .ago(AccountSweep.patience)),
    RetentionRule(
      code: "session_idle", entry: "sessions", what: "sessions without a visit",
      why: "to keep people signed in", period: .days(Int64(Gate.idleDays)), job: AccountSweep.job,
      due: "SELECT count(*) FROM session WHERE last_seen_on <= ?", limit: .daysAgo(Gate.idleDays)),
    RetentionRule(
      code: "session", entry: "sessions", what: "sessions", why: "to keep people signed in",
      period: .days(SessionStore.lifetime(of: .contributor) / 86_400), job: AccountSweep.job,
      due: "SELECT count(*) FROM session WHERE expires_at <= ?", limit: .now),
    RetentionRule(
      code: "suspension", entry: "order", what: "suspensions after their end",
      why: "to keep order", period: .hours(0), job: AccountSweep.job,
      due: "SELECT count(*) FROM account WHERE suspended_until <= ?", limit: .now),
  ]

  private static let keys = [
    RetentionRule(
      code: "personal_token", entry: "keys", what: "keys for programs after their end",
      why: "to let programs in", period: .days(Int64(PersonalTokenRoutes.days.upperBound)),
      job: AccountSweep.job, due: "SELECT count(*) FROM personal_token WHERE expires_at <= ?",
      limit: .now),
    RetentionRule(
      code: "known_network", entry: "networks", what: "networks that people signed in from",
      why: "to let their owners in while others guess", period: .days(Int64(KnownNetworks.days)),
      job: AccountSweep.job, due: "SELECT count(*) FROM known_network WHERE last_seen_on < ?",
      limit: .daysAgo(KnownNetworks.days)),
    RetentionRule(
      code: "idempotency", entry: "requests-sent", what: "answers to requests that are sent twice",
      why: "to carry them out once", period: .days(IdempotencyKey.lifetime / 86_400),
      job: AccountSweep.job, due: "SELECT count(*) FROM idempotency WHERE made_at <= ?",
      limit: .ago(IdempotencyKey.lifetime)),
  ]

  private static let mail = [
    RetentionRule(
      code: "mail_token", entry: "mail", what: "links in mails", why: "to confirm and to recover",
      period: .hours(MailTokens.longest / 3_600), job: AccountSweep.job,
      due: "SELECT count(*) FROM mail_token WHERE expires_at <= ?", limit: .now),
    RetentionRule(
      code: "mail", entry: "mail", what: "mail that nothing sends any more",
      why: "to reach people", period: .days(AccountSweep.mailPatience / 86_400),
      job: AccountSweep.job,
      due: "SELECT count(*) FROM mail WHERE created_at <= ? AND \(AccountSweep.isForgotten)",
      limit: .ago(AccountSweep.mailPatience)),
    RetentionRule(
      code: "job_failed", entry: "mail", what: "work that was given up",
      why: "to find out why", period: .days(AccountSweep.failureMemory / 86_400),
      job: AccountSweep.job, due: "SELECT count(*) FROM job WHERE \(AccountSweep.isGivenUp)",
      limit: .ago(AccountSweep.failureMemory)),
  ]

  private static let order = [
    RetentionRule(
      code: "report_address", entry: "flags", what: "addresses of people who reported something",
      why: "to answer them", period: .days(FlagStore.addressDays), job: KeepingOrder.job,
      due: "SELECT count(*) FROM flag WHERE email IS NOT NULL AND created_at <= ?",
      limit: .ago(FlagStore.addressDays * 86_400)),
    RetentionRule(
      code: "photo_deleted", entry: "contributions", what: "deleted photos",
      why: "to bring them back", period: .days(PhotoList.keptDays), job: MediaSweep.job,
      due: "SELECT count(*) FROM photo WHERE state = 'deleted' AND deleted_at <= ?",
      limit: .ago(PhotoList.keptDays * 86_400)),
    RetentionRule(
      code: "device_deleted", entry: "order", what: "what deleted devices said",
      why: "to bring them back", period: .days(DeviceRemoval.usualDays), job: DeviceErasure.job,
      due: "SELECT count(*) FROM tombstone_content WHERE erase_on <= ?", limit: .today),
    RetentionRule(
      code: "import_dry_run", entry: "contributions", what: "imports that were only tried out",
      why: "to show what would happen", period: .days(ImportDesk.dryRunDays), job: KeepingOrder.job,
      due: """
        SELECT count(*) FROM import_run
        WHERE dry_run = 1 AND state <> 'running' AND started_at < ?
        """, limit: .daysAgo(Int32(ImportDesk.dryRunDays))),
  ]

  private static let people = [
    RetentionRule(
      code: "data_request", entry: "data-requests", what: "requests for records that have ended",
      why: "so that both can look them up", period: .years(DataRequestSweep.memory / 31_536_000),
      job: DataRequestSweep.job, due: "SELECT count(*) FROM data_request WHERE ended_at <= ?",
      limit: .ago(DataRequestSweep.memory))
  ]
}
