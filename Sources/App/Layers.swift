import Accounts
import DevicePhotos
import Devices
import Foundation
import Moderation
import Lists
import Operations
import Pictures
import PrivacyMap
import Reading
import Reference
import Rights
import SafeFetch
import Secrets
import Service
import Site
import SpatialDatabase

/// The features of `Accounts`.
struct AccountsLayer {
  let mailSeal: MailSeal
  let accounts: Accounts
  let profiles: Profiles
  let research: Research

  init(_ core: Core, kinds: [any Feature.Type]) throws {
    let now = core.environment.now()
    mailSeal = MailSeal(of: core.database, now: core.environment.now)
    accounts = Accounts(
      database: core.database, environment: core.environment, catalogue: core.catalogue,
      gate: core.gate, rules: core.files.passwords,
      networks: try core.database.write { try KnownNetworks($0, now: now) }, seal: mailSeal,
      publicChanges: core.publicChanges, rates: core.rates, instance: core.settings.name,
      logger: core.logger, features: kinds)
    if try core.database.read(accounts.store.lacksLooks) {
      try core.database.write(accounts.store.noteLooks)
    }
    profiles = Profiles(accounts: accounts)
    research = Research(
      database: core.database, environment: core.environment, rates: core.rates)
  }
}

/// The features of `Devices` and `Reference`.
struct DevicesLayer {
  let photos: Photos
  let past: PastFeature
  let erasure: DeviceErasure
  let records: DeviceRecords
  let history: HistoryRoutes
  let verifications: VerificationRoutes
  let places: PlaceRoutes
  let taxonomies: TaxonomyRoutes
  let countries: Countries

  init(_ core: Core) {
    let map = core.map
    let photos = Photos(
      map: map,
      pictures: MediaFolder.store(
        of: core.database, path: core.folders.media.path, logger: core.logger),
      image: ImageProcess(
        program: core.folders.imageProgram ?? ImageProcess.besideThis, logger: core.logger),
      limits: core.limits, addresses: core.addresses, features: core.features)
    self.photos = photos
    past = PastFeature(publicTags: core.publicTags)
    erasure = DeviceErasure(database: core.database, environment: core.environment) {
      try photos.sweep.erase(photosOf: $0)
    }
    records = DeviceRecords(
      reading: DeviceRoutes(
        store: core.store, parameters: core.parameters, publicTags: core.publicTags,
        addresses: core.addresses, versions: core.versions, features: core.features,
        pages: core.pages, researchers: ResearchReader(gate: core.gate),
        languages: core.catalogue.languages),
      writing: WritingRoutes(
        writer: map.writer, index: core.index, features: core.features, limits: core.limits),
      erasure: erasure)
    history = HistoryRoutes(
      database: core.database, writer: map.writer, features: core.features, past: past,
      limits: core.limits)
    verifications = VerificationRoutes(
      database: core.database,
      claims: VerificationStore(vocabulary: core.vocabulary, environment: core.environment),
      limits: core.limits)
    places = PlaceRoutes(
      store: core.archives.places, addresses: core.archives.addresses, catalogue: core.catalogue)
    taxonomies = TaxonomyRoutes(
      database: core.database, catalogue: core.catalogue, versions: core.versions)
    countries = Countries(map: map)
  }
}

/// The features of `Reading`.
struct ReadingLayer {
  let cache = TileCache(capacity: 12 << 20)
  let collections: Collections
  let tiles: TileRoutes
  let statistics: StatisticsRoutes
  let exports: ExportRoutes
  let snapshots: Snapshots
  let nightlyTiles: NightlyTiles
  let catalogue: CatalogueRoutes
  let feeds: FeedRoutes
  let live: LiveRoutes
  let cells: CellChangeRoutes

  init(_ core: Core) {
    let (database, addresses, versions) = (core.database, core.addresses, core.versions)
    let (store, parameters, pages) = (core.store, core.parameters, core.pages)
    collections = Collections(
      overview: CollectionRoutes(
        store: store, licence: core.settings.licence, addresses: addresses, versions: versions,
        pages: pages),
      features: FeatureRoutes(
        database: database, environment: core.environment, addresses: addresses,
        versions: versions, pages: pages),
      tiles: FeatureTileRoutes(
        database: database, addresses: addresses, versions: versions, cache: cache, pages: pages))
    tiles = TileRoutes(
      store: store, parameters: parameters, addresses: addresses, versions: versions,
      cache: cache, name: core.settings.name, pages: pages)
    statistics = StatisticsRoutes(
      store: StatisticsStore(devices: store, countries: CountrySizes(core.archives.countries)),
      parameters: StatisticsParameters(parameters: parameters), versions: versions,
      catalogue: core.catalogue)
    let files = DeviceExports(
      store: store, parameters: parameters, publicTags: core.publicTags, settings: core.settings,
      addresses: addresses)
    exports = ExportRoutes(exports: files, versions: versions)
    let folder = SnapshotFolder(
      in: database, path: core.folders.snapshots.path)
    let routes = SnapshotRoutes(
      database: database, folder: folder, addresses: addresses, name: core.settings.name)
    snapshots = Snapshots(
      exports: files, folder: folder, logger: core.logger, routes: routes,
      stopping: core.stopping)
    nightlyTiles = NightlyTiles(tiles: tiles, folder: folder, stopping: core.stopping)
    catalogue = CatalogueRoutes(
      store: store, addresses: addresses, settings: core.settings, snapshots: routes)
    feeds = FeedRoutes(
      store: store, parameters: parameters, addresses: addresses, catalogue: core.catalogue,
      versions: versions, settings: core.settings)
    live = LiveRoutes(
      store: store, parameters: parameters, publicTags: core.publicTags,
      maximum: core.settings.liveListeners, logger: core.logger)
    cells = CellChangeRoutes(store: store, publicTags: core.publicTags, addresses: addresses)
  }
}

/// The features of `Rights`.
struct RightsLayer {
  let choices: Choices
  let letters: Letters
  let publication: OutcomePublication
  let outcomes: Outcomes
  let people: PeopleStatistics
  let recordRequests: RecordRequests
  let organisations: Organisations

  init(_ core: Core, _ accounts: AccountsLayer) throws {
    let (database, environment) = (core.database, core.environment)
    choices = try Choices(
      database: database, environment: environment, addresses: core.addresses,
      catalogue: core.catalogue, versions: core.versions, places: core.archives.places,
      countries: core.archives.countries, instance: core.settings.name, seal: accounts.mailSeal,
      files: core.files.rights, rates: core.rates)
    letters = Letters(choices: choices)
    publication = OutcomePublication(
      database: database, environment: environment, publicChanges: core.publicChanges)
    outcomes = Outcomes(
      publication: publication,
      routes: OutcomeRoutes(
        database: database, versions: core.versions, catalogue: core.catalogue))
    people = PeopleStatistics(
      people: PeoplePublication(
        database: database, environment: environment, publicChanges: core.publicChanges,
        minimum: core.settings.peopleMinimum), versions: core.versions, catalogue: core.catalogue)
    recordRequests = RecordRequests(
      database: database, environment: environment, addresses: core.addresses, rates: core.rates)
    organisations = try Organisations(
      map: core.map, accounts: accounts.accounts, seal: accounts.mailSeal,
      sites: SiteReader(PublicFile(loopback: core.settings.siteLoopback)), limits: core.limits,
      rates: core.rates)
  }
}

/// The features of `Operations`, except ``Monitoring``.
struct OperationsLayer {
  let imports: Imports
  let importSchedules: ImportSchedules
  let proposals: DeviceProposals
  let collectionImports: CollectionAdminRoutes
  /// The list of erased data, which keeps a restored backup from bringing it back.
  let erasures: ErasureList
  let safekeeping: Safekeeping
  let health: HealthRoutes
  let administration: Administration

  init(
    _ core: Core, _ accounts: Accounts, _ devices: DevicesLayer, _ order: ModerationFeature,
    retention: [RetentionRule]
  ) throws {
    let (database, folders, map) = (core.database, core.folders, core.map)
    imports = try Imports(
      map: map, mappings: folders.seed.appendingPathComponent("mappings"), logger: core.logger)
    importSchedules = ImportSchedules(
      imports: imports, site: PublicFile(loopback: core.settings.siteLoopback),
      catalogue: core.catalogue, logger: core.logger)
    proposals = try DeviceProposals(
      imports: imports, limits: core.limits, rates: core.rates, catalogue: core.catalogue)
    collectionImports = CollectionAdminRoutes(map: map, changes: core.publicChanges)
    try collectionImports.endBroken()
    erasures = ErasureList(
      files: [folders.data.first, folders.backups].compactMap {
        $0?.appendingPathComponent(ErasureList.name).path
      })
    let backups = Backups(
      of: database, folders, rules: core.settings.backups, environment: core.environment)
    safekeeping = Safekeeping(backups: backups, erasures: erasures, map: map, logger: core.logger)
    health = HealthRoutes(
      database: database, index: core.index, hasCountries: core.archives.countries != nil,
      logger: core.logger)
    administration = Administration(
      moderation: order.moderation, accounts: accounts, erasure: devices.erasure,
      overview: Overview(
        map: map, errors: core.errors, pictures: devices.photos.pictures, backups: backups,
        retention: Retention(retention, database: database, environment: core.environment)))
  }
}
