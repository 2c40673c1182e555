import Accounts
import Devices
import Foundation
import Import
import Logging
import Operations
import PrivacyMap
import Reading
import Reference
import Rights
import Secrets
import Service
import Site
import SpatialDatabase

/// Loads the parts that an instance needs before its features: the index, the files of the program, and the access
/// control.
struct Core {
  let instance: Instance
  let map: LiveMap
  let files: ProgramFiles
  /// Applies the writes of other servers.
  let follower: IndexFollower
  let visitors: VisitorReading

  /// Loads the index, and the files unless they are passed. `secure` states whether the addresses use HTTPS.
  init(
    database: Database, folders: Folders, files given: Future<ProgramFiles>?,
    settings: InstanceSettings,
    addresses: Addresses, secure: Bool, environment: Environment, logger: Logger,
    monitoring: Monitoring, features: [any Feature.Type]
  ) throws {
    let errors = RecentErrors(now: environment.now)
    let logger = errors.watching(logger)
    // In parallel with loading the index, which occupies a core or more for a while.
    let reading = given ?? App.files(of: folders, isServed: !database.servesNobody)
    // Ordinary queries cannot return a true point, not even through a programming error.
    try database.forbidReading(DeviceStore.privateTables)
    try LateIndexes.make(in: database)
    let taxonomies = try TaxonomyStore().renew(
      from: folders.seed, in: database, at: environment.now())
    let index = MapIndex(vocabulary: taxonomies.vocabulary)
    try index.load(from: database)
    let commits = CommitSignal()
    let writes = GroupedWriter(database: database) { connection in
      let news = try index.news(connection)
      return {
        if let news { index.take(news) }
        commits.note()
      }
    }
    let publicChanges = try PublicChanges(database)
    follower = try IndexFollower(index, of: database, logger: logger) {
      try publicChanges.refresh()
      commits.note()
    }
    database.readFromReplica { connection in
      try index.isKnown(to: connection) && publicChanges.isKnown(to: connection)
    }
    visitors = VisitorReading(hasReplica: database.hasReplica)
    files = try reading.value()
    let archives = Archives(folders: folders, logger: logger)
    map = LiveMap(
      database: database, index: index, vocabulary: taxonomies.vocabulary,
      environment: environment, countries: archives.countries, features: features)
    let versions = AnswerVersions(
      edition: { index.edition }, day: { environment.now().day.daysSinceEpoch },
      program: InstanceVersion.digest(
        of: [files.version, taxonomies.content, "\(settings) \(addresses) \(secure)"], folders),
      publicChanges: publicChanges, catalogue: files.catalogue, visitors: visitors,
      catchUp: database.isShared ? follower.catchUp : nil)
    let frame = PageFrame(
      sources: files.pages, catalogue: files.catalogue, settings: settings, addresses: addresses)
    instance = Instance(
      Instance.Base(
        database: database, environment: environment, settings: settings, folders: folders,
        addresses: addresses, catalogue: files.catalogue, logger: logger, writes: writes,
        publicChanges: publicChanges, versions: versions,
        gate: Gate(
          database: database, environment: environment, addresses: addresses, secure: secure,
          writes: writes, credentials: CredentialStore()),
        rates: try RateLimits(on: database, now: environment.now), frame: frame,
        pages: try ResourcePages(
          frame: frame, database: database, feeds: FeedRoutes.all,
          labels: { try TermLabels(in: $0, $1) })),
      features: features,
      given: [
        map, archives, commits, files, files.publicTags, files.passwords, files.rights, errors,
        monitoring,
        ReferenceFiles(places: archives.places, addresses: archives.addresses),
      ])
  }
}
