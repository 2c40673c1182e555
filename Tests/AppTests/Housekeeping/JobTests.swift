import Locking
import Logging
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

@Suite struct JobTests {
  let app: TestApp
  let done = DoneWork()

  init() throws { app = try TestApp() }

  /// The jobs that ran, and whether the job is to fail.
  final class DoneWork: Sendable {
    private let kept = Locked<[String]>([])
    private let failing = Locked(false)
    struct Failure: Error {}

    var payloads: [String] { kept.withLock { $0 } }
    func fail(_ fails: Bool) { failing.withLock { $0 = fails } }

    func run(_ payload: String) throws {
      kept.withLock { $0.append(payload) }
      if failing.withLock({ $0 }) { throw Failure() }
    }
  }

  private var runner: JobRunner {
    let done = done
    return JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { try done.run($0) }])
  }

  private func schedule(
    _ payload: String, kind: String = "note", key: String? = nil, in seconds: Int64 = 0
  ) throws {
    let due = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + seconds)
    try app.database.write { connection in
      try JobRunner.schedule(kind, payload: payload, key: key, due: due, connection)
    }
  }

  @Test func `a job runs when it is due and not before, the oldest first`() throws {
    try schedule("late", in: 60)
    try schedule("now")
    try schedule("second")
    while try runner.runOne() {}
    #expect(done.payloads == ["now", "second"])
    app.clock.advance(by: .seconds(59))
    #expect(try !runner.runOne())
    app.clock.advance(by: .seconds(1))
    #expect(try runner.runOne())
    #expect(done.payloads == ["now", "second", "late"])
    #expect(try app.integer("SELECT count(*) FROM job") == 0)
  }

  @Test func `the same key is scheduled once, and again after it ran`() throws {
    try schedule("a", key: "daily")
    try schedule("b", key: "daily")
    while try runner.runOne() {}
    #expect(done.payloads == ["a"])
    try schedule("c", key: "daily")
    #expect(try runner.runOne())
    #expect(done.payloads == ["a", "c"])
  }

  @Test func `a failed job is retried after increasing pauses, then abandoned`() throws {
    done.fail(true)
    try schedule("x")
    var waits: [Int64] = []
    for _ in 0..<20 {
      let before = app.clock.now.secondsSinceEpoch
      guard try runner.runOne() else { break }
      guard
        let due = try app.text("SELECT due_at FROM job WHERE failed_at IS NULL")
          .flatMap({ Timestamp(text: $0) })
      else { break }
      waits.append((due.secondsSinceEpoch - before) / 60)
      app.clock.advance(by: .seconds(due.secondsSinceEpoch - before - 1))
      #expect(try !runner.runOne())
      app.clock.advance(by: .seconds(1))
    }
    #expect(waits == [1, 4, 16, 64, 256, 1_024, 1_440])
    #expect(done.payloads.count == 8)
    #expect(try app.integer("SELECT count(*) FROM job WHERE failed_at IS NOT NULL") == 1)
    #expect(try app.text("SELECT last_error FROM job")?.isEmpty == false)
    app.clock.advance(by: .seconds(86_400 * 30))
    #expect(try !runner.runOne())
  }

  @Test func `a job that a stop interrupts is due at once and counts as neither tried nor failed`()
    throws
  {
    try schedule("x")
    let figures = JobFigures()
    let stopping = Stopping()
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: [
        "note": { _ in
          try stopping.confirmGoingOn()
          stopping.begin()
          try stopping.confirmGoingOn()
        }
      ], figures: figures, stopping: stopping)
    runner.start()
    for _ in 0..<200 where !stopping.hasBegun { Pause.shortly() }
    runner.stop()
    #expect(
      try app.database.read {
        try $0.rows("SELECT due_at, leased_until, attempts, last_error FROM job") { row in
          (0...3).map(row.optionalText)
        }
      } == [[app.clock.now.text, nil, "0", nil]])
    #expect(figures.all.map(\.value.failed) == [0])
  }

  @Test func `a job of a terminated program runs again after its lease`() throws {
    try schedule("x")
    try app.database.write { connection in
      try connection.execute(
        "UPDATE job SET attempts = 1, leased_until = ?",
        [.text(Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 600).text)])
    }
    app.clock.advance(by: .seconds(599))
    #expect(try !runner.runOne())
    app.clock.advance(by: .seconds(1))
    #expect(try runner.runOne())
    #expect(done.payloads == ["x"])
  }

  @Test(
    .onlySQLite("on PostgreSQL another server may be running the job"),
    arguments: [(3, true), (4, false)], [["note"], []])
  func `a job that was interrupted runs again at the next start, but not often`(
    _ chosen: (attempts: Int, isResumed: Bool), apart: [String]
  ) throws {
    let (attempts, isResumed) = chosen
    try schedule("x")
    let until = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 600).text
    try app.database.write {
      try $0.execute(
        "UPDATE job SET attempts = ?, leased_until = ?", [SQLValue(attempts), .text(until)])
    }
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }], apart: apart)
    runner.start()
    for _ in 0..<(isResumed ? 200 : 10) where done.payloads.isEmpty { Pause.shortly() }
    runner.stop()
    #expect(done.payloads == (isResumed ? ["x"] : []))
  }

  @Test(.onlyPostgreSQL("has several servers"))
  func `a job that another server may be running waits for its lease at a start`() throws {
    try schedule("x")
    let until = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 600).text
    try app.database.write {
      try $0.execute("UPDATE job SET attempts = 1, leased_until = ?", [.text(until)])
    }
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }], apart: ["note"])
    runner.start()
    defer { runner.stop() }
    for _ in 0..<10 { Pause.shortly() }
    #expect(done.payloads == [])
    app.clock.advance(by: .seconds(600))
    for _ in 0..<200 where done.payloads.isEmpty { Pause.shortly() }
    #expect(done.payloads == ["x"])
  }

  @Test(.onlyPostgreSQL("has several servers"), arguments: [false, true])
  func `another server takes a short job of a killed one soon`(apart: Bool) throws {
    func runner(_ work: @escaping JobRunner.Work) -> JobRunner {
      JobRunner(
        database: app.database, environment: app.environment,
        logger: Logger(label: "test") { [log = app.log] _ in log }, works: ["note": work],
        apart: apart ? ["note"] : [])
    }
    try schedule("x")
    let second = runner(done.run)
    let first = runner { [app, done] _ in
      #expect(try !second.runOne())
      // The server is killed, and nobody renews.
      try app.database.write { try $0.execute("UPDATE lease SET ends_at = 0") }
      _ = try second.runOne()
      #expect(done.payloads == (apart ? [] : ["x"]))
    }
    #expect(try first.runOne())
    #expect(try app.integer("SELECT count(*) FROM job") == 0)
    #expect(try app.integer("SELECT count(*) FROM lease WHERE work LIKE 'job %'") == 0)
  }

  @Test func `a job that is scheduled again while it runs runs once more`() throws {
    try schedule("first", key: "a")
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: [
        "note": { [self] payload in
          try done.run(payload)
          if payload == "first" { try schedule("second", key: "a") }
        }
      ])
    while try runner.runOne() {}
    #expect(done.payloads == ["first", "second"])
    #expect(try app.integer("SELECT count(*) FROM job") == 0)
  }

  @Test func `a key whose job was given up is scheduled again`() throws {
    try schedule("first", key: "a")
    done.fail(true)
    for _ in 1...8 {
      #expect(try runner.runOne())
      app.clock.advance(by: .seconds(86_400))
    }
    #expect(try !runner.runOne())
    done.fail(false)
    try schedule("second", key: "a")
    #expect(try runner.runOne())
    #expect(done.payloads.suffix(2) == ["first", "second"])
    #expect(try app.integer("SELECT count(*) FROM job") == 0)
  }

  @Test func `work of every minute goes on soon after a long fault`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }], repeated: ["note": .seconds(60)])
    try runner.scheduleRepeated()
    done.fail(true)
    for _ in 1...10 {
      #expect(try runner.runOne())
      app.clock.advance(by: .seconds(300))
    }
    #expect(try runner.runOne())
  }

  @Test func `the end of a job is recorded with what cleans up after it`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }],
      cleanups: [
        "note": { payload, connection in
          let job = try connection.text("SELECT payload FROM job")
          #expect(job == payload)
          throw DoneWork.Failure()
        }
      ])
    try schedule("x")
    #expect(throws: DoneWork.Failure.self) { try runner.runOne() }
    #expect(try app.integer("SELECT count(*) FROM job WHERE leased_until IS NOT NULL") == 1)
  }

  @Test func `an unknown job is kept, with the reason`() throws {
    try schedule("x", kind: "unheard of")
    #expect(try runner.runOne())
    #expect(try app.text("SELECT last_error FROM job")?.contains("unheard of") == true)
    #expect(app.log.lines.count == 1)
  }

  @Test func `a job scheduled in a failed transaction does not exist`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try app.database.write { connection in
        try JobRunner.schedule("note", due: app.clock.now, connection)
        throw Stop()
      }
    }
    #expect(try !runner.runOne())
  }

  @Test func `the runner works on a separate thread and stops on request`() throws {
    try schedule("x")
    let runner = runner
    runner.start()
    for _ in 0..<200 where done.payloads.isEmpty { Pause.shortly() }
    runner.stop()
    #expect(done.payloads == ["x"])
  }

  @Test func `a repeated job exists once, runs again after its pause, and is kept`()
    throws
  {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }], repeated: ["note": .seconds(3_600)])
    for _ in 1...2 { try runner.scheduleRepeated() }
    #expect(try runner.runOne())
    #expect(try !runner.runOne())
    app.clock.advance(by: .seconds(3_599))
    #expect(try !runner.runOne())
    app.clock.advance(by: .seconds(1))
    done.fail(true)
    for _ in 1...10 {
      #expect(try runner.runOne())
      app.clock.advance(by: .seconds(86_400))
    }
    done.fail(false)
    #expect(try runner.runOne())
    #expect(done.payloads.count == 12)
    let attempts = try app.database.read { try $0.integer("SELECT attempts FROM job") }
    #expect(attempts == 0)
  }

  @Test func `housekeeping continues when the clock is set back by a year`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: ["note": { [done] in try done.run($0) }], repeated: ["note": .seconds(3_600)])
    app.clock.advance(by: .seconds(365 * 86_400))
    try runner.scheduleRepeated()
    #expect(try runner.runOne())
    app.clock.advance(by: .seconds(-365 * 86_400))
    #expect(try !runner.runOne())
    // As the runner does when it detects that the clock went back.
    try runner.scheduleRepeated()
    #expect(try runner.runOne())
    #expect(done.payloads.count == 2)
  }

  @Test func `a job leased by a clock that was ahead runs again`() throws {
    try schedule("x")
    let until = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 86_400 * 365)
    try app.database.write {
      try $0.execute("UPDATE job SET leased_until = ?", [.text(until.text)])
    }
    #expect(try !runner.runOne())
    try runner.scheduleRepeated()
    #expect(try runner.runOne())
    #expect(done.payloads == ["x"])
  }
}
