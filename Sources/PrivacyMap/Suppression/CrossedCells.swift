/// Figures about the same people by operator and by category: the published figures and the next publication.
///
/// A person can be in any number of cells on either side. A reader who knows which operators run devices of which
/// categories could subtract figures of one side from figures of the other. The published figures therefore ensure
/// that every such difference contains either no people or enough people.
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

  /// The next publication, for the people in `rows` and `columns` on `day` (days since 1970-01-01).
  ///
  /// Rows are renewed first. A column leaves out people who could be identified by subtracting rows from it. Unsafe
  /// combinations are reverted to the previous publication, columns first, until the rest is safe.
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
      // If no new figure is involved, the previous publication remains.
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

  /// The next figure of a column. It includes all people if that is safe together with the rows.
  /// Otherwise it leaves out new people whose groups in the rows are too small.
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

  /// The cells that contain each person.
  private static func signatures(_ cells: Cells) -> [Int64: [Key]] {
    var signatures: [Int64: [Key]] = [:]
    for key in cells.keys.sorted() {
      for person in (cells[key]?.members ?? [:]).keys {
        signatures[person, default: []].append(key)
      }
    }
    return signatures
  }

  /// The number of people per combination of cells on the other side.
  private static func atoms(
    _ people: some Sequence<Int64>, by signatures: [Int64: [Key]]
  ) -> [[Key]: Int] {
    var atoms: [[Key]: Int] = [:]
    for person in people { atoms[signatures[person] ?? [], default: 0] += 1 }
    return atoms
  }

  /// Whether the rest of a cell, after subtracting any cells of the other side, contains no people or enough people.
  private static func isSafe(_ atoms: [[Key]: Int]) -> Bool {
    let others = atoms[[], default: 0]
    if others >= Suppression.minimum { return true }
    return others == 0 && atoms.values.allSatisfy { $0 >= Suppression.minimum }
  }

  /// Overlapping pairs whose difference would be too small.
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
