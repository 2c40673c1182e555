import Accounts
package import Service

extension DeviceRecords {
  package static let retention = [
    RetentionRule(
      code: "device_deleted", entry: "order", what: "what deleted devices said",
      why: "to bring them back", period: .days(DeviceRemoval.usualDays), job: DeviceErasure.job,
      due: "SELECT count(*) FROM tombstone_content WHERE erase_on <= ?", limit: .today),
    RetentionRule(
      code: "idempotency", entry: "requests-sent", what: "answers to requests that are sent twice",
      why: "to carry them out once", period: .days(IdempotencyKey.lifetime / 86_400),
      job: AccountSweep.job, due: "SELECT count(*) FROM idempotency WHERE made_at <= ?",
      limit: .ago(IdempotencyKey.lifetime)),
  ]
}
