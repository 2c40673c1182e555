import DevicePhotos
package import Devices
import JSON
import PrivacyMap
package import Service
package import SpatialDatabase

/// Wires moderation together: flags, reports, the queue, actions and their log.
package struct ModerationFeature: DeviceTableFeature {
  package let moderation: Moderation
  private let flags: FlagStore
  private let catalogue: Catalogue
  private let deletion: DeletionRoutes
  private let log: LogStore
  private let queue: QueueStore
  private let rates: RateLimits

  package init(_ instance: Instance) throws {
    let redacted: Photos = try instance.part()
    let map = redacted.map
    let environment = map.environment
    log = LogStore(names: instance.features.flatMap { $0.logNames })
    queue = try instance.part()
    (catalogue, rates) = (instance.catalogue, instance.rates)
    let mails = ModerationMails(
      queue: instance.mails, catalogue: catalogue, names: try instance.part())
    let cases = OpenCaseStore(environment: environment, mails: mails)
    let photos = PhotoStates(map: map)
    let claims = VerificationCounts(
      store: VerificationStore(vocabulary: map.vocabulary, environment: environment))
    flags = FlagStore(environment: environment)
    moderation = Moderation(
      map: map, acts: ModerationActionStore(environment: environment), cases: cases,
      standing: Standing(cases: cases, photos: photos, claims: claims), photos: photos,
      redaction: PhotoRedaction(photos: redacted), claims: claims, past: try instance.part())
    deletion = DeletionRoutes(
      moderation: moderation, features: redacted.features, erasure: redacted.erasure)
  }

  package var endpoints: [Endpoint] {
    deletion.endpoints + FlagRoutes(store: flags, rates: rates).endpoints
      + ReportRoutes(
        store: flags, mails: moderation.mails, catalogue: catalogue, rates: rates
      ).endpoints
      + QueueRoutes(moderation: moderation, store: queue).endpoints
      + ModerationActionRoutes(moderation: moderation).endpoints
      + LogRoutes(database: moderation.map.database, store: log).endpoints
  }

  package var schemas: [Schema] { ModerationSchemas.all }

  /// Flags of people, for other rooms.
  package var personFlags: PersonFlags { PersonFlags(store: flags, rates: rates) }

  package var jobs: [Job] {
    [
      Job(Self.job, every: Self.every, work: work),
      Job(ModerationActionBatches.job, work: batches.work),
      Job(DelayedVerdicts.job, work: moderation.delayed.work),
    ]
  }

  /// All flags on one target count once, so that repeated reports do not raise the number. Open and dismissed flags do
  /// not count, because they prove nothing about the person.
  package static let personCounts = [
    PersonCount(
      "upheld",
      """
      SELECT about_rowid, count(DISTINCT coalesce(action_rowid, -rowid)) FROM flag
      WHERE about_rowid IS NOT NULL AND outcome = 'upheld' GROUP BY about_rowid
      """)
  ]

  package static let deviceTables = [
    DeviceTable("moderation_revision"), DeviceTable("flag", outlivesDevice: true),
  ]

  /// A flag has the name of the device, or of the person, that it is about.
  package static let logNames = [
    LogName("flag") {
      """
      SELECT coalesce(
        (SELECT name FROM device WHERE rowid = flag.device_rowid),
        (SELECT username FROM account WHERE rowid = flag.about_rowid))
      FROM flag WHERE id = \($0)
      """
    }
  ]

  /// Deletes the address of a confirmed account from its reports.
  package static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws {
    guard let key = account.emailKey else { return }
    try connection.execute("UPDATE flag SET email = NULL WHERE lower(email) = ?", [.text(key)])
  }

  /// Actions that need more than one transaction.
  var batches: ModerationActionBatches { ModerationActionBatches(moderation: moderation) }

  /// The kind of job.
  package static let job = "keep_order"
  static let every = Duration.days(1)

  /// Daily work: accepts contributions that have stood long enough, and erases the addresses of old
  /// unanswered reports.
  @Sendable func work(_ payload: String) throws {
    while try moderation.map.write({ try moderation.standing.acceptWhatStood($0) }) > 0 {}
    let erased = try moderation.map.database.write { try flags.eraseOldAddresses($0) }
    if erased > 0 { try? moderation.map.database.checkpoint(truncate: true) }
  }
}
