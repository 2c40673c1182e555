import Devices
import Logging
import JSON
import PrivacyMap
package import Service
import SpatialDatabase

/// Mapping days: people meet for a day, map an area together, and everyone can follow it live.
package struct MappingDays: Feature {
  let database: Database
  let environment: Environment
  let catalogue: Catalogue
  let addresses: Addresses
  /// The instance's name and licence.
  let name, licence: String
  let days: DayStore
  let participants: ParticipantStore
  let contributions: ContributionStore
  let mails: DayMails
  let form: DayForm
  let worker: DayWorker
  let answers = ProgressAnswers()
  /// Days that an account joins, days in which it shows or hides its name, and days that it plans. Each that it leaves or
  /// deletes again, and each hidden name, is an entry in the list of erasures.
  let joinings, names, plans: Throttle<Int64>

  static let tag = "Mapping days"

  package init(_ instance: Instance) throws {
    let map = try instance.map
    (database, environment) = (instance.database, instance.environment)
    (catalogue, addresses) = (instance.catalogue, instance.addresses)
    (name, licence) = (instance.settings.name, instance.settings.licence)
    days = DayStore(environment: environment)
    participants = ParticipantStore(environment: environment)
    contributions = ContributionStore()
    mails = DayMails(
      environment: environment, catalogue: catalogue, days: days, participants: participants,
      contributions: contributions)
    form = DayForm(rules: DayArea(countries: map.countries), vocabulary: map.vocabulary)
    worker = DayWorker(
      database: database, writer: instance.writes, mails: mails, index: map.index,
      publicChanges: instance.publicChanges, logger: instance.logger)
    joinings = instance.rates.limit("mapping_days.joinings", 30, per: .seconds(3_600))
    names = instance.rates.limit("mapping_days.names", 60, per: .seconds(3_600))
    plans = instance.rates.limit("mapping_days.plans", 30, per: .seconds(3_600))
  }

  package static let pending = [
    PendingCount("mapping_day", rows: "mapping_day WHERE state = 'waiting'", since: "changed_at")
  ]

  package static let logNames = [
    LogName("mapping_day") { "SELECT title FROM mapping_day WHERE id = \($0)" }
  ]

  package var endpoints: [Endpoint] {
    DayRoutes(feature: self).endpoints + OrganiserRoutes(feature: self).endpoints
      + ParticipationRoutes(feature: self).endpoints + DecisionRoutes(feature: self).endpoints
      + ProgressRoutes(feature: self).endpoints + DayFeedRoutes(feature: self).endpoints
  }

  package var schemas: [Schema] {
    ShownDay.components + ShownProgress.components
      + JSONSchema.named([
        "mappingDayPlan": DayForm.schema, "mappingDayMail": ["text": .text(1...2_000)],
        "mappingDayJoin": [
          "shows_name": JSONSchema.flag.optional, "team": JSONSchema.text(1...40).orNull.optional,
        ],
        "mappingDayDecision": [
          "decision": .oneOf(["approve", "reject"]),
          "reason": JSONSchema.text(1...500).orNull.optional, "version": .text,
        ],
        "mappingDayContributions": JSONSchema.object,
      ])
  }

  package var jobs: [Job] {
    [
      Job(DaySweep.job, every: DaySweep.every) {
        try DaySweep(days: days, database: database).run()
      }
    ]
  }

  /// Starts the thread that starts and ends days.
  package func start() { worker.start() }

  /// Ends the thread of ``start()``.
  package func stop() { worker.stop() }

  /// Does everything that is due, on the calling thread.
  package func finish() throws { try worker.step() }
}
