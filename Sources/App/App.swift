package import Accounts
package import Devices
import Foundation
package import Import
import JSON
package import Logging
package import Moderation
package import Operations
import Pictures
package import PrivacyMap
package import Reading
import Reference
package import Rights
import SafeFetch
import Secrets
package import Service
import Site
package import SpatialDatabase
package import WebServer

/// One instance of Farol: its database, in-memory index and HTTP interface, connected.
package struct App: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let router: Router
  package let environment: Environment
  package let settings: InstanceSettings
  package let publicTags: PublicTags
  package let catalogue: Catalogue
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
  /// Every operation of the HTTP interface, as listed in the OpenAPI document.
  package let endpoints: [Endpoint]
  /// Everything that the instance can do, in the order of the documentation.
  let features: [any Feature]
  /// State shared by everything that handles photos.
  package let photos: Photos
  /// Encrypts the links in queued mails.
  package let mailSeal: MailSeal
  /// State shared by everything that handles accounts.
  package let accounts: Accounts
  package let order: ModerationFeature
  package let imports: Imports
  package let collectionImports: CollectionAdminRoutes
  /// The private ledgers of people's choices.
  package let choices: Choices
  /// Publishes the outcomes of choices once a day.
  package let outcomes: OutcomePublication
  /// Publishes the daily counts of accounts by role.
  package let people: PeoplePublication
  /// Updates the counts on public profiles once a day.
  package var profiles: ProfilePublication { Profiles(accounts: accounts).publication }
  /// Requests for people's records.
  package let dataRequests: RecordRequests
  /// Organisations that operate devices.
  package let organisations: Organisations
  /// Nightly snapshots of all public data.
  package let snapshots: Snapshots
  /// The list of erased data, which keeps a restored backup from bringing it back.
  package let erasures: ErasureList
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
    secure: Bool, environment: Environment, logger: Logger, monitoring: Monitoring = Monitoring()
  ) throws {
    self.monitoring = monitoring
    let errors = RecentErrors(now: environment.now)
    let logger = errors.watching(logger)
    self.logger = logger
    self.database = database
    // In parallel with loading the index, which occupies a core or more for a while.
    let front = Future("front") { try FrontFiles.read(folders.front.path) }
    // Ordinary queries cannot return a true point, not even through a programming error.
    database.forbidReading(DeviceStore.privateTables)
    self.environment = environment
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
      database: database, index: index, vocabulary: vocabulary, environment: environment)
    let publicChanges = PublicChanges()
    let versions = AnswerVersions(
      sequence: { index.sequence }, day: { environment.now().day.daysSinceEpoch },
      start: "\(files.digest.prefix(8))\(environment.now().secondsSinceEpoch)",
      publicChanges: publicChanges, catalogue: catalogue)
    let features = DeviceFeatures(publicTags: publicTags, addresses: addresses)
    let parameters = DeviceParameters(
      vocabulary: vocabulary, places: archives.places, licence: settings.licence)

    let gate = Gate(
      database: database, environment: environment, addresses: addresses, secure: secure,
      writes: writes)
    let frame = PageFrame(
      files: files, catalogue: catalogue, settings: settings, addresses: addresses)
    let pages = try ResourcePages(frame: frame, database: database, feeds: FeedRoutes.all)

    let map = LiveMap(
      database: database, index: index, vocabulary: vocabulary, environment: environment,
      countries: archives.countries)
    let limits = ContributionLimits(now: environment.now)
    let past = PastFeature(publicTags: publicTags)
    let photos = Photos(
      map: map, folder: MediaFolder(path: folders.media.path, logger: logger),
      image: ImageProcess(
        program: folders.imageProgram ?? ImageProcess.besideThis, logger: logger),
      limits: limits, addresses: addresses, features: features)
    self.photos = photos
    let erasure = DeviceErasure(database: database, environment: environment) {
      try photos.sweep.erase(photosOf: $0)
    }
    order = ModerationFeature(photos: photos, past: past, catalogue: catalogue, erasure: erasure)
    let tiles = TileCache(capacity: 12 << 20)
    let tileRoutes = TileRoutes(
      store: store, parameters: parameters, addresses: addresses, versions: versions,
      cache: tiles, name: settings.name, pages: pages)
    let exports = DeviceExports(
      store: store, parameters: parameters, publicTags: publicTags, settings: settings,
      addresses: addresses)
    let snapshotFolder = SnapshotFolder(path: folders.snapshots.path)
    snapshots = Snapshots(
      exports: exports, folder: snapshotFolder, logger: logger,
      routes: SnapshotRoutes(
        database: database, folder: snapshotFolder, addresses: addresses, name: settings.name))
    let taxonomyRoutes = TaxonomyRoutes(
      database: database, catalogue: catalogue, versions: versions)
    let settingsRoutes = SettingsRoutes(
      settings: settings, catalogue: catalogue, baseMap: archives.baseMap,
      streets: archives.streets, store: store, versions: versions, assets: files.root)
    mailSeal = MailSeal(besides: database.path)
    accounts = Accounts(
      database: database, environment: environment, catalogue: catalogue, gate: gate,
      rules: try PasswordRules(list: folders.seed.appendingPathComponent("passwords/common.txt")),
      networks: try database.write { try KnownNetworks($0, now: environment.now()) },
      seal: mailSeal, publicChanges: publicChanges, instance: settings.name, logger: logger,
      features: Self.kinds)
    if try database.read(accounts.store.lacksLooks) {
      try database.write(accounts.store.noteLooks)
    }
    erasures = ErasureList(
      files: [folders.data.first, folders.backups].compactMap {
        $0?.appendingPathComponent(ErasureList.name).path
      })
    backups = Backups(
      of: database, folders, rules: settings.backups, environment: environment)
    imports = try Imports(
      map: map, mappings: folders.seed.appendingPathComponent("mappings"), logger: logger)
    collectionImports = CollectionAdminRoutes(map: map, changes: publicChanges)
    try collectionImports.endBroken()
    choices = try Choices(
      database: database, environment: environment, addresses: addresses, catalogue: catalogue,
      versions: versions, places: archives.places, countries: archives.countries,
      instance: settings.name, seal: mailSeal, seed: folders.seed)
    outcomes = OutcomePublication(
      database: database, environment: environment, publicChanges: publicChanges)
    people = PeoplePublication(
      database: database, environment: environment, publicChanges: publicChanges,
      minimum: settings.peopleMinimum)
    dataRequests = RecordRequests(
      database: database, environment: environment, addresses: addresses)
    organisations = try Organisations(
      map: map, accounts: accounts, seal: mailSeal,
      sites: SiteReader(PublicFile(loopback: settings.siteLoopback)), limits: limits)
    let retention = Retention(
      Self.retention, database: database, environment: environment)
    let described: [any Feature] = [
      Collections(
        overview: CollectionRoutes(
          store: store, addresses: addresses, versions: versions, pages: pages),
        features: FeatureRoutes(
          database: database, environment: environment, addresses: addresses,
          versions: versions, pages: pages),
        tiles: FeatureTileRoutes(
          database: database, addresses: addresses, versions: versions, cache: tiles,
          pages: pages)),
      DeviceRecords(
        reading: DeviceRoutes(
          store: store, parameters: parameters, publicTags: publicTags, addresses: addresses,
          versions: versions, features: features, pages: pages,
          researchers: ResearchReader(gate: gate)),
        writing: WritingRoutes(
          writer: map.writer, index: index, features: features, limits: limits),
        erasure: erasure),
      HistoryRoutes(
        database: database, writer: map.writer, features: features, past: past, limits: limits),
      VerificationRoutes(
        database: database,
        claims: VerificationStore(vocabulary: vocabulary, environment: environment), limits: limits),
      photos, order, tileRoutes,
      StatisticsRoutes(
        store: StatisticsStore(devices: store, countries: CountrySizes(archives.countries)),
        parameters: StatisticsParameters(parameters: parameters), versions: versions,
        catalogue: catalogue),
      ExportRoutes(exports: exports, versions: versions), snapshots,
      FeedRoutes(
        store: store, parameters: parameters, addresses: addresses, catalogue: catalogue,
        versions: versions, settings: settings),
      PlaceRoutes(store: archives.places, catalogue: catalogue),
      taxonomyRoutes, settingsRoutes,
      BaseMapRoutes(baseMap: archives.baseMap, streets: archives.streets),
      Countries(map: map),
      HealthRoutes(
        database: database, index: index, hasCountries: archives.countries != nil,
        logger: logger),
      monitoring, accounts, Profiles(accounts: accounts),
      Administration(
        moderation: order.moderation, accounts: accounts, erasure: erasure,
        overview: Overview(
          map: map, errors: errors, media: folders.media, backups: backups,
          retention: retention)),
      imports, collectionImports, choices, Letters(choices: choices),
      Outcomes(
        publication: outcomes,
        routes: OutcomeRoutes(database: database, versions: versions, catalogue: catalogue)),
      PeopleStatistics(people: people, versions: versions, catalogue: catalogue), dataRequests,
      organisations, Research(database: database, environment: environment),
      Safekeeping(backups: backups, erasures: erasures, map: map, logger: logger),
    ]
    self.features =
      [
        try Documentation(
          of: described, frame: frame, pages: pages, versions: versions,
          snippets: ClientSnippets(
            directory: folders.seed.appendingPathComponent("clients"), base: addresses.base))
      ] + described
    let endpoints = self.features.flatMap { $0.endpoints }
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
      given: PreloadedAnswers(
        settings: settingsRoutes, tiles: tileRoutes, taxonomies: taxonomyRoutes,
        versions: versions)
    ).add(to: &router)
    SecurityText(settings, catalogue, addresses, environment)?.add(to: &router)
    let learn = try LearnTexts(directory: folders.seed.appendingPathComponent("learn"))
    try LearnRoutes(
      frame: frame,
      pages: LearnPages(texts: learn, catalogue: catalogue, name: settings.name),
      database: database, versions: versions
    ).add(to: &router)
    self.router = router
    monitoring.watch(
      Monitoring.Watch(
        map: map, router: router, features: self.features, writes: writes,
        queues: [("work", work), ("long", longWork), ("sites", organisations.sites.queue)],
        tiles: tiles, errors: errors, media: folders.media.path))
  }

  private static func publicTags(_ file: URL) throws -> PublicTags {
    try PublicTags(JSONValue(parsing: [UInt8](Data(contentsOf: file))))
  }

  /// Finishes running work and queued writes. Later requests are refused.
  package func stop() {
    work.stop()
    longWork.stop()
    organisations.sites.queue.stop()
    monitoring.queue.stop()
    imports.desk.stop()
    writes.stop()
  }

  /// The interface through which background work writes.
  package var map: LiveMap {
    LiveMap(
      database: database, index: index, vocabulary: vocabulary, environment: environment,
      countries: countries)
  }

  /// Writes, and updates the in-memory index before it returns.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T { try map.write(body) }
}
