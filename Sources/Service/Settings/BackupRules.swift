/// The retention of backups.
package struct BackupRules: Equatable, Sendable {
  /// Number of days of which to keep the last backup, at least 1.
  package var daily = 7
  /// Number of weeks, starting on Monday, of which to keep the last backup.
  package var weekly = 4

  package init() {}
}
