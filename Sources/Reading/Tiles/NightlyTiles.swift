import Compression
import Devices
import Downloads
import Glibc
import JSON
import Locking
import PrivacyMap
import Reference
package import Service
import SpatialDatabase
import TileArchives
import WebServer

/// `/api/exports/devices.pmtiles`: all tiles in one file, for maps that do not use this server. A job makes it each
/// night, and again within an hour after a device was deleted, hidden or made coarser.
package struct NightlyTiles: Feature {
  /// The kind of job.
  static let job = "nightly_tiles"
  static let every = Duration.seconds(3_600)
  static let path = "/api/exports/devices.pmtiles"
  static let mediaType = "application/vnd.pmtiles"
  /// The last zoom, with each device on its own: a tile is at most 2.4 km wide, and a unit of it at most 0.6 m.
  static let deepest = 14

  let tiles: TileRoutes
  let folder: SnapshotFolder
  let stopping: Stopping
  private var store: DeviceStore { tiles.store }

  package init(_ instance: Instance) throws {
    tiles = try instance.part()
    folder = SnapshotFolder(instance)
    stopping = instance.stopping
  }

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "exportDevicesPMTiles", Self.path, tag: "Data",
        summary: "The tiles of all devices in one file, made each night (PMTiles 3).",
        answers: [
          .ok("The file. Parts of it can be requested (`Range`).", Self.mediaType),
          .refusal(404, "The file does not exist yet."),
        ], file)
    ]
  }

  package var jobs: [Job] { [Job(Self.job, every: Self.every, isLong: true, run: run)] }

  @Sendable private func file(_ request: Request) throws -> Response {
    guard let made = try store.database.readQuickly(NightlyTilesFile.current),
      let file = try folder.files.open(made.file)
    else { throw NotFound(Message("error.not_found.tiles_file")) }
    var response = Response(headers: ["Content-Type": Self.mediaType], body: .kept(file))
    response.etag = EntityTag(made.sha256)
    response.lastModified = HTTPDate(seconds: Int(clamping: made.madeAt.secondsSinceEpoch))
    response.headers.add("Content-Disposition", "attachment; filename=\"devices.pmtiles\"")
    AnswerVersions.complete(&response)
    return response
  }

  // Making the file

  func run() throws {
    let today = store.environment.now().day
    if let made = try store.database.readQuickly(NightlyTilesFile.current) {
      if try hasWithdrawn(since: made) {
        // If generating the next file fails, for example on a full disk, the old file must not remain.
        try store.database.write(NightlyTilesFile.forget)
        try folder.files.erase(made.file)
      } else if made.madeAt.day == today, try folder.files.open(made.file) != nil {
        return
      }
    }
    // On a separate thread, because a thread cannot raise its priority again.
    try Future(Self.job) { [self] in
      ThreadPriority.lower()
      try make()
    }.value()
  }

  /// Whether the file contains a device that must no longer be shown.
  private func hasWithdrawn(since made: NightlyTilesFile) throws -> Bool {
    try store.database.read(limit: .after(.seconds(60))) { connection in
      try !SnapshotStore().withdrawn(
        madeAt: made.madeAt.text, through: made.sequence, at: made.madeAt.text, connection
      ).isEmpty
    }
  }

  private func make() throws {
    let (madeAt, index) = (store.environment.now(), store.index.snapshot)
    let attribution = try store.database.read { try SourceStore().attribution($0) }
    let (database, files) = (store.database, folder.files)
    try DurableFile.makeFolder(files.drafts)
    let draft = "\(files.drafts)/.devices.pmtiles.part"
    defer { unlink(draft) }
    // A device is in one tile of each zoom.
    var writer = try PMTilesWriter(path: draft, expectedCount: index.count * (Self.deepest + 1))
    try write(index, to: &writer)
    try writer.finish(
      metadata: metadata(attribution), bounds: Self.bounds(index.extent?.onMap ?? .world))
    let content = try DurableFile.content(of: draft)
    let made = NightlyTilesFile(
      madeAt: madeAt, sequence: index.sequence, bytes: content.bytes, sha256: content.sha256)
    try files.keep(draft, as: made.file, at: madeAt)
    let former = try database.write { connection in
      try files.confirm(made.file, connection)
      let former = try NightlyTilesFile.current(connection)
      try made.store(connection)
      return former
    }
    if let former, former.file != made.file { try files.erase(former.file) }
    NightlyTilesFile.eraseOthers(than: made.file, in: files.drafts)
  }

  /// Writes the tiles that are not empty, zoom by zoom in the order of their numbers. A device belongs to one tile of
  /// each zoom, so below an empty tile all are empty. The four tiles below a tile follow one another, and the tiles
  /// below the next tile follow them (``PMTilesNumber``).
  private func write(_ index: PointIndex, to writer: inout PMTilesWriter) throws {
    let vocabulary = TileVocabulary(store.vocabulary)
    let shown = try tiles.parameters.filter(Query()).pointFilter(
      vocabulary: store.vocabulary, today: store.environment.now().day)
    var level = [Place(0, 0)]
    for z in 0...Self.deepest {
      var below: [Place] = []
      for place in level {
        try stopping.confirmGoingOn()
        let (x, y) = (Int(place.x), Int(place.y))
        guard let address = TileAddress(z: z, x: x, y: y) else { continue }
        let content = index.tile(
          address, matching: shown ?? PointFilter(), singles: z == Self.deepest ? .max : nil)
        // A file without tiles would not be valid.
        guard !content.isEmpty || z == 0 else { continue }
        try writer.add(z: z, x: x, y: y, Gzip.compress(VectorTile.encode(content, vocabulary)))
        if z < Self.deepest, !content.isEmpty { below += Self.below(place, z) }
      }
      level = below
    }
  }

  /// A column and a row. There can be millions.
  private typealias Place = SIMD2<UInt32>

  /// The four tiles of the next zoom.
  private static func below(_ place: Place, _ z: Int) -> [Place] {
    func number(_ place: Place) -> UInt64 {
      PMTilesNumber.number(z: z + 1, x: Int(place.x), y: Int(place.y))
    }
    return [Place(0, 0), Place(0, 1), Place(1, 0), Place(1, 1)].map { place &* 2 &+ $0 }
      .sorted { number($0) < number($1) }
  }

  /// The members follow chapter 5 of the specification.
  private func metadata(_ attribution: String) -> JSONValue {
    [
      "name": .string(tiles.name), "attribution": .string(attribution), "type": "overlay",
      "description": "Connected devices around us.", "vector_layers": TileRoutes.layers,
    ]
  }

  /// The box, widened if it is a point.
  private static func bounds(_ box: BoundingBox) -> TileBounds {
    let margin = 0.000_1
    return TileBounds(
      west: max(-180, box.west - margin), south: max(-90, box.south - margin),
      east: min(180, box.east + margin), north: min(90, box.north + margin)) ?? .world
  }
}
