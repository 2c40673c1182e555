internal import Foundation
import Devices
import Locking
import Logging
import PrivacyMap
import Service
import SpatialDatabase
import Visits
import Watching

/// Starts and ends mapping days, tags what participants do, and queues mails to all of them.
///
/// If several servers share the database, one of them works, and another takes over when it ends. Every step is one
/// transaction that confirms the lease, so a killed server loses nothing and sends nothing twice.
final class DayWorker: Sendable {
  let database: Database
  let writer: GroupedWriter
  let mails: DayMails
  let index: MapIndex
  let publicChanges: PublicChanges
  private let lease: Lease
  private let logger: Logger
  private let state = Monitor(State())

  private struct State {
    var isStopped = false
    var isRunning = false
  }

  /// The pause between two checks, while a day is running and otherwise.
  private static let pause = Duration.seconds(1)
  private static let longPause = Duration.seconds(5)
  private static let nice: Int32 = 5

  private var days: DayStore { mails.days }

  init(
    database: Database, writer: GroupedWriter, mails: DayMails, index: MapIndex,
    publicChanges: PublicChanges, logger: Logger
  ) {
    (self.database, self.writer, self.mails) = (database, writer, mails)
    (self.index, self.publicChanges, self.logger) = (index, publicChanges, logger)
    lease = Lease("mapping_days", on: database)
  }

  func start() {
    state.withLock { $0.isRunning = true }
    NamedThread.start("mapping days", nice: Self.nice) { [self] in
      var pause = Duration.zero
      while rest(pause) {
        do { pause = try step() ? Self.pause : Self.longPause } catch {
          pause = Self.longPause
          logger.error("work of mapping days failed", metadata: ["error": "\(error)"])
        }
      }
      state.withLock { $0.isRunning = false }
    }
  }

  /// Waits for the running step.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.wait(until: { !$0.isRunning }) { _ in }
    lease.release()
  }

  private func rest(_ pause: Duration) -> Bool {
    state.wait(until: { $0.isStopped }, orUntil: .now + pause) { !$0.isStopped }
  }

  /// Does everything that is due.
  ///
  /// - Returns: whether a day is running.
  @discardableResult
  func step() throws -> Bool {
    guard try lease.hold() else { return false }
    let (late, starting) = try database.read {
      (try days.due(.waiting, $0), try days.due(.approved, $0))
    }
    for row in late { try alone(row) { try move(row, .lapse) } }
    for row in starting { try alone(row) { try move(row, .start) } }
    let running = try database.read(days.running)
    for day in running {
      // The end is compared first, so that everything before it is tagged.
      let isOver = day.plan.end <= mails.environment.now()
      try alone(day.rowid) {
        try tag(day.rowid)
        if isOver { try move(day.rowid, .end) }
      }
    }
    while try !isStopped && queueMails() {}
    // Decisions of moderators also change what visitors see.
    try publicChanges.refresh()
    return !running.isEmpty
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Does the work of one day. If it fails, the others go on, and it is tried again at the next look.
  ///
  /// - Throws: faults of the database, and ``Lease/Lost``.
  private func alone(_ row: Int64, _ work: () throws -> Void) throws {
    do { try work() } catch let error as Lease.Lost { throw error } catch {
      guard (error as? DatabaseFault)?.isOfStatement ?? true else { throw error }
      logger.error(
        "the work of a mapping day failed", metadata: ["day": "\(row)", "error": "\(error)"])
    }
  }

  /// Tags the contributions until now.
  private func tag(_ row: Int64) throws {
    var isPart = true
    while isPart, !isStopped {
      let found = try database.read { connection in
        try days.one(row: row, connection).map { day in
          (day: day, batch: try mails.contributions.batch(of: day, connection))
        }
      }
      guard let found, found.batch.through > found.day.taggedThrough else { return }
      try write { [self] connection in
        // A day that was cancelled meanwhile gets nothing more.
        guard try days.one(row: row, connection)?.state == .running else { return }
        try mails.contributions.tag(found.batch, found.day, connection)
      }
      isPart = found.batch.isPart
    }
  }

  /// Applies an event of the clock, unless another event came first.
  private func move(_ row: Int64, _ event: DayEvent) throws {
    guard let seen = try database.read({ try days.one(row: row, $0) }) else { return }
    let found = event == .lapse ? [] : devices(in: seen)
    let devices = found.count
    let open = event == .end ? Self.open(found, on: mails.environment.now().day) : []
    try write { [self] connection in
      guard let day = try days.one(row: row, connection), day.state.after(event) != nil else {
        return
      }
      let reason = event == .lapse ? try mails.lapsed(day, connection) : day.reason
      try days.apply(event, to: day, by: .farol, reason: reason, connection)
      switch event {
      case .start:
        let sequence = try mails.contributions.sequence(at: day.plan.start, connection)
        try connection.execute(
          "UPDATE mapping_day SET devices_before = ?, tagged_through = ? WHERE rowid = ?",
          [SQLValue(devices), .integer(sequence), .integer(row)])
      case .end:
        try connection.execute(
          "UPDATE mapping_day SET devices_after = ? WHERE rowid = ?",
          [SQLValue(devices), .integer(row)])
        try mails.contributions.forgetSmallTeams(
          of: day, try mails.participants.teams(of: row, connection), connection)
        try DayMails.plan(.thanks, to: row, at: mails.environment.now(), connection)
        try askForVisits(to: open, after: day, connection)
      case .lapse: try mails.decided(day, .lapse, reason: reason, connection)
      case .submit, .withdraw, .approve, .reject, .cancel: break
      }
    }
  }

  /// The devices in the area of a day.
  private func devices(in day: MappingDay) -> [IndexedPoint] {
    let box = day.plan.area.box
    let filter = PointFilter(
      boxes: [.degrees(west: box.west, south: box.south, east: box.east, north: box.north)])
    let snapshot = index.snapshot
    return snapshot.rowids(matching: filter).compactMap { row in
      snapshot.point(rowid: UInt32(clamping: row))
    }.filter { point in
      day.plan.area.contains(
        .clamped(
          longitude: point.position.longitudeDegrees, latitude: point.position.latitudeDegrees))
    }
  }

  /// The maximum number of visits for which the end of a day asks.
  private static let maxVisits = 100

  /// The devices that are stale or disputed.
  private static func open(_ devices: [IndexedPoint], on today: Day) -> [IndexedPoint] {
    let disputed = IndexNumber.of(DeviceStatus.disputed)
    return devices.filter { point in
      let isStale = point.dueDay != 0 && point.dueDay <= IndexNumber.of(today)
      return isStale || point.profile.status == disputed
    }
  }

  /// Requests visits to the devices that still need one, except devices that participants worked on.
  private func askForVisits(
    to open: [IndexedPoint], after day: MappingDay, _ connection: borrowing Connection
  ) throws {
    guard !open.isEmpty else { return }
    let done = Set(
      try connection.rows(
        "SELECT DISTINCT device_rowid FROM mapping_day_contribution WHERE day_rowid = ?",
        [.integer(day.rowid)]
      ) { $0.optionalInt(0) ?? 0 })
    let left = open.filter { !done.contains(Int64($0.rowid)) }.prefix(Self.maxVisits)
    _ = try VisitRequests(environment: mails.environment).ask(
      devices: left.map(\.id.text), reason: .mappingDay, by: day.organiser, connection)
  }

  private func queueMails() throws -> Bool {
    guard try database.read({ try $0.integer("SELECT 1 FROM mapping_day_mail LIMIT 1") }) != nil
    else { return false }
    return try write { [mails] in try mails.queueNext($0) }
  }

  private func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) throws -> T
  {
    try writer.write(orIn: database) { [lease] connection in
      try lease.confirm(connection)
      return try body(connection)
    }
  }
}
