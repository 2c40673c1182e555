import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Wires moderation together: flags, reports, the queue, actions and their log.
struct KeepingOrder: Sendable {
  let moderation: Moderation
  private let flags: FlagStore
  private let catalogue: Catalogue

  init(photos redacted: Photos, past: PastFeature, catalogue: Catalogue) {
    let map = redacted.map
    let surroundings = map.surroundings
    let mails = ModerationMails(queue: MailQueue(now: surroundings.now), catalogue: catalogue)
    let cases = OpenCases(surroundings: surroundings, mails: mails)
    let photos = PhotoStates(map: map)
    let claims = ClaimCounts(
      store: ClaimStore(vocabulary: map.vocabulary, surroundings: surroundings))
    flags = FlagStore(surroundings: surroundings)
    moderation = Moderation(
      map: map, acts: ActStore(surroundings: surroundings), cases: cases,
      standing: Standing(cases: cases, photos: photos, claims: claims), photos: photos,
      redaction: PhotoRedaction(photos: redacted), claims: claims, past: past)
    self.catalogue = catalogue
  }

  var endpoints: [Endpoint] {
    FlagRoutes(store: flags).endpoints
      + ReportRoutes(store: flags, mails: moderation.mails, catalogue: catalogue).endpoints
      + QueueRoutes(moderation: moderation).endpoints
      + ActRoutes(moderation: moderation).endpoints
      + LogRoutes(database: moderation.map.database).endpoints
  }

  /// Actions that need more than one transaction.
  var batches: ActBatches { ActBatches(moderation: moderation) }

  /// The kind of job.
  static let job = "keep_order"
  static let every = Duration.seconds(86_400)

  /// Daily work: accepts contributions that have stood long enough, and erases the addresses of old
  /// unanswered reports.
  @Sendable func work(_ payload: String) throws {
    while try moderation.map.write({ try moderation.standing.acceptWhatStood($0) }) > 0 {}
    let erased = try moderation.map.database.write { try flags.eraseOldAddresses($0) }
    if erased > 0 { try? moderation.map.database.checkpoint(truncate: true) }
    let today = moderation.map.surroundings.now().day
    try moderation.map.database.write { connection in
      try ImportDesk.forgetDryRuns(
        before: today.adding(days: -Int(ImportDesk.dryRunDays)), connection)
    }
  }
}
