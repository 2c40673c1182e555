internal import Locking
package import SpatialDatabase

extension GroupedWriter {
  /// Runs `body` in a transaction together with writes of requests, and waits until it is committed. Background work
  /// uses it, so that it causes no disk sync for which requests wait. After ``stop()``, `body` runs in a separate
  /// transaction in `database`.
  package func write<T: Sendable>(
    orIn database: Database, _ body: @escaping @Sendable (Connection) throws -> T
  ) throws -> T {
    let ended = Monitor<Result<T, any Error>?>(nil)
    write(body, urgency: .background) { result in ended.withLock { $0 = result } }
    switch ended.wait(until: { $0 != nil }, { $0 }) {
    case .success(let value): return value
    case .failure(let error) where (error as? DatabaseFault)?.kind != .closed: throw error
    case .failure, nil: return try database.write(body)
    }
  }
}
