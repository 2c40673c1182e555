/// Operations for the jobs of an instance.
extension Database {
  /// Checks that the files are still the ones that were opened and that no damage was found. If the log file has
  /// disappeared, saves its content.
  ///
  /// - Throws: ``DatabaseFault`` of kind `misplaced` or `corrupt`, with a sentence for the administrator.
  package func confirmFile() throws { try file?.openWriter().confirm() }

  /// Checks that no newer Farol version has changed the database in a way that this version must not write to. Only
  /// PostgreSQL can be changed while a server runs.
  ///
  /// - Throws: ``DatabaseFault`` of kind `newerSchema`, with a sentence for the administrator.
  package func confirmSchema() throws {
    try server?.confirmSchema()
  }

  /// Checkpoints: moves the log into the file, so that the log can restart. PostgreSQL does so itself.
  ///
  /// - Parameter truncate: waits for readers and truncates the log to zero, as required after an
  ///   erasure.
  /// - Throws: ``DatabaseFault`` of kind `busy` when readers take longer than the busy timeout.
  package func checkpoint(truncate: Bool) throws {
    try file?.openWriter().checkpoint(truncate: truncate)
  }

  /// Updates outdated statistics of the query planner.
  package func optimize() throws {
    try file?.optimize()
    try server?.write { try $0.execute("ANALYZE") }
  }
}
