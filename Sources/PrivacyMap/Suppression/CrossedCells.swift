/// Figures about the same people along two sides, operators and categories: what is published, and
/// what may be published next.
///
/// A person stands in any number of cells of either side. Whoever knows which operators run devices of
/// which categories could subtract figures of one side from one of the other; between those that are
/// published there is nobody, or enough people.
package struct CrossedCells<Key: Hashable & Comparable & Sendable, Standing: Equatable & Sendable>:
  Sendable
{
  package typealias People = [Int64: Standing]
  package typealias Cells = [Key: PublishedCell<Standing>]

  /// Operators.
  package var rows: Cells
  /// Categories.
  package var columns: Cells

  package init(rows: Cells = [:], columns: Cells = [:]) {
    self.rows = rows
    self.columns = columns
  }

  /// What is published next, where people stand as in `rows` and `columns` today.
  ///
  /// A cell that is not renewed stays as it is. Rows come first: a column leaves out the people who
  /// could be told by subtracting rows from it. What would be unsafe together is taken back, newest
  /// columns first, until what remains is safe.
  package func renewed(rows: [Key: People], columns: [Key: People]) -> CrossedCells {
    var newRows = Self.due(rows, self.rows)
    var newColumns = Set(columns.keys).union(self.columns.keys)
    while true {
      let next = combined(rows: rows, columns: columns, newRows, newColumns)
      let unsafe = next.unsafePairs()
      let badColumns = newColumns.intersection(unsafe.map(\.column))
      if !badColumns.isEmpty {
        newColumns.subtract(badColumns)
        continue
      }
      let badRows = newRows.intersection(unsafe.map(\.row))
      // Where nothing new takes part, it stands as it was published.
      if badRows.isEmpty { return next }
      newRows.subtract(badRows)
    }
  }

  /// The cells whose figures may be made anew, or for the first time.
  private static func due(_ current: [Key: People], _ published: Cells) -> Set<Key> {
    Set(current.keys).union(published.keys).filter { key in
      let people = current[key] ?? [:]
      guard let before = published[key] else { return people.count >= Suppression.minimum }
      return before.isRenewed(by: people)
    }
  }

  private func combined(
    rows: [Key: People], columns: [Key: People], _ newRows: Set<Key>, _ newColumns: Set<Key>
  ) -> CrossedCells {
    var next = CrossedCells(rows: self.rows, columns: self.columns)
    for key in newRows { next.rows[key] = Self.cell(rows[key] ?? [:]) }
    let signatures = Self.signatures(next.rows)
    let tellable = columns.mapValues { Self.tellable($0, by: signatures) }
    // Who is left out now and was published before has not gone.
    let remaining = columns.reduce(into: tellable) { remaining, column in
      let before = self.columns[column.key]?.members ?? [:]
      let stayed = column.value.filter { before[$0.key] != nil }
      remaining[column.key, default: [:]].merge(stayed) { $1 }
    }
    let due = Self.due(tellable, self.columns).intersection(Self.due(remaining, self.columns))
    for key in due.intersection(newColumns) {
      next.columns[key] = Self.cell(tellable[key] ?? [:])
    }
    return next
  }

  private static func cell(_ people: People) -> PublishedCell<Standing>? {
    people.count >= Suppression.minimum ? PublishedCell(members: people, isNew: true) : nil
  }

  /// For each person, the cells that they stand in.
  private static func signatures(_ cells: Cells) -> [Int64: [Key]] {
    var signatures: [Int64: [Key]] = [:]
    for key in cells.keys.sorted() {
      for person in (cells[key]?.members ?? [:]).keys {
        signatures[person, default: []].append(key)
      }
    }
    return signatures
  }

  /// The people by the cells of the other side that they stand in.
  private static func atoms(
    _ people: People, by signatures: [Int64: [Key]]
  ) -> [[Key]: Int] {
    var atoms: [[Key]: Int] = [:]
    for person in people.keys { atoms[signatures[person] ?? [], default: 0] += 1 }
    return atoms
  }

  /// The people of a cell who may be told: all, where enough of them stand in none of the other side;
  /// else those alone whose company there is large enough.
  private static func tellable(_ people: People, by signatures: [Int64: [Key]]) -> People {
    let atoms = atoms(people, by: signatures)
    if isSafe(atoms) { return people }
    return people.filter { person, _ in
      let signature = signatures[person] ?? []
      return !signature.isEmpty && atoms[signature, default: 0] >= Suppression.minimum
    }
  }

  /// Whether what is left of a cell when any cells of the other side are taken from it is nobody, or
  /// enough people.
  private static func isSafe(_ atoms: [[Key]: Int]) -> Bool {
    let others = atoms[[], default: 0]
    if others >= Suppression.minimum { return true }
    return others == 0 && atoms.values.allSatisfy { $0 >= Suppression.minimum }
  }

  /// Pairs that touch where a difference would be too small.
  private func unsafePairs() -> [(row: Key, column: Key)] {
    let byRows = Self.signatures(rows)
    let byColumns = Self.signatures(columns)
    var pairs: [(row: Key, column: Key)] = []
    for (column, cell) in columns {
      let atoms = Self.atoms(cell.members, by: byRows)
      guard !Self.isSafe(atoms) else { continue }
      pairs += Set(atoms.keys.joined()).map { ($0, column) }
    }
    for (row, cell) in rows {
      let atoms = Self.atoms(cell.members, by: byColumns)
      guard !Self.isSafe(atoms) else { continue }
      pairs += Set(atoms.keys.joined()).map { (row, $0) }
    }
    return pairs
  }
}
