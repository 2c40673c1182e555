import Dispatch
import Foundation
internal import Locking
import PrivacyMap
import SpatialDatabase

/// `farol-bench database home`: runs the work of requests without HTTP, for `bench/run`.
///
/// `farol-bench account database` creates an account for measuring writes, in a file or a PostgreSQL database, and
/// prints its token. `farol-bench writes database home` adds devices with bare statements: each line of standard input
/// contains rows per commit and seconds.
///
/// Otherwise each line of standard input is one measurement with three fields separated by spaces: threads, seconds,
/// and a file with one request target per line. The output is one line per measurement: the number of completed
/// requests, and the seconds. The first line, before any measurement, contains the load time of the point index.
@main
struct BenchCommand {
  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch (arguments.first, arguments.count) {
      case ("account", 2): say(try BenchAccount.make(in: arguments[1]))
      case ("writes", 3): try write(to: arguments[1], home: URL(fileURLWithPath: arguments[2]))
      case (_, 2): try serve(database: arguments[0], home: URL(fileURLWithPath: arguments[1]))
      default: throw WrongUse("farol-bench takes a database and a home")
      }
    } catch {
      FileHandle.standardError.write(Data("farol-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func serve(database path: String, home: URL) throws {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    // Requests that the server would interrupt are still measured.
    configuration.queryTimeLimit = .seconds(60)
    let database = try Database(path: path, configuration: configuration)
    let places = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("places.db")
    let started = ContinuousClock.now
    let answers = try BareAnswers(
      database: database, seed: home.appendingPathComponent("seed"), places: places.path)
    say("\((ContinuousClock.now - started) / .seconds(1))")
    while let line = readLine() {
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 3, let threads = Int(parts[0]), (1...64).contains(threads),
        let seconds = Double(parts[1]), (0...600).contains(seconds)
      else { throw WrongUse("a measurement is “threads seconds file”, not “\(line)”") }
      let targets = try String(contentsOfFile: parts[2], encoding: .utf8)
      let works = try targets.split(separator: "\n").map { try answers.work(for: String($0)) }
      guard !works.isEmpty else { throw WrongUse("\(parts[2]) contains no request") }
      let measured = try Measurement(works: works, threads: threads, duration: .seconds(seconds))
      say("\(measured.count) \(measured.elapsed / .seconds(1))")
    }
  }

  private static func write(to path: String, home: URL) throws {
    var configuration = Database.Configuration()
    configuration.startCheckLimit = .none
    let map = home.appendingPathComponent("data/countries.bin")
    let writes = try BareWrites(
      database: Database(path: path, configuration: configuration),
      countries: CountryMap([UInt8](Data(contentsOf: map))))
    while let line = readLine() {
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 2, let rows = Int(parts[0]), (1...1_000).contains(rows),
        let seconds = Double(parts[1]), (0...600).contains(seconds)
      else { throw WrongUse("a measurement is “rows seconds”, not “\(line)”") }
      let started = ContinuousClock.now
      var count = 0
      while ContinuousClock.now - started < .seconds(seconds) {
        try writes.commit(rows: rows)
        count += rows
      }
      say("\(count) \((ContinuousClock.now - started) / .seconds(1))")
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// Invalid usage, with a sentence for the user.
private struct WrongUse: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The number of requests completed, in sequence on each thread.
private struct Measurement {
  let count: Int
  let elapsed: Duration

  init(works: [BareAnswers.Work], threads: Int, duration: Duration) throws {
    let started = ContinuousClock.now
    let end = started + duration
    let outcome = Locked((count: 0, error: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var done = 0
      // Each thread starts at a different place, so that threads do not run the same request at the
      // same time.
      var next = thread * works.count / threads
      do {
        while ContinuousClock.now < end {
          _ = try works[next]()
          next = next + 1 == works.count ? 0 : next + 1
          done += 1
        }
        outcome.withLock { $0.count += done }
      } catch {
        outcome.withLock { $0.error = error }
      }
    }
    elapsed = ContinuousClock.now - started
    let (count, error) = outcome.withLock { $0 }
    if let error { throw error }
    self.count = count
  }
}
