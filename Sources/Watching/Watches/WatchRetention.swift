import PrivacyMap
package import Service

extension Watches {
  package static let retention = [
    RetentionRule(
      code: "watch", entry: "watches", what: "watches that their owner did not keep",
      why: "to tell about changes in an area", period: .days(WatchSweep.life / Seconds.day),
      job: WatchSweep.job,
      due: """
        SELECT count(*) FROM watch WHERE renewed_at <= ?
          AND reminded_at <= strftime('%Y-%m-%dT%H:%M:%SZ', ?1, '+335 days')
        """,
      limit: .ago(WatchSweep.life)),
    RetentionRule(
      code: "watch_change", entry: "watches", what: "changes of devices that watches may tell",
      why: "to tell them, also in feeds", period: .days(WatchSweep.memory / Seconds.day),
      job: WatchSweep.job, due: "SELECT count(*) FROM watch_change WHERE happened_at <= ?",
      limit: .ago(WatchSweep.memory)),
    RetentionRule(
      code: "watch_delivery", entry: "watches", what: "the list of what watches sent",
      why: "so that the owner can see what was sent",
      period: .days(WatchSweep.memory / Seconds.day),
      job: WatchSweep.job, due: "SELECT count(*) FROM watch_sent WHERE sent_at <= ?",
      limit: .ago(WatchSweep.memory)),
  ]
}
