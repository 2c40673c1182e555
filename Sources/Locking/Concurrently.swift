internal import Dispatch

package enum Concurrently {
  /// Calls `body` for all parts on several threads and returns the results in the order of the parts.
  ///
  /// - Throws: the first error of `body`, after all calls have ended.
  package static func map<Part: Sendable, Result: Sendable>(
    _ parts: [Part], _ body: @Sendable (Part) throws -> Result
  ) throws -> [Result] {
    let results = Locked([Swift.Result<Result, any Error>?](repeating: nil, count: parts.count))
    DispatchQueue.concurrentPerform(iterations: parts.count) { place in
      let result = Swift.Result { try body(parts[place]) }
      results.withLock { $0[place] = result }
    }
    return try results.withLock { try $0.compactMap { try $0?.get() } }
  }
}
