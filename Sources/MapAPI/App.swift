import Foundation
package import Import
import JSON
package import Logging
import Mail
package import PrivacyMap
import Secrets
package import SpatialDatabase
package import WebServer

/// One instance of Farol: its database, in-memory index and HTTP interface, connected.
package struct App: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let router: Router
  package let surroundings: Surroundings
  package let settings: InstanceSettings
  package let publicTags: PublicTags
  let catalogue: Catalogue
  let addresses: Addresses
  /// Maps points to countries; nil if set-up has not built the map of countries.
  package let countries: CountryMap?
  /// Serialises all writes from request handlers.
  package let writes: GroupedWriter
  /// The threads for slow work.
  package let work: WorkQueue
  private let longWork: WorkQueue
  /// The metrics of this instance.
  package let monitoring: Monitoring
  let erasure: DeviceErasure
  /// State shared by everything that handles photos.
  let photos: Photos
  let sweep: MediaSweep
  /// Every operation of the HTTP interface, as listed in the OpenAPI document.
  package let endpoints: [Endpoint]
  /// Encrypts the links in queued mails.
  let mailSeal: MailSeal
  /// State shared by everything that handles accounts.
  let accounts: Accounts
  let order: KeepingOrder
  let administration: Administration
  /// The private ledgers of people's choices.
  let choices: Choices
  /// Publishes the outcomes of choices once a day.
  let outcomes: OutcomePublication
  /// Publishes the daily counts of accounts by role.
  let people: PeoplePublication
  /// Updates the counts on public profiles once a day.
  let profiles: ProfilePublication
  /// Requests for people's records.
  let dataRequests: DataRequests
  /// Organisations that operate devices.
  let organisations: Organisations
  /// Nightly snapshots of all public data.
  let snapshots: Snapshots
  /// The list of erased data, which keeps a restored backup from bringing it back.
  let erasures: ErasureList
  /// The daily backups; nil if no backup folder is configured.
  package let backups: Backups?
  /// The logger of the instance, observed for the overview of recent errors.
  package let logger: Logger

  /// Loads and connects everything that an instance needs. The database must be migrated already.
  ///
  /// `addresses` are the public addresses of the instance, `secure` tells whether they use HTTPS.
  /// `monitoring` must not be shared with another instance.
  package init(
    database: Database, folders: Folders, settings: InstanceSettings, addresses: Addresses,
    secure: Bool, surroundings: Surroundings, logger: Logger, monitoring: Monitoring = Monitoring()
  ) throws {
    self.monitoring = monitoring
    let errors = RecentErrors(now: surroundings.now)
    let logger = errors.watching(logger)
    self.logger = logger
    self.database = database
    // In parallel with loading the index, which occupies a core or more for a while.
    let front = Future("front") { try FrontFiles.read(folders.front.path) }
    // Ordinary queries cannot return a true point, not even through a programming error.
    database.forbidReading(Self.privateTables)
    self.surroundings = surroundings
    self.settings = settings
    try LateIndexes.make(in: database)
    vocabulary = try database.write { connection in
      let store = TaxonomyStore()
      try store.load(
        directory: folders.seed.appendingPathComponent("taxonomies"), into: connection)
      return try store.vocabulary(connection)
    }
    let index = MapIndex(vocabulary: vocabulary)
    try index.load(from: database)
    self.index = index
    writes = GroupedWriter(database: database) { connection in
      let news = try index.news(connection)
      return { if let news { index.take(news) } }
    }
    // Two concurrent password hashes of 19 MiB each (docs/decisions). Photos use a subprocess.
    work = WorkQueue(width: 2, capacity: 64)
    longWork = WorkQueue(width: 2, capacity: 16)
    publicTags = try Self.publicTags(folders.seed.appendingPathComponent("public-tags.json"))
    let catalogue = try Catalogue(directory: folders.front.appendingPathComponent("locale"))
    self.catalogue = catalogue
    self.addresses = addresses
    let files = try front.value()
    let archives = Archives(folders: folders, logger: logger)
    countries = archives.countries
    let store = DeviceStore(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings)
    let publicChanges = PublicChanges()
    let versions = AnswerVersions(
      index: index, day: { surroundings.now().day.daysSinceEpoch },
      start: "\(files.digest.prefix(8))\(surroundings.now().secondsSinceEpoch)",
      publicChanges: publicChanges, catalogue: catalogue)
    let features = DeviceFeatures(publicTags: publicTags, addresses: addresses)
    let parameters = DeviceParameters(
      vocabulary: vocabulary, places: archives.places, licence: settings.licence)

    let gate = Gate(
      database: database, surroundings: surroundings, addresses: addresses, secure: secure,
      writes: writes)
    let frame = PageFrame(
      files: files, catalogue: catalogue, settings: settings, addresses: addresses)
    let pages = try ResourcePages(frame: frame, database: database)

    var endpoints =
      CollectionRoutes(
        store: store, addresses: addresses, versions: versions, pages: pages
      ).endpoints
      + DeviceRoutes(
        store: store, parameters: parameters, publicTags: publicTags, addresses: addresses,
        versions: versions, features: features, pages: pages,
        researchers: ResearchReader(gate: gate)
      ).endpoints
    let map = LiveMap(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings,
      countries: archives.countries)
    let writer = map.writer
    let limits = ContributionLimits(now: surroundings.now)
    endpoints +=
      WritingRoutes(writer: writer, index: index, features: features, limits: limits).endpoints
    let past = PastFeature(publicTags: publicTags)
    endpoints +=
      HistoryRoutes(
        database: database, writer: writer, features: features, past: past, limits: limits
      ).endpoints
    endpoints +=
      ClaimRoutes(
        database: database, claims: ClaimStore(vocabulary: vocabulary, surroundings: surroundings),
        limits: limits
      ).endpoints
    let media = MediaFolder(path: folders.media.path, logger: logger)
    let sweep = MediaSweep(database: database, surroundings: surroundings, folder: media)
    self.sweep = sweep
    erasure = DeviceErasure(database: database, surroundings: surroundings) {
      try sweep.erase(photosOf: $0)
    }
    photos = Photos(
      map: map, folder: media,
      image: ImageProcess(
        program: folders.imageProgram ?? ImageProcess.besideThis, logger: logger),
      limits: limits, addresses: addresses, features: features)
    endpoints += photos.endpoints
    order = KeepingOrder(photos: photos, past: past, catalogue: catalogue)
    endpoints +=
      DeletionRoutes(
        moderation: order.moderation, features: features, erasure: erasure
      ).endpoints
    let tiles = TileCache(capacity: 12 << 20)
    let tileRoutes = TileRoutes(
      store: store, parameters: parameters, addresses: addresses, versions: versions,
      cache: tiles, name: settings.name, pages: pages)
    endpoints += tileRoutes.endpoints
    endpoints +=
      FeatureRoutes(
        database: database, surroundings: surroundings, addresses: addresses, versions: versions,
        pages: pages
      ).endpoints
    endpoints +=
      FeatureTileRoutes(
        database: database, addresses: addresses, versions: versions, cache: tiles, pages: pages
      ).endpoints
    endpoints +=
      StatisticsRoutes(
        store: StatisticsStore(devices: store, countries: CountrySizes(archives.countries)),
        parameters: StatisticsParameters(parameters: parameters), versions: versions,
        catalogue: catalogue
      ).endpoints
    let exports = DeviceExports(
      store: store, parameters: parameters, publicTags: publicTags, settings: settings,
      addresses: addresses)
    endpoints += ExportRoutes(exports: exports, versions: versions).endpoints
    snapshots = Snapshots(
      exports: exports, folder: SnapshotFolder(path: folders.snapshots.path), logger: logger)
    endpoints +=
      SnapshotRoutes(
        database: database, folder: snapshots.folder, addresses: addresses, name: settings.name
      ).endpoints
    endpoints +=
      FeedRoutes(
        store: store, parameters: parameters, addresses: addresses, catalogue: catalogue,
        versions: versions, settings: settings
      ).endpoints
    endpoints += PlaceRoutes(store: archives.places, catalogue: catalogue).endpoints
    let taxonomyRoutes = TaxonomyRoutes(
      database: database, catalogue: catalogue, versions: versions)
    let settingsRoutes = SettingsRoutes(
      settings: settings, catalogue: catalogue, baseMap: archives.baseMap,
      streets: archives.streets, store: store, versions: versions, assets: files.root)
    endpoints += taxonomyRoutes.endpoints + settingsRoutes.endpoints
    endpoints += BaseMapRoutes(baseMap: archives.baseMap, streets: archives.streets).endpoints
    endpoints +=
      HealthRoutes(
        database: database, index: index, hasCountries: archives.countries != nil, logger: logger
      ).endpoints + MetricsRoutes(monitoring: monitoring).endpoints
    mailSeal = MailSeal(besides: database.path)
    accounts = Accounts(
      database: database, surroundings: surroundings, catalogue: catalogue, gate: gate,
      rules: try PasswordRules(list: folders.seed.appendingPathComponent("passwords/common.txt")),
      networks: try database.write { try KnownNetworks($0, now: surroundings.now()) },
      seal: mailSeal, publicChanges: publicChanges, instance: settings.name, logger: logger)
    if try database.read(accounts.store.lacksLooks) {
      try database.write(accounts.store.noteLooks)
    }
    endpoints += accounts.endpoints
    endpoints += order.endpoints
    erasures = ErasureList(
      files: [folders.data.first, folders.backups].compactMap {
        $0?.appendingPathComponent(ErasureList.name).path
      })
    backups = Backups(
      of: database, folders, rules: settings.backups, surroundings: surroundings)
    administration = try Administration(
      moderation: order.moderation, erasure: erasure, errors: errors, media: folders.media,
      backups: backups, mappings: folders.seed.appendingPathComponent("mappings"),
      accounts: accounts, publicChanges: publicChanges, logger: logger)
    endpoints += administration.endpoints
    choices = try Choices(
      database: database, surroundings: surroundings, addresses: addresses, catalogue: catalogue,
      versions: versions, places: archives.places, countries: archives.countries,
      instance: settings.name, seal: mailSeal, seed: folders.seed)
    endpoints += choices.endpoints + [GlobalPrivacyControl.endpoint]
    outcomes = OutcomePublication(
      database: database, surroundings: surroundings, publicChanges: publicChanges)
    endpoints +=
      OutcomeRoutes(database: database, versions: versions, catalogue: catalogue).endpoints
    people = PeoplePublication(
      database: database, surroundings: surroundings, publicChanges: publicChanges,
      minimum: settings.peopleMinimum)
    profiles = ProfilePublication(database: database, surroundings: surroundings)
    endpoints += PeopleRoutes(people: people, versions: versions, catalogue: catalogue).endpoints
    dataRequests = DataRequests(
      database: database, surroundings: surroundings, addresses: addresses)
    endpoints += dataRequests.endpoints
    organisations = try Organisations(
      map: map, accounts: accounts, seal: mailSeal,
      sites: SiteReader(PublicFile(loopback: settings.siteLoopback)), limits: limits)
    endpoints += organisations.endpoints
    endpoints += Research(database: database, surroundings: surroundings).endpoints
    endpoints = try LandingRoutes.complete(
      endpoints, frame: frame, pages: pages, versions: versions,
      snippets: ClientSnippets(
        directory: folders.seed.appendingPathComponent("clients"), base: addresses.base))
    self.endpoints = endpoints

    var router = Router()
    router.logger = logger
    router.problemText = { catalogue.problemText($0, $1) }
    router.security.secure = secure
    if let tiles = settings.foreignTiles {
      router.security.connectSources = [tiles.origin]
      router.security.imageSources = [tiles.origin]
      router.security.referrerPolicy = "strict-origin-when-cross-origin"
    }
    let execution = Execution(
      gate: gate, writes: writes, work: work, longWork: longWork, logger: logger)
    for endpoint in endpoints { execution.add(endpoint, to: &router) }
    // Clients that append paths to the root (for example OWSLib) request the root with a slash.
    router.alias("/api/", of: "/api")
    files.addAssets(to: &router)
    try PageRoutes(
      files: files, store: store, catalogue: catalogue, settings: settings, addresses: addresses,
      versions: versions,
      given: GivenAnswers(
        settings: settingsRoutes, tiles: tileRoutes, taxonomies: taxonomyRoutes,
        versions: versions)
    ).add(to: &router)
    SecurityText(settings, catalogue, addresses, surroundings)?.add(to: &router)
    let learn = try LearnTexts(directory: folders.seed.appendingPathComponent("learn"))
    try LearnRoutes(
      frame: frame,
      pages: LearnPages(texts: learn, catalogue: catalogue, name: settings.name),
      database: database, versions: versions
    ).add(to: &router)
    self.router = router
    monitoring.watch(self, tiles: tiles, errors: errors, media: folders.media.path)
  }

  /// The tables that contain true points, including those of deleted devices.
  static let privateTables: Set<String> = [
    "device_location", "revision_location", "tombstone_content",
  ]

  private static func publicTags(_ file: URL) throws -> PublicTags {
    try PublicTags(JSONValue(parsing: [UInt8](Data(contentsOf: file))))
  }

  /// The work queues, by the names used in metrics.
  var queues: [(name: String, queue: WorkQueue)] {
    [("work", work), ("long", longWork), ("sites", organisations.sites.queue)]
  }

  /// Finishes running work and queued writes. Later requests are refused.
  package func stop() {
    work.stop()
    longWork.stop()
    organisations.sites.queue.stop()
    monitoring.queue.stop()
    administration.desk.stop()
    writes.stop()
  }

  /// The interface through which background work writes.
  package var map: LiveMap {
    LiveMap(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings,
      countries: countries)
  }

  /// Writes, and updates the in-memory index before it returns.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T { try map.write(body) }
}
