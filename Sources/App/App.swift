package import Accounts
package import DevicePhotos
package import Devices
import Foundation
package import Import
package import Logging
package import Moderation
package import Lists
package import MappingDays
package import Operations
import Pictures
package import PrivacyMap
package import Reading
import Reference
package import Rights
import SafeFetch
package import Service
package import Site
package import SpatialDatabase
package import Visits
package import Watching
package import WebServer

/// One instance of Farol: its database, in-memory index and HTTP interface, connected.
package struct App: Sendable {
  let core: Core
  /// Runs the endpoints, with queues for costly and slow ones.
  package let execution: Execution
  /// Signs and pictures.
  private let desk: DrawingDesk
  /// The metrics of this instance.
  package let monitoring: Monitoring
  let accountsLayer: AccountsLayer
  let devices: DevicesLayer
  package let order: ModerationFeature
  let reading: ReadingLayer
  let rights: RightsLayer
  package let watches: Watches
  package let mappingDays: MappingDays
  package let visits: Visits
  let operations: OperationsLayer
  /// Everything that the instance can do, in the order of the documentation.
  let features: [any Feature]
  /// Every operation of the HTTP interface, as listed in the OpenAPI document.
  package let endpoints: [Endpoint]
  package let router: Router

  /// Loads and connects everything that an instance needs. The database must be migrated already.
  ///
  /// `addresses` are the public addresses of the instance, `secure` tells whether they use HTTPS.
  /// `files` are those of `folders`, if they have been read.
  /// `monitoring` must not be shared with another instance.
  package init(
    database: Database, folders: Folders, files: ProgramFiles? = nil, settings: InstanceSettings,
    addresses: Addresses, secure: Bool, environment: Environment, logger: Logger,
    monitoring: Monitoring = Monitoring()
  ) throws {
    self.monitoring = monitoring
    let core = try Core(
      database: database, folders: folders, files: files, settings: settings,
      addresses: addresses, secure: secure, environment: environment, logger: logger)
    self.core = core
    accountsLayer = try AccountsLayer(core, kinds: Self.kinds)
    devices = DevicesLayer(core)
    order = ModerationFeature(
      photos: devices.photos, past: devices.past, catalogue: core.catalogue,
      erasure: devices.erasure, rates: core.rates)
    reading = ReadingLayer(core)
    rights = try RightsLayer(core, accountsLayer)
    watches = try Watches(
      devices: core.store, writer: core.writes, parameters: core.parameters,
      features: core.features, places: core.archives.places, settings: settings,
      addresses: addresses,
      catalogue: core.catalogue, seal: accountsLayer.mailSeal,
      site: PublicFile(loopback: settings.siteLoopback, lookups: Watches.lookups),
      rates: core.rates, logger: core.logger)
    mappingDays = MappingDays(
      devices: core.store, writer: core.writes, settings: settings, addresses: addresses,
      catalogue: core.catalogue, countries: core.archives.countries,
      publicChanges: core.publicChanges, logger: core.logger)
    visits = Visits(
      devices: core.store, settings: settings, catalogue: core.catalogue, flags: order.personFlags,
      rates: core.rates)
    operations = try OperationsLayer(
      core, accountsLayer.accounts, devices, order, retention: Self.retention)
    let settingsRoutes = SettingsRoutes(
      settings: settings, catalogue: core.catalogue, baseMap: core.archives.baseMap,
      streets: core.archives.streets, satellite: core.archives.satellite, store: core.store,
      versions: core.versions,
      assets: core.files.front.root)
    let desk = DrawingDesk(now: environment.now)
    self.desk = desk
    let signs = SignRoutes(
      store: core.store,
      texts: try SignTexts(directory: folders.seed.appendingPathComponent("signs")),
      catalogue: core.catalogue, addresses: addresses, name: settings.name, desk: desk)
    let cards = CardRoutes(
      store: core.store, statistics: reading.statistics.store,
      parameters: reading.statistics.parameters, places: core.archives.places, frame: core.frame,
      desk: desk)
    let described: [any Feature] = [
      reading.collections, devices.records, devices.history, devices.verifications,
      devices.photos, order, reading.tiles, reading.statistics, reading.exports, reading.snapshots,
      reading.nightlyTiles, reading.catalogue, reading.feeds, reading.live, reading.cells, signs,
      cards, devices.places, devices.taxonomies, settingsRoutes,
      BaseMapRoutes(
        baseMap: core.archives.baseMap, streets: core.archives.streets,
        satellite: core.archives.satellite),
      devices.countries, operations.health, monitoring, accountsLayer.accounts,
      accountsLayer.profiles, operations.administration, operations.imports,
      operations.importSchedules, operations.proposals, operations.collectionImports,
      rights.choices, rights.letters, rights.outcomes, rights.people, rights.recordRequests,
      rights.organisations, watches, visits,
      accountsLayer.research,
      operations.safekeeping, mappingDays,
    ]
    let describedEndpoints = described.flatMap { $0.endpoints }
    let documentation = try Documentation(
      of: described, endpoints: describedEndpoints, frame: core.frame, pages: core.pages,
      versions: core.versions,
      snippets: ClientSnippets(
        directory: folders.seed.appendingPathComponent("clients"), base: addresses.base))
    features = [documentation] + described
    endpoints = documentation.endpoints + describedEndpoints
    execution = Execution(
      gate: core.gate, writes: core.writes, readers: database.readersInUse.all,
      settings: settings, visitors: core.visitors)
    router = try Self.router(
      core, endpoints, execution, secure: secure, catalogue: reading.catalogue,
      given: PreloadedAnswers(
        settings: settingsRoutes, tiles: reading.tiles, taxonomies: devices.taxonomies,
        versions: core.versions))
    monitoring.watch(
      Monitoring.Watch(
        map: core.map, router: router, features: features, endpoints: endpoints,
        writes: core.writes,
        queues: execution.queues
          + [("sites", rights.organisations.sites.queue), ("drawings", desk.queue)],
        tiles: reading.cache, errors: core.errors, media: folders.media.path))
  }

  /// Starts the background work that is not a job.
  package func start() {
    watches.start()
    mappingDays.start()
  }

  /// Finishes running work and queued writes. Later requests are refused.
  package func stop() {
    execution.stop()
    desk.queue.stop()
    organisations.sites.queue.stop()
    monitoring.queue.stop()
    imports.desk.stop()
    reading.live.stop()
    watches.stop()
    mappingDays.stop()
    core.follower.stop()
    writes.stop()
  }

  /// Writes, and updates the in-memory index before it returns.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T { try map.write(body) }
}

// The parts of an instance that commands and tests use directly.
extension App {
  package var database: Database { core.database }
  package var index: MapIndex { core.index }
  package var vocabulary: Vocabulary { core.vocabulary }
  package var environment: Environment { core.environment }
  package var stopping: Stopping { core.stopping }
  package var settings: InstanceSettings { core.settings }
  package var publicTags: PublicTags { core.publicTags }
  package var catalogue: Catalogue { core.catalogue }
  /// Maps points to countries; nil if set-up has not built the map of countries.
  package var countries: CountryMap? { core.archives.countries }
  /// Serialises all writes from request handlers.
  package var writes: GroupedWriter { core.writes }
  /// The interface through which background work writes.
  package var map: LiveMap { core.map }
  /// The logger of the instance, observed for the overview of recent errors.
  package var logger: Logger { core.logger }
  package var photos: Photos { devices.photos }
  package var accounts: Accounts { accountsLayer.accounts }
  /// Encrypts the links in queued mails.
  package var mailSeal: MailSeal { accountsLayer.mailSeal }
  /// Updates the counts on public profiles once a day.
  package var profiles: ProfilePublication { accountsLayer.profiles.publication }
  package var imports: Imports { operations.imports }
  package var importSchedules: ImportSchedules { operations.importSchedules }
  package var collectionImports: CollectionAdminRoutes { operations.collectionImports }
  package var erasures: ErasureList { operations.erasures }
  /// The private ledgers of people's choices.
  package var choices: Choices { rights.choices }
  /// Publishes the outcomes of choices once a day.
  package var outcomes: OutcomePublication { rights.publication }
  /// Publishes the daily counts of accounts by role.
  package var people: PeoplePublication { rights.people.people }
  package var dataRequests: RecordRequests { rights.recordRequests }
  package var organisations: Organisations { rights.organisations }
  /// Nightly snapshots of all public data.
  package var snapshots: Snapshots { reading.snapshots }
  package var nightlyTiles: NightlyTiles { reading.nightlyTiles }
}
