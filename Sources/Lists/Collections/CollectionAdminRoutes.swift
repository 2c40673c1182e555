import Accounts
import Devices
import Foundation
import Import
import JSON
internal import Locking
import PrivacyMap
import Reading
package import Service
import SpatialDatabase
import WebServer

/// Routes on which admins add and remove further collections.
package final class CollectionAdminRoutes: Feature {
  private let map: LiveMap
  private let changes: PublicChanges
  private let isBusy = Locked(false)
  /// Limits imports of collections to one at a time on all servers.
  private let lease: Lease
  private let store = CollectionImportStore()

  /// The maximum size of the form in bytes.
  static let limit = ImportRoutes.limit
  /// The maximum decompressed size of a file in bytes.
  private static let unpackedLimit = 1 << 30

  package init(_ instance: Instance) throws {
    map = try instance.given()
    changes = instance.publicChanges
    lease = Lease("collections", on: map.database)
    try endBroken()
  }

  /// Hides collections whose import a stop of the program interrupted. A job deletes them.
  func endBroken() throws {
    guard try reserve() else { return }
    defer { release() }
    try holding { try map.database.write { try store.hideBroken($0) } }
  }

  /// The job that deletes hidden collections.
  static let job = "sweep-collections"
  static let every = Duration.days(1)

  package var schemas: [Schema] {
    let text = JSONSchema.text.optional
    return JSONSchema.named([
      "collectionForm": [
        "file": .file, "id": .text, "title": .text, "description": text, "licence": .text,
        "attribution": .text, "url": text, "layer": text, "time": text,
        "replace": JSONSchema.oneOf(["true", "false"]).optional,
      ]
    ]) + [Self.shape.component, Self.shapeOfList.component]
  }

  package var jobs: [Job] { [Job(Self.job, every: Self.every, run: sweep)] }

  @Sendable func sweep() throws {
    try endBroken()
    try CollectionRemoval(database: map.database).sweep()
  }

  /// Whether an import may begin: no other one runs, on any server.
  private func reserve() throws -> Bool {
    let isFree = isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return false }
    var isKept = false
    defer { if !isKept { release() } }
    isKept = try lease.keep()
    return isKept
  }

  /// Runs a part of an import. Its writes confirm that no other server has taken over.
  private func holding<T, Failure>(
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    try WriteCondition.requiring(.lease, { [lease] in try lease.confirm($0) }, body)
  }

  private func release() {
    lease.release()
    isBusy.withLock { $0 = false }
  }

  package static let logNames = CollectionImportStore.logNames

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getAdminCollections", .get, "/api/admin/collections", tag: "Administration",
        summary: "Further collections, with the author and time of each import.", access: .admin,
        answers: [.ok("All further collections.", schema: "adminCollections")], .personal(list)),
      Endpoint(
        "addCollection", .post, "/api/admin/collections", tag: "Administration",
        summary: "Import a further collection from GeoJSON, GeoPackage or CSV.",
        access: .admin,
        body: .form("collectionForm", limit: Self.limit, isStored: true),
        answers: [
          .created("The collection. `Location` is its URL.", schema: "adminCollection"),
          .refusal(409, "A collection with this id exists, or an import is running."),
        ], .slow(add)),
      Endpoint(
        "deleteCollection", .delete, "/api/admin/collections/{collectionId}",
        tag: "Administration", summary: "Remove a further collection.", access: .admin,
        parameters: [FeatureRoutes.collection],
        answers: [.done("The collection is removed.")], .slow(remove)),
    ]
  }

  // Read collections.

  /// `utc`: the file has times without a zone, which are read as UTC.
  private static let property: JSONSchema = [
    "name": .text, "kind": .oneOf(CollectionProperty.Kind.self), "utc": .flag.optional,
  ]

  static let shape = JSONShape<CollectionImportStore.Imported>(
    "adminCollection", .text("id", \.id), .text("title", \.title), .text("licence", \.licence),
    .count("features", \.features), .text("file", \.file), .text("by", \.by),
    .time("created_at", \.createdAt),
    .init("properties", .list(of: property)) {
      CollectionProperty.json(CollectionProperty.list($0.properties))
    },
    .init("skipped", .list(of: skipped.schema)) { stored in
      stored.skipped?.sorted { $0.key.rawValue < $1.key.rawValue }.map(skipped.json)
    }.optional)
  private static let skipped = JSONShape<(key: SourceFault, value: Int)>(
    nil, .text("reason") { $0.key.rawValue }, .count("count") { $0.value })
  static let shapeOfList = JSONShape<[CollectionImportStore.Imported]>(
    "adminCollections", .list("collections", of: shape, \.self))

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    .json(try map.database.read { try store.all($0) }, as: Self.shapeOfList)
  }

  // Add a collection.

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let form = try CollectionForm(request)
    guard try reserve() else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
    defer { release() }
    let load = CollectionLoad(
      database: map.database, environment: map.environment, account: principal.account)
    let outcome: CollectionLoad.Outcome
    do {
      outcome = try holding {
        try withFeatures(of: form) { try load.load($0, form.description) }
      }
    } catch let failure as ImportFailure {
      throw InvalidInput.refused("file", "error.collection.unreadable", ["reason": failure.reason])
    }
    changes.changed()
    try WriteCondition.regardlessOfCaller { try CollectionRemoval(database: map.database).sweep() }
    return try created(outcome)
  }

  private func created(_ outcome: CollectionLoad.Outcome) throws -> Response {
    let stored = try map.database.read { try store.one(outcome.collection.rowid, $0) }
    guard var stored else { throw NotFound.collection }
    stored.skipped = outcome.skipped
    return Response.json(stored, as: Self.shape, status: .created)
      .with("Location", "/api/collections/\(outcome.collection.id)")
  }

  /// Opens the file. A GeoPackage must be in a folder to be read; the other formats are read from the
  /// request body.
  private func withFeatures<Result>(
    of form: CollectionForm, _ body: (any FeatureFile) throws -> Result
  ) throws -> Result {
    let mark = try form.file.beginning(GeoPackageFile.mark.count)
    guard mark == GeoPackageFile.mark else { return try body(TextFeatureFile(form.file)) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-collection-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("layers.gpkg").path
    try form.file.copy(to: path, limit: Self.unpackedLimit)
    return try body(GeoPackageFile(path: path, layer: form.layer))
  }

  // Remove a collection.

  @Sendable private func remove(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let id = request.parameter("collectionId")
    let rowid = try map.database.write { connection in
      let rowid = try FurtherCollection.named(id, connection).rowid
      try store.hide(rowid, connection)
      try PublicChanges.note(connection, at: map.environment.now())
      try AuditStore(environment: map.environment).note(
        "delete_collection", target: "collection \(id)", by: "\(principal.account)", reason: nil,
        connection)
      return rowid
    }
    changes.changed()
    try WriteCondition.regardlessOfCaller {
      try CollectionRemoval(database: map.database).remove(rowid)
    }
    return .noContent
  }
}

/// The fields of the form for a further collection.
private struct CollectionForm {
  let file: ByteSource
  let layer: String?
  let description: CollectionLoad.Description

  private static let names: Set<String> = [
    "file", "id", "title", "description", "licence", "attribution", "url", "layer", "time",
    "replace",
  ]

  /// - Throws: a 400, 415 or 422 that names each field.
  init(_ request: Request) throws {
    let form = try FileForm(request)
    var body = try RequestBody(form.fields, Self.names, prefix: "")
    let id = body.text("id", 2...60, isRequired: true)
    if let id, !Self.isName(id) || id == "devices" {
      body.refuse("id", Message("error.collection.id"))
    }
    let title = body.text("title", 1...200, isRequired: true)
    let licence = body.text("licence", 1...200, isRequired: true)
    let attribution = body.text("attribution", 1...300, isRequired: true)
    let description = body.text("description", 1...2_000, lines: true)
    let url = body.text("url", 1...500)
    if let url, !(url.hasPrefix("https://") || url.hasPrefix("http://")) {
      body.refuse("url", Message("error.web_address"))
    }
    layer = body.text("layer", 1...200)
    let time = body.text("time", 1...200)
    let replaces = body.code("replace", ["true", "false"]) == "true"
    if form.file == nil { body.fault("file", Message("error.missing_member")) }
    try body.check()
    file = try form.file.given()
    var all = CollectionLoad.Description(
      id: try id.given(), title: try title.given(), licence: try licence.given(),
      attribution: try attribution.given(), file: file.name)
    all.description = description ?? ""
    all.url = url
    all.time = time
    all.replaces = replaces
    self.description = all
  }

  /// Lower-case letters, digits and hyphens, starting with a letter, because it is used in URLs.
  private static func isName(_ id: String) -> Bool {
    guard let first = id.utf8.first, (97...122).contains(first) else { return false }
    return id.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}

extension ByteSource {
  /// The first bytes, at most `count`.
  fileprivate func beginning(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { piece in
      bytes += piece.prefix(count - bytes.count)
      return bytes.count < count
    }
    return bytes
  }

  /// Copies all bytes into a new file.
  ///
  /// - Throws: ``InvalidInput`` if there are more than `limit` bytes.
  fileprivate func copy(to path: String, limit: Int) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    var size = 0
    try forEachPiece { piece in
      size += piece.count
      guard size <= limit else {
        throw InvalidInput.refused("file", "error.collection.too_large")
      }
      try handle.write(contentsOf: Data(buffer: piece))
      return true
    }
  }
}
