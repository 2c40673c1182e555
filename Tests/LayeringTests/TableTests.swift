import Testing

/// Each table belongs to one target.
///
/// SQL is found by its keywords in capitals, as the stores write it: `INSERT INTO`, `UPDATE`, `DELETE FROM`, `FROM`, `JOIN`.
@Suite struct TableTests {
  /// The tables that a target names in statements.
  private struct Use {
    var written: Set<String> = []
    var read: Set<String> = []
  }

  private static let owners = Dictionary(
    uniqueKeysWithValues: TableOwners.tables.flatMap { target, tables in
      tables.map { ($0, target) }
    })

  private static func words(_ text: some StringProtocol) -> [Substring] {
    text[...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Substring($0) }
  }

  /// The names after these words, outside of comments.
  private static func use(in file: Repository.File) -> Use {
    let code = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    let words = words(code.joined(separator: "\n"))
    var use = Use()
    for (place, word) in words.enumerated().dropLast() {
      let (before, next) = (place > 0 ? words[place - 1] : "", String(words[place + 1]))
      guard owners[next] != nil else { continue }
      switch word {
      case "INTO", "UPDATE": use.written.insert(next)
      case "FROM" where before == "DELETE": use.written.insert(next)
      // `UPDATE OR IGNORE`.
      case "IGNORE", "REPLACE": if before == "OR" { use.written.insert(next) }
      case "FROM", "JOIN": use.read.insert(next)
      default: break
      }
    }
    return use
  }

  /// The uses of each target. The bench fills separate databases.
  private static func uses() throws -> [String: Use] {
    var uses: [String: Use] = [:]
    for file in try Repository.files(in: "Sources", endingIn: [".swift"]) {
      let target = String(file.path.split(separator: "/")[1])
      guard target != "farol-bench" else { continue }
      let use = use(in: file)
      uses[target, default: Use()].written.formUnion(use.written)
      uses[target, default: Use()].read.formUnion(use.read)
    }
    return uses
  }

  /// The tables that the migrations leave.
  private static func tables() throws -> Set<String> {
    var tables: Set<String> = []
    for file in try Repository.files(in: "migrations", endingIn: [".sql"])
    where !file.path.contains("postgresql") {
      let words = words(file.text)
      for place in words.indices.dropLast(2) where words[place + 1] == "TABLE" {
        switch words[place] {
        case "CREATE", "VIRTUAL": tables.insert(String(words[place + 2]))
        case "DROP": tables.remove(String(words[place + 2]))
        case "ALTER" where words.count > place + 5 && words[place + 3] == "RENAME":
          // `ALTER TABLE a RENAME TO b`; a column is renamed with other words.
          guard words[place + 4] == "TO" else { continue }
          tables.remove(String(words[place + 2]))
          tables.insert(String(words[place + 5]))
        default: break
        }
      }
    }
    return tables
  }

  @Test func `every table has one owner`() throws {
    let named = TableOwners.tables.values.flatMap { $0 }
    #expect(Set(named).count == named.count)
    #expect(try Self.tables().symmetricDifference(named) == [])
  }

  @Test func `a table is written by its owner only`() throws {
    for (target, use) in try Self.uses() {
      #expect(use.written.filter { Self.owners[$0] != target } == [], "\(target)")
    }
  }

  @Test func `a table is read by its owner, or by others for a reason`() throws {
    let read = try Self.uses().flatMap { target, use in
      use.read.filter { Self.owners[$0] != target }
    }
    #expect(Set(read) == Set(TableOwners.shared.map(\.table)))
    #expect(TableOwners.shared.count <= 10)
  }
}
