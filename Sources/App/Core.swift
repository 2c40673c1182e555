import Accounts
import Devices
import Foundation
import Import
import Logging
import Operations
import PrivacyMap
import Reading
import Reference
import Service
import Site
import SpatialDatabase
import WebServer

/// What all features of an instance share: the database and its index, the words and files of the
/// pages, and the access control.
struct Core {
  let database: Database
  let index: MapIndex
  let vocabulary: Vocabulary
  let environment: Environment
  let settings: InstanceSettings
  let folders: Folders
  let addresses: Addresses
  let files: ProgramFiles
  /// The map of countries, the places, the base map and the streets.
  let archives: Archives
  /// Serialises all writes from request handlers.
  let writes: GroupedWriter
  /// Applies the writes of other servers.
  let follower: IndexFollower
  let publicChanges: PublicChanges
  let visitors: VisitorReading
  let versions: AnswerVersions
  let gate: Gate
  let frame: PageFrame
  let pages: ResourcePages
  /// The public devices, for lists, tiles and statistics.
  let store: DeviceStore
  let parameters: DeviceParameters
  /// Writes the GeoJSON of single devices.
  let features: DeviceFeatures
  let limits: ContributionLimits
  let rates: RateLimits
  let errors: RecentErrors
  let stopping = Stopping()
  /// The logger of the instance, observed for the overview of recent errors.
  let logger: Logger

  var catalogue: Catalogue { files.catalogue }
  var publicTags: PublicTags { files.publicTags }

  /// The interface through which background work writes.
  var map: LiveMap {
    LiveMap(
      database: database, index: index, vocabulary: vocabulary, environment: environment,
      countries: archives.countries)
  }

  /// Loads the index, and the files if they are not given. `secure` tells whether the addresses use HTTPS.
  init(
    database: Database, folders: Folders, files given: ProgramFiles?, settings: InstanceSettings,
    addresses: Addresses, secure: Bool, environment: Environment, logger: Logger
  ) throws {
    (self.database, self.folders, self.settings) = (database, folders, settings)
    (self.addresses, self.environment) = (addresses, environment)
    errors = RecentErrors(now: environment.now)
    self.logger = errors.watching(logger)
    // In parallel with loading the index, which occupies a core or more for a while.
    let reading = Future("files") { try given ?? ProgramFiles(folders) }
    // Ordinary queries cannot return a true point, not even through a programming error.
    try database.forbidReading(DeviceStore.privateTables)
    try LateIndexes.make(in: database)
    let now = environment.now()
    let taxonomies = try TaxonomyStore().renew(from: folders.seed, in: database, at: now)
    vocabulary = taxonomies.vocabulary
    let index = MapIndex(vocabulary: vocabulary)
    try index.load(from: database)
    self.index = index
    writes = GroupedWriter(database: database) { connection in
      let news = try index.news(connection)
      return { if let news { index.take(news) } }
    }
    publicChanges = try PublicChanges(database)
    follower = try IndexFollower(
      index, of: database, logger: self.logger, others: publicChanges.refresh)
    database.readFromReplica { [publicChanges] connection in
      try index.isKnown(to: connection) && publicChanges.isKnown(to: connection)
    }
    visitors = VisitorReading(hasReplica: database.hasReplica)
    files = try reading.value()
    let catalogue = files.catalogue
    archives = Archives(folders: folders, logger: self.logger)
    versions = AnswerVersions(
      edition: { index.edition }, day: { environment.now().day.daysSinceEpoch },
      program: InstanceVersion.digest(
        of: [files.version, taxonomies.content, "\(settings) \(addresses) \(secure)"], folders),
      publicChanges: publicChanges, catalogue: catalogue, visitors: visitors,
      catchUp: database.isOnServer ? follower.catchUp : nil)
    gate = Gate(
      database: database, environment: environment, addresses: addresses, secure: secure,
      writes: writes)
    frame = PageFrame(
      sources: files.pages, catalogue: catalogue, settings: settings, addresses: addresses)
    pages = try ResourcePages(frame: frame, database: database, feeds: FeedRoutes.all)
    store = DeviceStore(
      database: database, index: index, vocabulary: vocabulary, environment: environment)
    parameters = DeviceParameters(
      vocabulary: vocabulary, places: archives.places, licence: settings.licence)
    features = DeviceFeatures(
      publicTags: files.publicTags, licence: settings.licence, addresses: addresses)
    rates = try RateLimits(on: database, now: environment.now)
    limits = ContributionLimits(rates)
  }
}
