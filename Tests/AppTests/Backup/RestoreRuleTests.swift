@testable import App
import Foundation
import JSON
@testable import Service
import SpatialDatabase
import Testing

/// Every table with personal data has a rule for its treatment after a restore.
@Suite struct RestoreRuleTests {
  private struct Place: Hashable, CustomStringConvertible {
    let entry, table: String
    var description: String { "\(entry): \(table)" }
  }

  private let stored: JSONValue
  private let rules = App.kinds.flatMap { $0.restores }

  init() throws {
    stored = try JSONValue(
      parsing: [UInt8](
        Data(contentsOf: Repository.root.appendingPathComponent("public/terms/stored.json"))))
  }

  @Test func `the rules cover the tables of the terms page, each once`() {
    let promised = (stored["personal"]?.arrayValue ?? []).flatMap { entry in
      (entry["columns"]?.objectValue?.members ?? []).map {
        Place(entry: entry["id"]?.stringValue ?? "", table: $0.key)
      }
    }
    let places = rules.map { Place(entry: $0.entry, table: $0.table) }
    #expect(promised.count > 40)
    #expect(Set(places).count == places.count)
    #expect(Set(promised).subtracting(places) == [], "without a rule")
    #expect(Set(places).subtracting(promised) == [], "without personal data")
  }

  @Test func `each period of retention belongs to data with a rule`() {
    let entries = Set(rules.map(\.entry))
    for rule in App.retention {
      #expect(entries.contains(rule.entry), "\(rule.code)")
    }
  }

  @Test func `each kind of the list is that of one rule`() {
    let kinds = rules.flatMap { rule -> [ErasureList.Kind] in
      if case .repeats(let kinds) = rule.treatment { return kinds }
      return []
    }
    #expect(kinds.count == Set(kinds).count)
    #expect(Set(kinds) == Set(ErasureList.Kind.allCases))
  }

  @Test func `each kind is in the reference`() throws {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/reference/retention.md"),
      encoding: .utf8)
    for kind in ErasureList.Kind.allCases {
      #expect(text.contains("`\(kind.rawValue)`"), "\(kind)")
    }
  }

  @Test(.onlySQLite("reads the schema"))
  func `a table that follows another refers to it`() throws {
    let app = try TestApp()
    for rule in rules {
      guard case .follows(let parent) = rule.treatment else { continue }
      let actions = try app.database.readPrivate { connection in
        try connection.rows(
          #"SELECT on_delete FROM pragma_foreign_key_list(?) WHERE "table" = ?"#,
          [.text(rule.table), .text(parent)]
        ) { $0.text(0) }
      }
      #expect(!actions.isEmpty, "\(rule.table)")
      #expect(Set(actions).isSubset(of: ["CASCADE", "SET NULL"]), "\(rule.table)")
    }
  }

  @Test func `tables that end are empty after a restore`() throws {
    let ended = rules.filter { $0.treatment == .ends }.map(\.table).sorted()
    // RestoreTests and SettlementTests fill them.
    #expect(ended == ["mail", "mail_token", "mapping_day_mail", "personal_token", "session"])
  }
}
