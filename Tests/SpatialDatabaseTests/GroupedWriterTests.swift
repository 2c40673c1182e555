import Foundation
import Locking
import Testing

@testable import SpatialDatabase

@Suite struct GroupedWriterTests {
  /// The results of writes, in the order of the responses.
  private final class Answers: Sendable {
    private let kept = Locked<[(name: String, isKept: Bool)]>([])
    private let count = DispatchSemaphore(value: 0)

    func note(_ name: String, _ result: Result<Void, any Error>) {
      kept.withLock { kept in
        if case .success = result { kept.append((name, true)) } else { kept.append((name, false)) }
      }
      count.signal()
    }

    func wait(for number: Int) -> [String: Bool] {
      for _ in 0..<number { count.wait() }
      return Dictionary(kept.withLock { $0 }.map { ($0.name, $0.isKept) }) { first, _ in first }
    }
  }

  private struct Mistake: Error {}

  private func writer(
    _ database: Database, follow: @escaping GroupedWriter.Follow = { _ in {} }
  ) throws -> GroupedWriter {
    try database.write { try $0.execute("CREATE TABLE note (text TEXT UNIQUE)") }
    return GroupedWriter(database: database, follow: follow)
  }

  /// Its thread always occupies a processor, whatever other tests do.
  private func busyWriter(_ database: Database) -> GroupedWriter {
    let start = ContinuousClock.now
    return GroupedWriter(database: database, processorTime: { .now - start })
  }

  private func texts(_ database: Database) throws -> [String] {
    try database.read { try $0.rows("SELECT text FROM note ORDER BY rowid") { $0.text(0) } }
  }

  @Test func `writes are committed in the order of arrival`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for number in 0..<300 {
      writer.write({
        try $0.execute("INSERT INTO note VALUES (?)", [.text("\(number)")])
      }) { answers.note("\(number)", $0) }
    }
    let answered = answers.wait(for: 300)
    #expect(answered.values.allSatisfy { $0 })
    #expect(try texts(test.database) == (0..<300).map { "\($0)" })
    writer.stop()
  }

  @Test func `a write that throws is rolled back alone`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for name in ["a", "b", "c"] {
      writer.write({ connection in
        try connection.execute("INSERT INTO note VALUES (?)", [.text(name)])
        if name == "b" { throw Mistake() }
      }) { answers.note(name, $0) }
    }
    #expect(answers.wait(for: 3) == ["a": true, "b": false, "c": true])
    #expect(try texts(test.database) == ["a", "c"])
    writer.stop()
  }

  @Test func `a write that throws alone in its transaction leaves no data`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for name in ["a", "b", "c"] {
      writer.write({ connection in
        try connection.execute("INSERT INTO note VALUES (?)", [.text(name)])
        if name != "c" { throw Mistake() }
      }) { answers.note(name, $0) }
      // One by one: the next write comes after the response to the previous one.
      #expect(answers.wait(for: 1)[name] == (name == "c"))
    }
    #expect(try texts(test.database) == ["c"])
    writer.stop()
  }

  @Test func `the follower sees the whole transaction and runs again after its commit`() throws {
    let test = try TestDatabase()
    let database = test.database
    let seen = Locked<[(inside: Int64, kept: Int64)]>([])
    let count: @Sendable (Connection) throws -> Int64 = {
      try $0.integer("SELECT count(*) FROM note") ?? 0
    }
    let writer = try writer(database) { connection in
      let inside = try count(connection)
      return {
        let kept = (try? database.read(count)) ?? -1
        seen.withLock { $0.append((inside, kept)) }
      }
    }
    let answers = Answers()
    for name in ["a", "b"] {
      writer.write({ try $0.execute("INSERT INTO note VALUES (?)", [.text(name)]) }) {
        answers.note(name, $0)
      }
      _ = answers.wait(for: 1)
    }
    #expect(seen.withLock { $0.map(\.inside) } == [1, 2])
    #expect(seen.withLock { $0.map(\.kept) } == [1, 2])
    writer.stop()
  }

  @Test func `a transaction is rolled back when its follower throws`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database) { _ in throw Mistake() }
    let answers = Answers()
    writer.write({ try $0.execute("INSERT INTO note VALUES ('a')") }) { answers.note("a", $0) }
    #expect(answers.wait(for: 1) == ["a": false])
    #expect(try texts(test.database).isEmpty)
    writer.stop()
  }

  @Test func `every response follows the commit of its write`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let database = test.database
    let seen = Locked<[Int]>([])
    let all = DispatchSemaphore(value: 0)
    for number in 0..<50 {
      writer.write({
        try $0.execute("INSERT INTO note VALUES (?)", [.text("\(number)")])
      }) { _ in
        let found =
          (try? database.read { connection in
            try connection.integer("SELECT count(*) FROM note WHERE text = ?", [.text("\(number)")])
          }) ?? 0
        seen.withLock { $0.append(Int(found)) }
        all.signal()
      }
    }
    for _ in 0..<50 { all.wait() }
    #expect(seen.withLock { $0 } == [Int](repeating: 1, count: 50))
    writer.stop()
  }

  @Test func `stopping executes waiting writes and refuses later ones`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for number in 0..<200 {
      writer.write({
        try $0.execute("INSERT INTO note VALUES (?)", [.text("\(number)")])
      }) { answers.note("\(number)", $0) }
    }
    writer.stop()
    writer.write({ try $0.execute("INSERT INTO note VALUES ('late')") }) {
      answers.note("late", $0)
    }
    let answered = answers.wait(for: 201)
    #expect(answered["late"] == false)
    #expect(try texts(test.database).count == 200)
  }

  @Test func `writes are refused when no transaction can begin`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    try test.database.close()
    let answers = Answers()
    writer.write({ try $0.execute("INSERT INTO note VALUES ('a')") }) { answers.note("a", $0) }
    #expect(answers.wait(for: 1) == ["a": false])
    writer.stop()
  }

  @Test func `a background write joins the transaction of the next request`() throws {
    let test = try TestDatabase()
    let transactions = Locked(0)
    let writer = try writer(test.database) { _ in
      transactions.withLock { $0 += 1 }
      return {}
    }
    let answers = Answers()
    // On a busy machine, this thread may rest for longer than the background write waits.
    let isJoined = (0..<20).contains { number in
      func insert(_ name: String, _ urgency: GroupedWriter.Urgency) {
        writer.write(
          { try $0.execute("INSERT INTO note VALUES (?)", [.text("\(name) \(number)")]) },
          urgency: urgency
        ) { answers.note("\(name) \(number)", $0) }
      }
      insert("first", .request)
      _ = answers.wait(for: 1)
      let before = transactions.withLock { $0 }
      insert("background", .background)
      insert("second", .request)
      _ = answers.wait(for: 2)
      return transactions.withLock { $0 } == before + 1
    }
    #expect(isJoined)
    #expect(try texts(test.database).suffix(2).map { $0.prefix(6) } == ["second", "backgr"])
    writer.stop()
  }

  @Test func `a background write waits for no further request`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for urgency in [GroupedWriter.Urgency.background, .request, .background] {
      writer.write({ try $0.execute("INSERT INTO note VALUES (NULL)") }, urgency: urgency) {
        answers.note("\(urgency)", $0)
      }
      _ = answers.wait(for: 1)
    }
    #expect(try test.database.read { try $0.integer("SELECT count(*) FROM note") } == 3)
    writer.stop()
  }

  @Test func `queued background writes run before the writer stops`() throws {
    let test = try TestDatabase()
    let writer = try writer(test.database)
    let answers = Answers()
    for (name, urgency) in [("a", GroupedWriter.Urgency.request), ("b", .background)] {
      writer.write(
        { try $0.execute("INSERT INTO note VALUES (?)", [.text(name)]) }, urgency: urgency
      ) {
        answers.note(name, $0)
      }
    }
    writer.stop()
    #expect(answers.wait(for: 2) == ["a": true, "b": true])
  }

  /// Writes again whenever a write has ended, while `goesOn` returns true.
  private func repeatWrites(
    _ writer: GroupedWriter, _ urgency: GroupedWriter.Urgency,
    while goesOn: @escaping @Sendable () -> Bool, _ ended: DispatchSemaphore
  ) {
    writer.write({ try $0.execute("SELECT 1") }, urgency: urgency) { _ in
      guard goesOn() else { return _ = ended.signal() }
      repeatWrites(writer, urgency, while: goesOn, ended)
    }
  }

  @Test func `the writer is saturated while requests write without a pause`() throws {
    let test = try TestDatabase()
    let writer = busyWriter(test.database)
    let ended = DispatchSemaphore(value: 0)
    #expect(!writer.isSaturated)
    let end = ContinuousClock.now + .seconds(60)
    // Asked during the last write, because it ends with it.
    let wasSaturated = Locked(false)
    repeatWrites(
      writer, .request,
      while: {
        wasSaturated.withLock { $0 = writer.isSaturated }
        return .now < end && !writer.isSaturated
      }, ended)
    ended.wait()
    #expect(wasSaturated.withLock { $0 })
    // The writer looks for the next write after the last response.
    let limit = ContinuousClock.now + .seconds(10)
    while writer.isSaturated, .now < limit { Thread.sleep(forTimeInterval: 0.01) }
    #expect(!writer.isSaturated)
    writer.stop()
  }

  @Test func `background work does not saturate the writer`() throws {
    let test = try TestDatabase()
    let writer = busyWriter(test.database)
    let ended = DispatchSemaphore(value: 0)
    let end = ContinuousClock.now + Saturation.window * 3
    let wasSaturated = Locked(false)
    repeatWrites(
      writer, .background,
      while: {
        if writer.isSaturated { wasSaturated.withLock { $0 = true } }
        return .now < end
      }, ended)
    ended.wait()
    #expect(!wasSaturated.withLock { $0 })
    writer.stop()
  }

  @Test func `background work in the transactions of requests does not saturate the writer`() throws
  {
    let test = try TestDatabase()
    let used = Locked(Duration.zero)
    let writer = GroupedWriter(
      database: test.database, processorTime: { used.withLock { $0 } })
    let (ended, backgroundEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = ContinuousClock.now + Saturation.window * 3
    let wasSaturated = Locked(false)
    let hasWritten = Locked(false)
    repeatWrites(
      writer, .request,
      while: {
        if writer.isSaturated { wasSaturated.withLock { $0 = true } }
        return .now < end
      }, ended)
    writer.write(
      { _ in
        used.withLock { $0 += .seconds(1) }
        hasWritten.withLock { $0 = true }
      }, urgency: .background
    ) { _ in backgroundEnded.signal() }
    backgroundEnded.wait()
    ended.wait()
    #expect(hasWritten.withLock { $0 })
    #expect(!wasSaturated.withLock { $0 })
    writer.stop()
  }
}
