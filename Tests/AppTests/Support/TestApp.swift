@testable import App
import Foundation
import JSON
import Locking
import Logging
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import WebServer

/// One Farol instance for one test: a real migrated database in a temporary folder, the real
/// taxonomies and pages, a clock that the test moves, and a repeatable random generator. No socket.
final class TestApp: Sendable {
  let folder: URL
  let app: App
  let clock = TestClock()
  let log = TestLog()

  var database: Database { app.database }
  var vocabulary: Vocabulary { app.vocabulary }

  /// The base of all links.
  static let address = "http://farol.example"

  /// Starts an instance with the pages of `front`, by default the pages of the project without scripts
  /// and libraries, which load much faster; `data` adds files to its folder before.
  init(
    settings: InstanceSettings = InstanceSettings(), front: URL? = nil,
    monitoring: Monitoring = Monitoring(), imageProgram: String? = nil,
    features: [any Feature.Type] = App.kinds, data: (URL) throws -> Void = { _ in }
  ) throws {
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("farol.db")
    try TestEngine.copy(try TestFolder.template.get(), to: file)
    try data(folder)
    app = try Self.start(
      file, front: front ?? TestFolder.front, settings: settings, clock: clock, log: log,
      monitoring: monitoring, imageProgram: imageProgram, features: features)
  }

  /// Starts a server on a new PostgreSQL database, or on the database of another server.
  init(onPostgreSQLBeside other: TestApp?) throws {
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("farol.db")
    if let other {
      TestEngine.share(
        file.path, with: other.folder.appendingPathComponent("farol.db").path)
      // Servers share the key of mail links.
      try FileManager.default.copyItem(
        atPath: other.app.mailSeal.path, toPath: file.path + ".key")
    } else {
      try TestEngine.create(file.path)
    }
    // Servers must not give the same ids.
    let chance = SeededBytes(seed: other == nil ? 7 : 8)
    app = try Self.start(file, front: TestFolder.front, clock: clock, log: log, chance: chance)
    try app.mailSeal.prepare()
  }

  /// Starts a server on a PostgreSQL database with a standby for public reads.
  init(server url: String, replica: String) throws {
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("farol.db")
    var configuration = Self.configuration
    configuration.replica = replica
    let database = try Database(server: url, path: file.path, configuration: configuration)
    app = try Self.start(database, front: TestFolder.front, clock: clock, log: log)
  }

  /// Starts an instance on a copy of the database of another one, which ends.
  init(copying other: TestApp, seed: UInt64) throws {
    other.app.stop()
    try other.database.close()
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("farol.db")
    let source = other.folder.appendingPathComponent("farol.db")
    try TestEngine.copy(source, to: file)
    for name in ["farol.db.key", "media"] {
      let path = other.folder.appendingPathComponent(name).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.copyItem(
        atPath: path, toPath: folder.appendingPathComponent(name).path)
    }
    app = try Self.start(
      file, front: TestFolder.front, clock: clock, log: log, chance: SeededBytes(seed: seed))
  }

  /// The environment of the instance.
  var environment: Environment { app.environment }

  /// Starts an instance on a database file.
  static func start(
    _ file: URL, front: URL, settings: InstanceSettings = InstanceSettings(), clock: TestClock,
    log: TestLog, monitoring: Monitoring = Monitoring(), imageProgram: String? = nil,
    chance: SeededBytes = SeededBytes(), features: [any Feature.Type] = App.kinds
  ) throws -> App {
    try start(
      try TestEngine.open(file.path, configuration), front: front, settings: settings,
      clock: clock, log: log, monitoring: monitoring, imageProgram: imageProgram, chance: chance,
      features: features)
  }

  private static var configuration: Database.Configuration {
    var configuration = Database.Configuration()
    configuration.readers = 2
    configuration.queryTimeLimit = .seconds(20)
    return configuration
  }

  private static func start(
    _ database: Database, front: URL, settings: InstanceSettings = InstanceSettings(),
    clock: TestClock, log: TestLog, monitoring: Monitoring = Monitoring(),
    imageProgram: String? = nil, chance: SeededBytes = SeededBytes(),
    features: [any Feature.Type] = App.kinds
  ) throws -> App {
    let file = URL(fileURLWithPath: database.path)
    _ = try database.migrate(directory: Repository.root.appendingPathComponent("migrations").path)
    var folders = TestFolder.folders(front: front, data: [file.deletingLastPathComponent()])
    folders.imageProgram = imageProgram
    return try App(
      database: database, folders: folders,
      files: front == TestFolder.front ? TestFolder.files : nil,
      settings: settings, addresses: Addresses(base: address), secure: false,
      environment: Environment(now: { clock.now }, randomBytes: { chance.next($0) }),
      logger: Logger(label: "test") { _ in log }, monitoring: monitoring, features: features)
  }

  deinit {
    app.stop()
    try? database.close()
    TestEngine.remove(folder.appendingPathComponent("farol.db").path)
    try? FileManager.default.removeItem(at: folder)
  }
}

/// A clock that stays at its time until a test moves it.
final class TestClock: Sendable {
  private let moment = Locked(Timestamp(secondsSinceEpoch: 1_795_262_400))  // 2026-11-21T12:00:00Z

  var now: Timestamp { moment.withLock { $0 } }

  func advance(by duration: Duration) {
    moment.withLock { $0.secondsSinceEpoch += duration.components.seconds }
  }

  func set(_ text: String) {
    guard let wanted = Timestamp(text: text) else { return }
    moment.withLock { $0 = wanted }
  }
}

/// Bytes that are the same in every run.
final class SeededBytes: Sendable {
  private let generator: Locked<SeededNumbers>

  init(seed: UInt64 = 7) { generator = Locked(SeededNumbers(seed: seed)) }

  func next(_ count: Int) -> [UInt8] {
    generator.withLock { generator in
      (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
    }
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Stores logged errors, so that a test can check that there were no errors.
final class TestLog: LogHandler, Sendable {
  private let kept = Locked<[String]>([])

  var lines: [String] { kept.withLock { $0 } }
  var logLevel: Logger.Level {
    get { .warning }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    guard event.level >= .error else { return }
    kept.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
  }
}
