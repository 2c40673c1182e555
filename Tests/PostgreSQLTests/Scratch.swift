import Foundation
import Glibc
import Locking
import PostgreSQL
import TestPostgreSQL

/// A new, empty database on the server that the tests share.
struct Scratch: Sendable {
  /// One for all tests that only need temporary tables.
  static let shared = Result { try Scratch() }

  let server: TestPostgreSQL
  let url: String
  let address: ServerAddress

  init(on server: TestPostgreSQL? = nil) throws {
    self.server = try server ?? TestPostgreSQL.shared.get()
    url = try self.server.newDatabase()
    address = try ServerAddress(url: url)
  }

  func connect() throws -> ServerConnection { try ServerConnection(address, limits: .quick) }

  func pool(size: Int, timeout: Duration = .seconds(20)) -> ConnectionPool {
    ConnectionPool(address, size: size, timeout: timeout, limits: .quick)
  }

  /// Ends the connections that run a query or transaction now, except its own. Returns their number.
  func terminateOthers(where condition: String = "TRUE") throws -> Int64? {
    try connect().first(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND \(condition)
      """
    ) { $0.int(0) }
  }
}

extension ConnectionLimits {
  /// So that tests of timeouts are short.
  static var quick: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.connect = .seconds(20)
    limits.lock = .seconds(20)
    return limits
  }
}

extension ServerConnection {
  /// The first value of the first row.
  func value(_ sql: String, _ values: BoundValue...) throws -> BoundValue? {
    try first(sql, values) { $0.value(0) }
  }
}

/// The fault that `body` throws, or nil.
func fault(_ body: () throws -> Void) -> ServerFault? {
  do {
    try body()
    return nil
  } catch {
    return error as? ServerFault
  }
}

/// Repeats a look every 10 ms until it finds something, for at most 20 s.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(20)
  while ContinuousClock.now < end {
    if try condition() { return true }
    usleep(10_000)
  }
  return false
}

/// Work on a separate thread, which starts at once: the threads of Swift's tasks may all be blocked by tests.
final class Running<Result: Sendable>: Sendable {
  private let results = Monitor<[Result]>([])

  init(_ body: @escaping @Sendable () -> Result) {
    let results = results
    Thread {
      let result = body()
      results.withLock { $0.append(result) }
    }.start()
  }

  /// The result, after the end of the work. Nil after a minute.
  var result: Result? {
    results.wait(until: { !$0.isEmpty }, orUntil: .now + .seconds(60)) { $0.first }
  }
}
