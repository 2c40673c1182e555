import Testing

// The tests of the server run once on each engine. Only these traits exclude a test from one of them.

extension Trait where Self == ConditionTrait {
  /// A test of something that only SQLite has, such as the bytes of its file. The reason names it.
  static func onlySQLite(_ reason: Comment) -> Self {
    .enabled(if: !TestEngine.isPostgreSQL, reason)
  }

  /// A test of something that only PostgreSQL has.
  static func onlyPostgreSQL(_ reason: Comment) -> Self {
    .enabled(if: TestEngine.isPostgreSQL, reason)
  }
}
