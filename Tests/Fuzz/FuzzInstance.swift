@testable import App
import Filters
import Foundation
import Import
import JSON
import Logging
import PrivacyMap
@testable import Contributions
@testable import Service
import SpatialDatabase
import WebServer

/// A Farol without sockets for parsers that need an instance: a migrated database in a temporary
/// folder, created on first use.
final class FuzzInstance: Sendable {
  static let shared = FuzzInstance()

  /// Reads the columns of OpenStreetMap lists.
  let mapper: RowMapper?

  private let app: App
  private let today = Day(daysSinceEpoch: 20_000)
  private static let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)

  private init() {
    do {
      app = try Self.start()
      let path = Self.root.appendingPathComponent("seed/mappings/osm.json").path
      mapper = RowMapper(
        mapping: try ImportMapping(path: path), vocabulary: app.vocabulary, today: today)
    } catch {
      fatalError("the instance does not start: \(error)")  // no test can run without it
    }
  }

  func mapper(_ mapping: ImportMapping) -> RowMapper? {
    RowMapper(mapping: mapping, vocabulary: app.vocabulary, today: today)
  }

  /// A device as a client sends it.
  func feature(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), case .object(let feature) = value else {
      return
    }
    let form = DeviceForm(vocabulary: app.vocabulary, today: today)
    _ = try? NewDevice(feature, crs: .crs84, form: form, by: Self.somebody)
  }

  /// A request target; after the first line break a body that is posted to it.
  func request(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let target = String(decoding: lines.first ?? [], as: UTF8.self)
    let body = lines.count > 1 ? Array(lines[1]) : []
    let headers: Headers = body.isEmpty ? [:] : ["Content-Type": "application/json"]
    let method: Method = body.isEmpty ? .get : .post
    let response = app.router.respond(
      to: Request(method, target, headers: headers, body: body))
    hold(response.status.code < 500, "a request is no fault of ours")
  }

  private static let somebody = Principal(
    account: 1, id: "", username: "fuzz", role: .contributor, locale: "en", isConfirmed: true,
    isSuspended: false, hasSecondFactor: false, isNew: false, isYoung: false,
    credential: .token(rowid: 1, scopes: [], token: ""))

  private static func start() throws -> App {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("farol-fuzz-" + UUID().uuidString)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try Database(path: folder.appendingPathComponent("farol.db").path)
    _ = try database.migrate(directory: root.appendingPathComponent("migrations").path)
    return try App(
      database: database,
      folders: Folders(
        front: root.appendingPathComponent("public"), seed: root.appendingPathComponent("seed"),
        data: [folder]),
      settings: InstanceSettings(), addresses: Addresses(base: "http://farol.example"),
      secure: false, environment: Environment { Timestamp(secondsSinceEpoch: 1_795_262_400) },
      logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
  }
}
