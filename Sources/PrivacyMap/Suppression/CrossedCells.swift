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
  package typealias Cells = [Key: CrossedCell<Standing>]

  /// Operators.
  package var rows: Cells
  /// Categories.
  package var columns: Cells

  package init(rows: Cells = [:], columns: Cells = [:]) {
    self.rows = rows
    self.columns = columns
  }

  /// What is published next, where people stand as in `rows` and `columns` on `day`, which is counted
  /// from 1970-01-01.
  ///
  /// Rows come first: a column leaves out the people who could be told by subtracting rows from it.
  /// What would be unsafe together is taken back, columns first, until what remains is safe.
  package func renewed(rows: [Key: People], columns: [Key: People], on day: Int32) -> CrossedCells {
    var newRows = Set(rows.keys).union(self.rows.keys)
    var newColumns = Set(columns.keys).union(self.columns.keys)
    while true {
      let next = combined(rows: rows, columns: columns, newRows, newColumns, on: day)
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

  private func combined(
    rows: [Key: People], columns: [Key: People], _ newRows: Set<Key>, _ newColumns: Set<Key>,
    on day: Int32
  ) -> CrossedCells {
    var next = self
    for key in newRows {
      let people = rows[key] ?? [:]
      next.rows[key] =
        self.rows[key].map { $0.taking(people, on: day) } ?? CrossedCell(people, on: day)
    }
    let signatures = Self.signatures(next.rows)
    for key in newColumns {
      next.columns[key] = column(
        self.columns[key], columns[key] ?? [:], beside: signatures, on: day)
    }
    return next
  }

  /// The next figure of a column: with everybody, where that is safe beside the rows; else without
  /// those newcomers whose company in the rows is too small.
  private func column(
    _ before: CrossedCell<Standing>?, _ people: People, beside signatures: [Int64: [Key]],
    on day: Int32
  ) -> CrossedCell<Standing>? {
    let whole = before.map { $0.taking(people, on: day) } ?? CrossedCell(people, on: day)
    guard let whole else { return nil }
    let atoms = Self.atoms(whole.members.keys, by: signatures)
    if Self.isSafe(atoms) { return whole }
    func isTellable(_ person: Int64) -> Bool {
      let signature = signatures[person] ?? []
      return !signature.isEmpty && atoms[signature, default: 0] >= Suppression.minimum
    }
    return before.map { $0.taking(people, on: day, where: isTellable) }
      ?? CrossedCell(people.filter { isTellable($0.key) }, on: day)
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

  /// How many people stand in which cells of the other side.
  private static func atoms(
    _ people: some Sequence<Int64>, by signatures: [Int64: [Key]]
  ) -> [[Key]: Int] {
    var atoms: [[Key]: Int] = [:]
    for person in people { atoms[signatures[person] ?? [], default: 0] += 1 }
    return atoms
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
      let atoms = Self.atoms(cell.members.keys, by: byRows)
      guard !Self.isSafe(atoms) else { continue }
      pairs += Set(atoms.keys.joined()).map { ($0, column) }
    }
    for (row, cell) in rows {
      let atoms = Self.atoms(cell.members.keys, by: byColumns)
      guard !Self.isSafe(atoms) else { continue }
      pairs += Set(atoms.keys.joined()).map { (row, $0) }
    }
    return pairs
  }
}
