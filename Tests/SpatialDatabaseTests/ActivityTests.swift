import Foundation
import Metrics
import Testing

@testable import SpatialDatabase

/// The database counts its transactions, reads and file sizes.
@Suite struct ActivityTests {
  @Test func `write transactions are counted with their duration`() throws {
    let test = try TestDatabase()
    let activity = test.database.activity
    let before = activity.commits.reading.count
    try test.addPlace("one")
    try test.database.write { _ in Thread.sleep(forTimeInterval: 0.03) }
    let reading = activity.commits.reading
    #expect(reading.count == before + 2)
    #expect(try #require(reading.buckets.first { $0.bound == 0.025 }).count < reading.count)
  }

  @Test func `a write that violates a constraint is not counted as a failure`() throws {
    let test = try TestDatabase()
    try test.addPlace("one")
    #expect(fault { try test.addPlace("one") }?.kind == .constraint(.unique))
    #expect(WriteFailure.allCases.allSatisfy { test.database.activity.failedWrites.value($0) == 0 })
  }

  @Test func `a write to a moved database file is counted as misplaced`() throws {
    let test = try TestDatabase()
    try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".away")
    #expect(fault { try test.addPlace("one") }?.kind == .misplaced)
    #expect(test.database.activity.failedWrites.value(.misplaced) == 1)
    try FileManager.default.moveItem(atPath: test.path + ".away", toPath: test.path)
    try test.addPlace("one")
    #expect(test.database.activity.failedWrites.value(.misplaced) == 1)
  }

  @Test func `grouped writes are counted together, with their waiting time`() throws {
    let test = try TestDatabase()
    let writer = GroupedWriter(database: test.database)
    let activity = test.database.activity
    let answered = DispatchSemaphore(value: 0)
    for _ in 0..<50 {
      writer.write({ _ in Thread.sleep(forTimeInterval: 0.001) }) { _ in answered.signal() }
    }
    for _ in 0..<50 { answered.wait() }
    #expect(writer.waitingCount == 0)
    #expect(activity.groupSize.reading.sum == 50)
    #expect(activity.writeWait.reading.count == 50)
    #expect(activity.groupSize.reading.count < 50)
    writer.stop()
    writer.write({ _ in }) { _ in answered.signal() }
    answered.wait()
    #expect(activity.failedWrites.value(.closed) == 1)
  }

  @Test func `a read that waits for a connection is counted, also when it times out`() throws {
    var configuration = Database.Configuration()
    configuration.readers = 1
    configuration.busyTimeout = .milliseconds(50)
    let test = try TestDatabase(configuration: configuration)
    #expect(test.database.readersInUse.busy == 0)
    try test.database.read { _ in
      #expect(test.database.readersInUse.busy == 1)
      #expect(test.database.readersInUse.all == 1)
      #expect(fault { try test.database.read { _ in } }?.kind == .busy)
    }
    #expect(test.database.activity.refusedReads.value == 1)
    #expect(test.database.activity.readerWait.reading.count == 1)
    try test.database.read { _ in }
    #expect(test.database.activity.readerWait.reading.count == 1)
    #expect(test.database.readersInUse.busy == 0)
  }

  @Test func `a read that exceeds its time limit is counted`() throws {
    let test = try TestDatabase()
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    let found = fault {
      try test.database.read(limit: .after(.milliseconds(50))) { _ = try $0.integer(endless) }
    }
    #expect(found?.kind == .interrupted)
    #expect(test.database.activity.interruptedReads.value == 1)
  }

  @Test func `the sizes of the file and of its log are those on the disk`() throws {
    let test = try TestDatabase()
    try test.addPlace("one")
    let sizes = test.database.fileSizes
    #expect(sizes.database == FileFormat.size(test.path))
    #expect(sizes.log > 0)
    try test.database.checkpoint(truncate: true)
    #expect(test.database.fileSizes.log == 0)
  }
}
