import Accounts
import Devices
internal import Foundation
import Import
import JSON
import Logging
import PrivacyMap
import SafeFetch
import Secrets
import Service
import SpatialDatabase

/// Runs the imports that are due: downloads the list, tries it, imports it and reports by mail.
///
/// A run happens on the thread of its job. A crash ends it; the job then runs again, and as devices have keys, a
/// repeated import changes nothing twice.
struct ScheduledImport: Sendable {
  let map: LiveMap
  let worker: ImportWorker
  let mappings: ImportMappings
  let site: PublicFile
  let mails: ImportScheduleMails
  let logger: Logger

  /// The kind of the job that starts due runs.
  static let startJob = "start_import_schedules"
  /// The kind of the job that is one run.
  static let job = "run_import_schedule"
  /// The maximum size of a list in bytes, the same as for an upload.
  static let limit = ImportRoutes.limit
  /// The longest wait for another import.
  static let timeout = Duration.seconds(300)

  var store: ImportScheduleStore { ImportScheduleStore(environment: map.environment) }

  /// A run of a schedule. `account` is the admin who requested it, nil if it is due. `isConfirmed` is set if that admin
  /// accepts a file that ``ImportCaution`` held.
  struct Order: Equatable, Sendable {
    let schedule: Int64
    var account: Int64?
    var isConfirmed = false

    var payload: String {
      JSONValue.object(
        JSONObject([
          ("schedule", .integer(schedule)), ("account", account.map(JSONValue.integer) ?? .null),
          ("confirmed", .bool(isConfirmed)),
        ])
      ).text
    }

    init(_ schedule: Int64, by account: Int64? = nil, isConfirmed: Bool = false) {
      (self.schedule, self.account, self.isConfirmed) = (schedule, account, isConfirmed)
    }

    init?(payload: String) {
      guard let json = try? JSONValue(parsing: Array(payload.utf8)),
        let schedule = json["schedule"]?.intValue
      else { return nil }
      self.init(
        Int64(schedule), by: json["account"]?.intValue.map(Int64.init),
        isConfirmed: json["confirmed"]?.boolValue ?? false)
    }
  }

  /// Queues the runs that are due.
  func start() throws {
    guard try !map.database.read(store.due).isEmpty else { return }
    try map.database.write { connection in
      for id in try store.due(connection) {
        guard let schedule = try store.one(id, connection) else {
          try store.disable(id, .failures, connection)
          continue
        }
        try store.scheduleNext(schedule, connection)
        _ = try queue(Order(id), connection)
      }
    }
  }

  /// Queues a run.
  ///
  /// - Returns: false if one waits already or is in progress.
  func queue(_ order: Order, _ connection: borrowing Connection) throws -> Bool {
    guard try store.queue(order.schedule, connection) else { return false }
    try JobRunner.schedule(
      Self.job, payload: order.payload, due: map.environment.now(), connection)
    return true
  }

  /// Does one run, and records it.
  ///
  /// - Throws: errors of the database, and ``Interrupted`` if the program is stopping, so that the job runs again.
  func run(_ payload: String) throws {
    guard let order = Order(payload: payload),
      let schedule = try map.database.read({ try store.one(order.schedule, $0) })
    else { return }
    guard schedule.settings.isEnabled || order.account != nil else {
      return try map.database.write { try store.unqueue(schedule.id, $0) }
    }
    guard let admin = try map.database.read({ try mails.admin(of: schedule, $0) }) else {
      return try map.database.write { connection in
        try store.disable(schedule.id, .account, connection)
        try store.unqueue(schedule.id, connection)
      }
    }
    let result: ImportScheduleStore.Result
    do { result = try self.result(of: schedule, order, admin.rowid) } catch let error as FailedRun {
      result = ImportScheduleStore.Result(
        outcome: .failed, problem: error.problem, importRun: error.importRun)
    }
    try map.database.write { try record(result, of: schedule, $0) }
  }

  func record(
    _ result: ImportScheduleStore.Result, of schedule: ImportSchedule,
    _ connection: borrowing Connection
  ) throws {
    // An admin may have changed or deleted it meanwhile.
    guard let current = try store.one(schedule.id, connection) else { return }
    var result = result
    var compared = current.settings
    (compared.name, compared.timing) = (schedule.settings.name, schedule.settings.timing)
    compared.isEnabled = schedule.settings.isEnabled
    if compared != schedule.settings { result.file = nil }
    let hasEnded = try store.end(current, result, connection)
    try mails.report(result, of: current, hasEnded: hasEnded, connection)
  }

  // One run.

  private func result(
    of schedule: ImportSchedule, _ order: Order, _ admin: Int64
  ) throws -> ImportScheduleStore.Result {
    let mapping = try mapping(of: schedule)
    let file = try UnnamedFile()
    let known = order.isConfirmed ? PublicFile.Version() : schedule.version
    guard let version = try download(schedule.settings.link, known, to: file) else {
      return ImportScheduleStore.Result(outcome: .unchanged)
    }
    let digest = Self.digest(of: file)
    let arrived = (version: version, digest: digest)
    if digest == schedule.digest {
      return ImportScheduleStore.Result(outcome: .unchanged, file: arrived)
    }
    let list = file.source(named: Self.name(of: schedule.settings.link))
    let result = try worker.perform(waiting: Self.timeout) { isWanted in
      try importList(
        list, mapping, of: schedule, by: order.account ?? admin,
        isConfirmed: order.isConfirmed, isWanted: isWanted)
    }
    guard var result else {
      if worker.isStopping { throw Interrupted() }
      throw FailedRun(problem: ImportProblem(.busy))
    }
    if result.outcome == .imported { result.file = arrived }
    return result
  }

  private func mapping(of schedule: ImportSchedule) throws -> ImportMapping {
    do {
      return try mappings.mapping(JSONValue(parsing: Array(schedule.settings.mapping.utf8)))
    } catch { throw FailedRun(problem: ImportProblem(.mapping, ["reason": "\(error)"])) }
  }

  /// Nil if there is no newer version.
  private func download(
    _ link: PublicLink, _ known: PublicFile.Version, to file: UnnamedFile
  ) throws -> PublicFile.Version? {
    let worker = worker
    do throws(DownloadFailure) {
      let download = try site.download(
        link, known: known, to: file.descriptor, limit: Self.limit,
        isWanted: { !worker.isStopping })
      guard case .file(let version) = download else { return nil }
      return version
    } catch {
      if error == .unwanted { throw Interrupted() }
      throw FailedRun(problem: ImportProblem(downloading: error))
    }
  }

  private static func digest(of file: UnnamedFile) -> String {
    var stream = SHA256Stream()
    var number = 0
    while let piece = file.piece(number) {
      piece.withUnsafeBufferPointer { stream.update($0) }
      number += 1
    }
    return Hexadecimal.text(of: stream.finish())
  }

  /// The last part of the path, which shows the format. Addresses of interfaces often have no file name.
  private static func name(of link: PublicLink) -> String {
    let path = link.path.prefix { $0 != "?" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    let name = (last.removingPercentEncoding ?? last).unicodeScalars.filter { scalar in
      scalar.properties.generalCategory != .control && scalar != "/"
    }.prefix(120)
    let text = String(String.UnicodeScalarView(name))
    return text.isEmpty ? link.host : text
  }

  /// Tries the list, and imports it unless an admin must check it first.
  private func importList(
    _ list: ByteSource, _ mapping: ImportMapping, of schedule: ImportSchedule, by account: Int64,
    isConfirmed: Bool, isWanted: () -> Bool
  ) throws -> ImportScheduleStore.Result {
    let caution = try map.database.read { connection in
      ImportCaution(last: try store.lastCounts(ofSource: mapping.source.code, connection))
    }
    let trial = try importRun(
      list, mapping, of: schedule, by: account, isDryRun: true, isWanted: isWanted)
    if !isConfirmed, let problem = caution.problem(with: trial) {
      return ImportScheduleStore.Result(outcome: .held, problem: problem, importRun: trial.id)
    }
    if let id = trial.id {
      try map.database.write { try ImportRunStore().forgetDryRun(id, $0) }
    }
    let report = try importRun(
      list, mapping, of: schedule, by: account, isDryRun: false, isWanted: isWanted)
    try settleMissing(report, of: schedule, by: account)
    return ImportScheduleStore.Result(outcome: .imported, importRun: report.id)
  }

  /// Carries out the admin's choice for devices that the list no longer contains, if there are not too many.
  private func settleMissing(
    _ report: ImportRun.Report, of schedule: ImportSchedule, by account: Int64
  ) throws {
    let missing = schedule.settings.missing
    guard let id = report.id, let action = missing.action, report.gone > 0,
      report.gone <= missing.limit
    else { return }
    let standing = AccountStanding(of: account, as: .admin, now: map.environment.now)
    try WriteCondition.requiring(.caller, standing.confirm) {
      try map.database.write { connection in
        try AuditStore(environment: map.environment).note(
          "settle_missing", target: "import \(id)", by: "\(account)",
          reason: schedule.settings.name, connection)
      }
      try MissingDevices(map: map).carryOut(action == .withdraw ? .withdraw : .remove, of: id)
    }
  }

  /// - Throws: ``FailedRun`` with the number of its report, or ``Interrupted``.
  private func importRun(
    _ list: ByteSource, _ mapping: ImportMapping, of schedule: ImportSchedule, by account: Int64,
    isDryRun: Bool, isWanted: () -> Bool
  ) throws -> ImportRun.Report {
    let name = mapping.source.code
    var options = ImportRun.Options()
    options.isDryRun = isDryRun
    options.sourceName = schedule.settings.source
    options.licence = schedule.settings.licence
    options.run = try map.database.write { connection in
      let id = try ImportRunStore().add(
        file: list.name, mapping: name, by: account, schedule: schedule.id, isDryRun: isDryRun,
        at: map.environment.now(), connection)
      if !isDryRun {
        try AuditStore(environment: map.environment).note(
          "import", target: "import \(id)", by: "\(account)",
          reason: schedule.settings.name, connection)
      }
      return id
    }
    let run = ImportRun(map: map, mapping: mapping, named: name, options: options)
    let standing = AccountStanding(of: account, as: .admin, now: map.environment.now)
    do {
      return try WriteCondition.requiring(.caller, standing.confirm) {
        try run.run(list, isWanted: isWanted)
      }
    } catch let error as ImportFailure {
      if !isWanted() { throw Interrupted() }
      let problem = ImportProblem(.unreadable, ["reason": error.description])
      throw FailedRun(problem: problem, importRun: options.run)
    } catch {
      logger.error("a scheduled import failed", metadata: ["error": "\(error)"])
      throw FailedRun(problem: ImportProblem(.broken), importRun: options.run)
    }
  }
}

/// A run that failed, with the number of its report if there is one.
struct FailedRun: Error {
  let problem: ImportProblem
  var importRun: Int64?
}
