/// The time limit of one transaction in a series: long work is split into several transactions, so that other writes
/// can run in between.
///
/// A turn ends well before the 50 ms that a request may hold the writer, because the current item is still completed
/// after its end.
package struct WriterTurn {
  private let end = ContinuousClock.now + .milliseconds(15)

  package init() {}

  package var isOver: Bool { ContinuousClock.now >= end }
}

extension Database {
  /// Runs `body` for each item in sequence, in transactions that each last one turn.
  ///
  /// - Parameters:
  ///   - items: the items to process.
  ///   - body: processes one item.
  /// - Throws: errors from `body`, and ``DatabaseFault``. Earlier transactions stay committed.
  package func writeInTurns<Item>(
    _ items: [Item], _ body: (Item, Connection) throws -> Void
  ) throws {
    var done = 0
    while done < items.count {
      done = try write { connection in
        let turn = WriterTurn()
        var place = done
        repeat {
          try body(items[place], connection)
          place += 1
        } while place < items.count && !turn.isOver
        return place
      }
    }
  }
}
