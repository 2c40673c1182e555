import Accounts
import Devices
import Reading
package import Service
package import SpatialDatabase

/// Checks a database for inconsistencies.
package struct IndexCheck {
  private let database: Database
  /// Whether it is a copy: a copy may have an earlier schema, and overdue erasures in it are not a
  /// problem.
  private let isCopy: Bool

  package init(database: Database, isCopy: Bool = false) {
    self.database = database
    self.isCopy = isCopy
  }

  /// The rules of all tables.
  static let rules = [DeviceRecords.integrity, Accounts.integrity, Collections.integrity]

  /// The last migration of the database.
  func schema() throws -> Int {
    try database.readPrivate { try $0.schemaVersion() }
  }

  private func fileFindings() throws -> [Finding] {
    let found = try database.integrityCheck()
    func findings(_ words: [String], _ kind: Finding.Kind) -> [Finding] {
      words.map { Finding(kind: kind, description: $0) }
    }
    return findings(found.damages, .damage) + findings(found.indexes, .broken(.indexes))
      + findings(found.rows, .content)
  }

  /// The R-trees with internal damage, and a description of it.
  private func treeFindings(_ schema: Int) throws -> [(name: String, finding: Finding)] {
    try database.readPrivate(limit: .none) { connection in
      try Self.rules.flatMap(\.trees).filter { $0.since <= schema }.compactMap { tree in
        guard let damage = try connection.damage(ofTree: tree.name) else { return nil }
        let sentence = "the tree \(tree.name) is damaged: \(damage)"
        return (tree.name, Finding(kind: .broken(tree.part), description: sentence))
      }
    }
  }

  private static func findings(
    of counts: [IntegrityRules.Count], _ schema: Int, damagedTrees: [String],
    _ connection: borrowing Connection
  ) throws -> [Finding] {
    var findings: [Finding] = []
    for check in counts where check.since <= schema {
      // A damaged tree gives unreliable results, and is recreated as a whole.
      if damagedTrees.contains(where: check.sql.contains) { continue }
      let count = try connection.integer(check.sql) ?? 0
      if count > 0 {
        findings.append(Finding(kind: check.kind, description: "\(count) \(check.words)"))
      }
    }
    return findings
  }

  /// All problems, one sentence each; empty if there are no problems.
  ///
  /// - Throws: ``DatabaseFault``, of kind `ioError` if the disk could not be read.
  package func findings() throws -> [Finding] {
    let file = try fileFindings()
    // Queries of a damaged file, or through a wrong index, give unreliable results.
    guard file.allSatisfy({ $0.kind == .content }) else { return file }
    let schema = try schema()
    let trees = try treeFindings(schema)
    let damaged = trees.map(\.name)
    var findings = file + trees.map(\.finding)
    let searches = Self.rules.flatMap(\.searches).filter { search in
      search.since <= schema && (search.isForCopies || !isCopy)
    }
    findings += try database.readPrivate(limit: .none) { connection in
      try Self.findings(
        of: Self.rules.flatMap(\.counts), schema, damagedTrees: damaged, connection)
        + searches.flatMap { try $0.findings(connection) }
    }
    findings += try database.read(limit: .none) { connection in
      try Self.findings(
        of: Self.rules.flatMap(\.spatialCounts), schema, damagedTrees: damaged, connection)
    }
    return findings
  }
}
