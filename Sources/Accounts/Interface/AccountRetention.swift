import PrivacyMap
package import Service

extension Accounts {
  package static let logNames = [
    LogName("account") { "SELECT username FROM account WHERE id = \($0)" }
  ]

  package static let restores =
    RestoreRule.of("account", ["account": .repeats([.account, .role, .recordRequests])])
    + RestoreRule.of(
      "secrets",
      [
        "account": .remains("without the password of the backup nobody could sign in"),
        "recovery_code": .follows("account"),
      ])
    + RestoreRule.of("sessions", ["session": .ends])
    + RestoreRule.of("keys", ["personal_token": .ends])
    + RestoreRule.of("networks", ["known_network": .follows("account")])
    + RestoreRule.of("limits", ["counted_event": .remains("it ends within a day")])
    + RestoreRule.of(
      "mail",
      [
        "mail": .ends, "mail_token": .ends,
        "job": .remains("jobs that send mail end; others find nothing to do for erased data"),
      ])

  package static let retention =
    [
      RetentionRule(
        code: "account_unconfirmed", entry: "account", what: "accounts never confirmed",
        why: "to give their owners time to confirm",
        period: .days(AccountSweep.confirmationPeriod / Seconds.day), job: AccountSweep.job,
        due: "SELECT count(*) FROM account WHERE confirmed_at IS NULL AND created_at <= ?",
        limit: .ago(AccountSweep.confirmationPeriod)),
      .rows(
        of: "session", where: "last_seen_on <= ?", code: "session_idle", entry: "sessions",
        what: "sessions without a visit", why: "to keep people signed in",
        period: .days(Int64(Gate.idleDays)), job: AccountSweep.job,
        limit: .daysAgo(Gate.idleDays)),
      .rows(
        of: "session", where: "expires_at <= ?", code: "session", entry: "sessions",
        what: "sessions", why: "to keep people signed in",
        period: .days(SessionStore.lifetime(of: .contributor) / Seconds.day), job: AccountSweep.job,
        limit: .now),
      RetentionRule(
        code: "suspension", entry: "order", what: "suspensions after their end",
        why: "to keep order", period: .hours(0), job: AccountSweep.job,
        due: "SELECT count(*) FROM account WHERE suspended_until <= ?", limit: .now),
      .rows(
        of: "personal_token", where: "expires_at <= ?", code: "personal_token", entry: "keys",
        what: "keys for programs after their end", why: "to let programs in",
        period: .days(Int64(PersonalTokenRoutes.days.upperBound)), job: AccountSweep.job,
        limit: .now),
      .rows(
        of: "known_network", where: "last_seen_on < ?", code: "known_network", entry: "networks",
        what: "networks that people signed in from",
        why: "to let their owners in while others guess",
        period: .days(Int64(KnownNetworks.days)), job: AccountSweep.job,
        limit: .daysAgo(KnownNetworks.days)),
      .rows(
        of: "mail_token", where: "expires_at <= ?", code: "mail_token", entry: "mail",
        what: "links in mails", why: "to confirm and to recover",
        period: .hours(MailTokens.maxLifetime / 3_600), job: AccountSweep.job, limit: .now),
    ] + ServiceRetention.rules(job: AccountSweep.job)
}
