extension Database {
  /// Sentences about how PostgreSQL is set up, for the administrator: rights that Farol does not need, and a Patroni
  /// that may lose writes. Empty on SQLite.
  package func serverWarnings() throws -> [String] {
    guard isOnServer else { return [] }
    return try readPrivate { connection in
      var warnings: [String] = []
      let rights = try connection.first(Self.rights) { $0.text(0) } ?? ""
      if !rights.isEmpty {
        warnings.append(
          """
          the user of the database has more rights than Farol needs (\(rights)): an attacker who gets at the user \
          could run programs on the machine of the database, or read all of it; see docs/how-to/postgresql.md
          """)
      }
      if try connection.integer(Self.oldPatroni) == 1 {
        warnings.append(
          """
          the database seems to be run by a Patroni older than 3.2. Before 3.1, as in Debian 12, acknowledged writes \
          are lost when a paused primary wakes and Patroni uses etcd v3: use Patroni 4 (docs/how-to/high-availability.md)
          """)
      }
      return warnings
    }
  }

  /// The needless rights of the user. `MEMBER` includes rights that need `SET ROLE`.
  private static let rights = """
    SELECT coalesce(string_agg(name, ', ' ORDER BY place), '') FROM (
      SELECT 0 AS place, 'SUPERUSER' AS name FROM pg_roles WHERE rolname = current_user AND rolsuper
      UNION ALL SELECT 1, 'CREATEROLE' FROM pg_roles WHERE rolname = current_user AND rolcreaterole
      UNION ALL SELECT 2, 'CREATEDB' FROM pg_roles WHERE rolname = current_user AND rolcreatedb
      UNION ALL SELECT 3, 'REPLICATION' FROM pg_roles WHERE rolname = current_user AND rolreplication
      UNION ALL SELECT 4, 'BYPASSRLS' FROM pg_roles WHERE rolname = current_user AND rolbypassrls
      UNION ALL SELECT 5, rolname FROM pg_roles
      WHERE rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        AND pg_has_role(current_user, oid, 'MEMBER')
        AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)) AS needless
    """

  /// 1 if PostgreSQL was started with the command line of Patroni, and no connection has the name that Patroni gives
  /// its connections since 3.2. Everyone may see both.
  private static let oldPatroni = """
    SELECT CASE WHEN count(*) = 4 AND NOT EXISTS (
        SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'Patroni %') THEN 1 ELSE 0 END
    FROM pg_settings
    WHERE source = 'command line'
      AND name IN ('cluster_name', 'max_worker_processes', 'max_prepared_transactions', 'track_commit_timestamp')
    """
}
