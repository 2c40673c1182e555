import Foundation
internal import Locking
package import SpatialDatabase

/// A bounded queue between a thread that produces portions of a sequence and one that consumes them. Memory does not
/// grow with the sequence.
package final class Handover<Portion: Sendable>: Sendable {
  private struct State {
    var waiting: [Portion] = []
    /// The result of the producer; nil while it runs.
    var ended: Result<Void, any Error>?
    var isWanted = true
  }

  /// Ends the producer after ``cancel()``.
  private struct Unwanted: Error {}

  private let state = Monitor(State())
  /// The number of portions that may wait.
  private let room: Int

  /// Starts the producer in a thread with this name. `make` passes each portion to its argument, which waits while the
  /// queue is full.
  package init(
    _ name: String, room: Int = 4,
    _ make: @escaping @Sendable (_ hand: (Portion) throws -> Void) throws -> Void
  ) {
    self.room = room
    NamedThread.start(name) { [self] in
      let result = Result { try make(hand) }
      state.withLock { $0.ended = result }
    }
  }

  private func hand(_ portion: Portion) throws {
    try state.wait(until: { [room] in $0.waiting.count < room || !$0.isWanted }) { state in
      guard state.isWanted else { throw Unwanted() }
      state.waiting.append(portion)
    }
  }

  /// The next portion, or nil at the end.
  ///
  /// - Throws: the error of the producer, after its portions.
  package func next() throws -> Portion? {
    try state.wait(until: { !$0.waiting.isEmpty || $0.ended != nil }) { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      try state.ended?.get()
      return nil
    }
  }

  /// Ends the producer at its next portion. Call it when no further portions are needed.
  package func cancel() {
    state.withLock { state in
      state.isWanted = false
      state.waiting.removeAll()
    }
  }
}

extension Handover where Portion == [[SQLValue]] {
  /// Reads all rows of a view, some hundred at a time.
  package convenience init(
    _ columns: [String], of view: String, orderedBy order: String, from database: Database
  ) {
    self.init(view) { hand in
      try database.read(limit: .none) { connection in
        let origin = try Self.query(of: view, connection)
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(origin) ORDER BY \(order)"
        var portion: Portion = []
        try connection.forEach(sql) { row in
          portion.append(columns.indices.map { row.value($0) })
          guard portion.count == 500 else { return }
          try hand(portion)
          portion.removeAll(keepingCapacity: true)
        }
        try hand(portion)
      }
    }
  }

  /// The query of a view in parentheses, because a SQLite reader may not call JSON functions in a view.
  private static func query(
    of view: String, _ connection: borrowing Connection
  ) throws -> String {
    let head = "CREATE VIEW \(view) AS"
    guard let definition = try connection.definition(of: "view", view),
      definition.hasPrefix(head)
    else { return view }
    return "(\(definition.dropFirst(head.count)))"
  }
}
