package import Foundation
package import Import
import JSON
package import Logging
package import PrivacyMap
import Secrets
package import SpatialDatabase
package import WebServer

/// One instance of Farol: its database, its index and its interface, wired.
package struct App: Sendable {
  /// Where an instance finds what it serves.
  package struct Folders: Sendable {
    /// The web front.
    package var front: URL
    /// Taxonomies and allow-lists.
    package var seed: URL
    /// Where what set-up made may lie (base map, gazetteer), the likeliest first.
    package var data: [URL]
    package var baseMap: String?
    package var streets: String?
    /// The pictures of photos.
    package var media: URL
    /// The program that reads pictures.
    package var imageProgram: String?

    package init(front: URL, seed: URL, data: [URL]) {
      self.front = front
      self.seed = seed
      self.data = data
      media = (data.first ?? front).appendingPathComponent("media")
    }
  }

  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let router: Router
  package let surroundings: Surroundings
  package let settings: InstanceSettings
  package let publicTags: PublicTags
  let catalogue: Catalogue
  let addresses: Addresses
  /// The one queue of writes that requests bring.
  package let writes: GroupedWriter
  /// The threads for work that takes long.
  package let work: WorkQueue
  private let erasure: DeviceErasure
  /// What everything about photos shares.
  let photos: Photos
  private let sweep: MediaSweep
  /// Every operation of the interface, as the OpenAPI document has them.
  package let endpoints: [Endpoint]
  /// What everything about people's accounts shares.
  let accounts: Accounts
  let order: KeepingOrder
  let administration: Administration
  /// Where the instance logs, watched for the overview of errors.
  package let logger: Logger

  /// Reads what an instance needs and wires it; the database has been migrated.
  ///
  /// `addresses` say how the instance is reached, `secure` whether by https.
  package init(
    database: Database, folders: Folders, settings: InstanceSettings, addresses: Addresses,
    secure: Bool, surroundings: Surroundings, logger: Logger
  ) throws {
    let errors = RecentErrors(now: surroundings.now)
    let logger = errors.watching(logger)
    self.logger = logger
    self.database = database
    // No query for the public can tell a true position, not even by mistake.
    database.forbidReading(Self.privateTables)
    self.surroundings = surroundings
    self.settings = settings
    vocabulary = try database.write { connection in
      let store = TaxonomyStore()
      try store.load(
        directory: folders.seed.appendingPathComponent("taxonomies"), into: connection)
      return try store.vocabulary(connection)
    }
    let index = MapIndex(vocabulary: vocabulary)
    try index.load(from: database)
    self.index = index
    writes = GroupedWriter(database: database) {
      do { try index.catchUp(with: database) } catch {
        // The write itself is on the disk; the next one brings the index up to date.
        logger.error("the index could not follow a write", metadata: ["error": "\(error)"])
      }
    }
    // Two password hashes of 19 MiB each at once (docs/decisions), a photo in a program of its own.
    work = WorkQueue(width: 2, capacity: 64)
    publicTags = try Self.publicTags(folders.seed.appendingPathComponent("public-tags.json"))
    let catalogue = try Catalogue(directory: folders.front.appendingPathComponent("locale"))
    self.catalogue = catalogue
    self.addresses = addresses
    let files = try StaticFiles(directory: folders.front.path)
    let archives = Archives(folders: folders, logger: logger)
    let store = DeviceStore(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings)
    let names = PublicNames()
    let versions = AnswerVersions(
      index: index, day: { surroundings.now().day.daysSinceEpoch },
      start: "\(files.digest.prefix(8))\(surroundings.now().secondsSinceEpoch)",
      names: names, catalogue: catalogue)
    let features = DeviceFeatures(publicTags: publicTags, addresses: addresses)
    let parameters = DeviceParameters(vocabulary: vocabulary, places: archives.places)

    var endpoints =
      CollectionRoutes(store: store, addresses: addresses, versions: versions).endpoints
      + DeviceRoutes(
        store: store, parameters: parameters, publicTags: publicTags, addresses: addresses,
        versions: versions, features: features
      ).endpoints
    let writer = DeviceWriter(vocabulary: vocabulary, surroundings: surroundings)
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
    let map = LiveMap(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings)
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
    endpoints +=
      TileRoutes(
        store: store, parameters: parameters, addresses: addresses, versions: versions,
        cache: TileCache(capacity: 12 << 20), name: settings.name
      ).endpoints
    endpoints += PlaceRoutes(store: archives.places, catalogue: catalogue).endpoints
    endpoints +=
      TaxonomyRoutes(database: database, catalogue: catalogue, versions: versions).endpoints
    endpoints +=
      SettingsRoutes(
        settings: settings, catalogue: catalogue, baseMap: archives.baseMap,
        streets: archives.streets, store: store, versions: versions, assets: files.root
      ).endpoints
    endpoints += BaseMapRoutes(baseMap: archives.baseMap, streets: archives.streets).endpoints
    endpoints += HealthRoutes(database: database, index: index).endpoints
    let gate = Gate(
      database: database, surroundings: surroundings, addresses: addresses, secure: secure,
      writes: writes)
    accounts = Accounts(
      database: database, surroundings: surroundings, catalogue: catalogue, gate: gate,
      rules: try PasswordRules(list: folders.seed.appendingPathComponent("passwords/common.txt")),
      networks: try database.write { try KnownNetworks($0, now: surroundings.now()) },
      names: names, instance: settings.name, logger: logger)
    endpoints += accounts.endpoints
    endpoints += order.endpoints
    administration = try Administration(
      moderation: order.moderation, erasure: erasure, errors: errors, media: folders.media,
      mappings: folders.seed.appendingPathComponent("mappings"), logger: logger)
    endpoints += administration.endpoints
    endpoints = LandingRoutes.complete(
      endpoints, settings: settings, addresses: addresses, versions: versions)
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
    let execution = Execution(gate: gate, writes: writes, work: work, logger: logger)
    for endpoint in endpoints { execution.add(endpoint, to: &router) }
    files.addAssets(to: &router)
    try PageRoutes(
      files: files, store: store, catalogue: catalogue, settings: settings, addresses: addresses,
      versions: versions
    ).add(to: &router)
    let learn = try LearnTexts(directory: folders.seed.appendingPathComponent("learn"))
    try LearnRoutes(
      frame: PageFrame(
        files: files, catalogue: catalogue, settings: settings, addresses: addresses),
      pages: LearnPages(texts: learn, catalogue: catalogue, name: settings.name),
      database: database, versions: versions
    ).add(to: &router)
    self.router = router
  }

  /// Where true positions stand; a deleted device's among them.
  static let privateTables: Set<String> = [
    "device_location", "revision_location", "tombstone_content",
  ]

  private static func publicTags(_ file: URL) throws -> PublicTags {
    try PublicTags(JSONValue(parsing: [UInt8](Data(contentsOf: file))))
  }

  /// The kinds of jobs that an instance knows how to do.
  package var works: [String: JobRunner.Work] {
    let accountSweep = AccountSweep(accounts: accounts)
    return [
      MailRequest.job: accounts.answerMailRequest,
      AccountErasure.job: accounts.wipeTracesOnceMailIsGone,
      AccountSweep.job: { _ in try accountSweep.run() },
      DeviceErasure.job: { [erasure] _ in try erasure.run() },
      MediaSweep.job: { [sweep] _ in try sweep.run() },
      KeepingOrder.job: order.work,
    ]
  }

  /// Kinds of jobs that are done again and again, and after how long.
  package var repeatedWorks: [String: Duration] {
    [
      AccountSweep.job: AccountSweep.every, MediaSweep.job: MediaSweep.every,
      KeepingOrder.job: KeepingOrder.every,
    ]
  }

  /// Ends the work under way and the writes that wait; requests after it are refused.
  package func stop() {
    work.stop()
    administration.desk.stop()
    writes.stop()
  }

  /// What work that outlives a request writes through.
  package var map: LiveMap {
    LiveMap(
      database: database, index: index, vocabulary: vocabulary, surroundings: surroundings)
  }

  /// Writes, and brings the index up to date before the caller is answered.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T { try map.write(body) }
}

/// The files made at set-up that an instance serves from; each may be missing, and is said so.
private struct Archives {
  let baseMap: TileArchive?
  let streets: TileArchive?
  let places: PlaceStore?

  init(folders: App.Folders, logger: Logger) {
    func open<File>(_ path: String?, _ what: String, _ open: (String) throws -> File) -> File? {
      guard let path else { return nil }
      do { return try open(path) } catch {
        logger.warning("\(what) is not there or cannot be read; run `make setup`")
        return nil
      }
    }
    /// The first of `names` that lies in one of the folders; the first name where none does.
    func find(_ names: [String]) -> String? {
      let paths = names.flatMap { name in
        folders.data.map { $0.appendingPathComponent(name).path }
      }
      return paths.first { FileManager.default.fileExists(atPath: $0) } ?? paths.first
    }
    baseMap = open(
      folders.baseMap ?? find(["basemap.mbtiles", "basemap-small.mbtiles"]), "the base map"
    ) { try TileArchive(path: $0) }
    streets = open(folders.streets, "the street map") { try TileArchive(path: $0) }
    places = open(find(["places.db"]), "the gazetteer") { try PlaceStore(path: $0) }
  }
}
