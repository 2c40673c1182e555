import PrivacyMap

/// The retention of personal data that no single feature owns.
package enum ServiceRetention {
  /// The rules; `job` is the kind of the job that deletes the rows.
  package static func rules(job: String) -> [RetentionRule] {
    [
      .rows(
        of: "counted_event", where: "ends_at <= ?", code: "counted_event", entry: "limits",
        what: "events that limits count, on PostgreSQL", why: "to limit guessing and floods",
        period: .days(1), job: job, limit: .now),
      .rows(
        of: "mail", where: "created_at <= ? AND \(StoredMail.isAbandoned)", code: "mail",
        entry: "mail", what: "mail that nothing sends any more", why: "to reach people",
        period: .days(StoredMail.life / Seconds.day), job: job, limit: .ago(StoredMail.life)),
      .rows(
        of: "mail_failure", where: "last_on < ?", code: "mail_failure", entry: "watches",
        what: "days on which mail to an address failed", why: "to stop mails that do not arrive",
        period: .days(Int64(MailRefusals.memory)), job: job,
        limit: .daysAgo(MailRefusals.memory)),
      .rows(
        of: "job", where: StoredJobs.isOld, code: "job_failed", entry: "mail",
        what: "work that was given up", why: "to find out why",
        period: .days(StoredJobs.failedDays), job: job,
        limit: .ago(Seconds.days(StoredJobs.failedDays))),
    ]
  }
}
