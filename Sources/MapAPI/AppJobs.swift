import Foundation
import Logging
import PrivacyMap
import SpatialDatabase

/// The background jobs of an instance.
extension App {
  /// The job kinds that an instance can run.
  package var works: [String: JobRunner.Work] {
    let accountSweep = AccountSweep(accounts: accounts)
    let reminders = ChoiceReminders(choices: choices)
    let dataRequests = DataRequestSweep(requests: self.dataRequests)
    let works: [String: JobRunner.Work] = [
      MailRequest.job: accounts.answerMailRequest,
      ErasureList.job: erasures.work,
      AccountErasure.job: accounts.wipeTracesOnceMailIsGone,
      AccountSweep.job: { [erasures, surroundings] _ in
        try accountSweep.run()
        try erasures.forget(at: surroundings.now())
      },
      DeviceErasure.job: { [erasure] _ in try erasure.run() },
      MediaSweep.job: { [sweep] _ in try sweep.run() },
      CollectionDesk.job: { [administration] _ in try administration.collections.sweep() },
      KeepingOrder.job: order.work, ActBatches.job: order.batches.work,
      ChoiceReminders.job: { _ in try reminders.run() },
      CountryFill.job: { [map] _ in try CountryFill(map: map).run() },
      OutcomePublication.job: { [outcomes] _ in try outcomes.run() },
      PeoplePublication.job: { [people] _ in try people.run() },
      ProfilePublication.job: { [profiles] _ in try profiles.run() },
      DataRequestSweep.job: { _ in try dataRequests.run() },
      Snapshots.job: { [snapshots] _ in try snapshots.run() },
      Backups.job: backUp,
      DerivedData.job: rebuild,
    ]
    let retention = Retention(database: database, surroundings: surroundings)
    let sweeps = Set(RetentionRule.all.map(\.job))
    return Dictionary(
      uniqueKeysWithValues: works.map { job, work -> (String, JobRunner.Work) in
        guard sweeps.contains(job) else { return (job, work) }
        return (job, { try retention.noting(job, work, $0) })
      })
  }

  /// Makes today's backup, logs the findings of its check and schedules repairs of derived data.
  @Sendable private func backUp(_ payload: String) throws {
    guard let made = try backups?.run() else { return }
    for finding in made.findings {
      logger.error(
        "the database is inconsistent; the backup was made anyway",
        metadata: ["error": "\(finding)"])
    }
    if made.missing > 0 {
      logger.error(
        "picture files of photos are missing; new backups do not contain them",
        metadata: ["error": "\(made.missing) photos"])
    }
    for file in made.missingSnapshots {
      logger.error(
        "a snapshot file is unreadable; new backups do not contain it",
        metadata: ["error": "\(file)"])
    }
    let parts = Set(made.findings.filter(\.isWrittenAgain).compactMap(\.part))
    try database.write { try DerivedData.schedule(parts, at: surroundings.now(), $0) }
  }

  @Sendable private func rebuild(_ payload: String) throws {
    let rows = try DerivedData(map: map).work(payload)
    logger.notice(
      "derived data was rebuilt", metadata: ["rows": "\(rows)"])
  }

  /// Kinds of jobs that take so long that they run apart from the other jobs.
  package var longWorks: Set<String> {
    backups == nil
      ? [Snapshots.job] : [Snapshots.job, Backups.job, DerivedData.job]
  }

  /// Kinds of jobs that repeat, with their intervals.
  package var repeatedWorks: [String: Duration] {
    var works: [String: Duration] = [
      AccountSweep.job: AccountSweep.every, MediaSweep.job: MediaSweep.every,
      CollectionDesk.job: CollectionDesk.every,
      KeepingOrder.job: KeepingOrder.every, ChoiceReminders.job: ChoiceReminders.every,
      CountryFill.job: CountryFill.every,
      OutcomePublication.job: OutcomePublication.every,
      PeoplePublication.job: PeoplePublication.every, DataRequestSweep.job: DataRequestSweep.every,
      ProfilePublication.job: ProfilePublication.every, Snapshots.job: Snapshots.every,
    ]
    works[Backups.job] = backups == nil ? nil : Backups.every
    return works
  }
}
