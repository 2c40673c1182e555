/// How long one of several transactions goes on: long work is divided into as many as it takes, and
/// others write in between.
///
/// A turn is over well before the 50 ms that a request may hold the writer, as the item under way then is
/// still carried out.
package struct WriterTurn {
  private let end = ContinuousClock.now + .milliseconds(15)

  package init() {}

  package var isOver: Bool { ContinuousClock.now >= end }
}

extension Database {
  /// Carries out `body` for one item after the other, in transactions that each last a turn.
  ///
  /// - Parameters:
  ///   - items: what there is to do.
  ///   - body: does one of them.
  /// - Throws: what `body` throws, and ``DatabaseFault``; what was done in transactions before stays.
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
