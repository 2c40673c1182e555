// Statements of SQLite alone, about the schema and the upkeep of its indexes. On another engine these methods have
// other statements, or nothing to do.

extension Connection {
  /// The number of the last migration.
  package func schemaVersion() throws -> Int { Int(try integer("PRAGMA user_version") ?? 0) }

  /// The CREATE statement of the trigger, index, table or view with this name. Nil if it does not exist. `type` is
  /// the type in `sqlite_schema`.
  package func definition(of type: String, _ name: String) throws -> String? {
    try text(
      "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?", [.text(type), .text(name)])
  }

  /// The columns of a table, in order, without generated ones.
  package func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(0) }
  }

  /// The file of the database.
  package func file() throws -> String {
    try text("SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
  }

  /// The damage inside an R*Tree, or nil.
  package func damage(ofTree name: String) throws -> String? {
    let words = try text("SELECT rtreecheck('main', ?)", [.text(name)])
    return words == "ok" ? nil : words ?? ""
  }

  /// Merges the index of `<table>_text` into one segment.
  package func optimizeTexts(of table: String) throws {
    let texts = "\(checked(table))_text"
    try execute("INSERT INTO \(texts) (\(texts)) VALUES ('optimize')")
  }

  /// Merges at most `pages` pages of the index of `<table>_text`. A negative number begins a merge of all segments.
  ///
  /// - Returns: false when nothing is left to merge (SQLite FTS5, §6.8).
  package func mergeTexts(of table: String, pages: Int64) throws -> Bool {
    let texts = "\(checked(table))_text"
    let before = try integer("SELECT total_changes()") ?? 0
    try execute("INSERT INTO \(texts) (\(texts), rank) VALUES ('merge', ?)", [.integer(pages)])
    let after = try integer("SELECT total_changes()") ?? 0
    return after - before >= 2
  }
}
