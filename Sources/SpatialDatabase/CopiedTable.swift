/// A table as `Database.copy(to:migrations:digest:report:)` reads and writes it: all of its columns that are not
/// computed from others.
struct CopiedTable {
  let name: String
  /// With `rowid` where a SQLite table has it, named or not.
  let columns: [Column]
  /// Whether it is an R*Tree on SQLite, which rounds numbers to 32 bits.
  let isTree: Bool

  struct Column {
    let name: String
    /// A geometry in WGS 84, which the engines store in different forms. It is copied as WKB.
    let isGeometry: Bool

    /// Quoted, because some columns are called like a word of SQL. SQLite knows a row id only without quotes.
    fileprivate var quoted: String { name == "rowid" ? name : "\"\(name)\"" }
  }

  /// A statement that reads all rows.
  var selection: String {
    let list = columns.map { $0.isGeometry ? "ST_AsBinary(\($0.quoted))" : $0.quoted }
    return "SELECT \(list.joined(separator: ", ")) FROM \(name)"
  }

  /// A statement that inserts rows. Binds the values of each.
  func insertion(of count: Int) -> String {
    let list = columns.map(\.quoted).joined(separator: ", ")
    let marks = columns.map { $0.isGeometry ? "ST_GeomFromWKB(?, 4326)" : "?" }
    let row = "(\(marks.joined(separator: ", ")))"
    let rows = Array(repeating: row, count: count).joined(separator: ", ")
    return "INSERT INTO \(name) (\(list)) VALUES \(rows)"
  }

  /// The values of a row as both engines store them.
  func values(of row: Row) -> [SQLValue] {
    columns.indices.map { place in
      guard case .real(let number) = row.value(place) else { return row.value(place) }
      if isTree { return .real(Self.rounded(number, up: place.isMultiple(of: 2))) }
      // SQLite stores whole numbers as integers, which have one zero.
      return .real(number == 0 ? 0 : number)
    }
  }

  /// A number as an R*Tree stores it: the lower ends of a box are rounded down, the upper ends up
  /// (`rtreeValueDown` and `rtreeValueUp` in https://sqlite.org/src/file/ext/rtree/rtree.c).
  private static func rounded(_ number: Double, up: Bool) -> Double {
    let (towardsZero, away) = (1 - 1 / 8_388_608.0, 1 + 1 / 8_388_608.0)
    let near = Double(Float(number))
    if up, near < number { return Double(Float(number * (number < 0 ? towardsZero : away))) }
    if !up, near > number { return Double(Float(number * (number < 0 ? away : towardsZero))) }
    return near
  }
}

extension Connection {
  /// The PostgreSQL tables, without the table of migrations.
  func copiedTables(trees: Set<String>) throws -> [CopiedTable] {
    var tables: [(name: String, columns: [CopiedTable.Column])] = []
    try forEach(
      """
      SELECT relname, attname, typname = 'geometry'
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid JOIN pg_type ON pg_type.oid = atttypid
      WHERE relnamespace = CAST('main' AS regnamespace) AND relkind = 'r' AND relname <> 'migration'
        AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      ORDER BY relname, attnum
      """
    ) { row in
      let column = CopiedTable.Column(name: row.text(1), isGeometry: row.bool(2))
      if tables.last?.name == row.text(0), let last = tables.indices.last {
        tables[last].columns.append(column)
      } else {
        tables.append((row.text(0), [column]))
      }
    }
    return tables.map { table in
      CopiedTable(
        name: checked(table.name), columns: table.columns, isTree: trees.contains(table.name))
    }
  }

  /// The names of SQLite's R*Trees.
  func trees() throws -> Set<String> {
    if isOnServer { return [] }
    return Set(
      try rows(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING rtree%'"
      ) { $0.text(0) })
  }

  /// Checks that a SQLite table has no column that would be left out. A column that it lacks is a separate error.
  func confirmColumns(of table: CopiedTable) throws {
    if isOnServer { return }
    let copied = Set(table.columns.map(\.name))
    if let column = try columns(of: table.name).first(where: { !copied.contains($0) }) {
      throw DatabaseFault(
        .statement, "the column \(column) of \(table.name) does not exist on PostgreSQL")
    }
  }
}
