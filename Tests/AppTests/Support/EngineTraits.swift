import Testing

// The tests of the server run on both engines, each in a run of its own. These traits are the only way to leave one out.

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
