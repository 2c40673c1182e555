import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase

/// Records the erasures of each sweep, and reports due ones.
package struct Retention: Sendable {
  /// The status of a rule.
  package struct Standing: Sendable {
    package let rule: RetentionRule
    /// The number of rows that should have been erased by now.
    package let due: Int64
    /// The time of the last sweep and the number of rows it erased; nil before the first one.
    package let lastRun: (at: Timestamp, erased: Int64)?
  }

  private static let setting = "retention"

  package let rules: [RetentionRule]
  let database: Database
  let environment: Environment

  package init(_ rules: [RetentionRule], database: Database, environment: Environment) {
    self.rules = rules
    self.database = database
    self.environment = environment
  }

  /// Runs a sweep and records the rows erased for each of its rules.
  package func noting(_ job: String, _ work: JobRunner.Work, _ payload: String) throws {
    let rules = self.rules.filter { $0.job == job }
    let before = try counts(of: rules)
    try work(payload)
    let after = try counts(of: rules)
    guard !rules.isEmpty else { return }
    let now = environment.now()
    try database.write { connection in
      var runs = try Self.runs(connection)
      for rule in rules {
        let erased = max(0, (before[rule.code] ?? 0) - (after[rule.code] ?? 0))
        runs[rule.code] = ["at": .string(now.text), "erased": .integer(erased)]
      }
      try StoredSetting(Self.setting).put(.object(runs), at: now, connection)
    }
  }

  private func counts(of rules: [RetentionRule]) throws -> [String: Int64] {
    let now = environment.now()
    return try database.readPrivate(limit: .after(.seconds(20))) { connection in
      var counts: [String: Int64] = [:]
      for rule in rules { counts[rule.code] = try rule.count(at: now, connection) }
      return counts
    }
  }

  private static func runs(_ connection: borrowing Connection) throws -> JSONObject {
    try StoredSetting(setting).value(connection)?.objectValue ?? [:]
  }

  /// The status of every rule.
  package func standings() throws -> [Standing] {
    let counts = try counts(of: rules)
    let runs = try database.read { try Self.runs($0) }
    return rules.map { rule in
      let run = runs[rule.code]
      let at = run?["at"]?.stringValue.flatMap { Timestamp(text: $0) }
      return Standing(
        rule: rule, due: counts[rule.code] ?? 0,
        lastRun: at.map { ($0, Int64(run?["erased"]?.intValue ?? 0)) })
    }
  }
}
