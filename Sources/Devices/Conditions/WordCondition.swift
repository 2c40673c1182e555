import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// All words of a text occur in the name, the description or the operator, and the last word may be incomplete; or some
/// of them name the category.
struct WordCondition: DeviceCondition {
  let text: String

  init(_ text: String) { self.text = text }

  static func parameters(_: Vocabulary) -> [Parameter] {
    [
      .query(
        "q", .text(),
        "Devices with all these words in name, operator or description, and devices of a category with this name or "
          + "everyday name in any language, such as `CCTV` or `number plate`.")
    ]
  }

  init?(_ query: Query, _: DeviceParameters) throws {
    guard let text = try query.texts("q").first else { return nil }
    self.text = text
  }

  /// The categories that the first or last words name.
  func named(_ vocabulary: Vocabulary) -> CategoryWords? {
    CategoryWords(PlainWords.of(text), vocabulary)
  }

  func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) {
    guard let query = query(connection) else { return clauses.add("1 = 0", []) }
    let found = connection.matches("device")
    guard let named = named(clauses.vocabulary) else { return clauses.add(found, [.text(query)]) }
    let other = Self.isIn(named, connection)
    clauses.add("(\(found) OR \(other.sql))", [.text(query)] + other.arguments)
  }

  /// The text as a query of the full-text index; nil if it has no words.
  private func query(_ connection: borrowing Connection) -> String? {
    connection.searchText(SearchText.indexed(text))
  }

  /// A condition: the device is of one of the categories and contains the other words.
  private static func isIn(
    _ named: CategoryWords, _ connection: borrowing Connection
  ) -> (sql: String, arguments: [SQLValue]) {
    var sql = "device.category IN (\(SQLValue.marks(named.categories.count)))"
    var arguments = named.categories.map { SQLValue.text($0) }
    if let query = connection.searchText(named.others.joined(separator: " ")) {
      sql += " AND \(connection.matches("device"))"
      arguments.append(.text(query))
    }
    return (sql, arguments)
  }

  func narrow(
    _ points: inout PointFilter, _ vocabulary: Vocabulary, few: Int,
    _ connection: borrowing Connection
  ) throws -> Bool {
    var rows = RowSet()
    var count = 0
    func add(_ sql: String, _ arguments: [SQLValue]) throws {
      try connection.forEach(sql, arguments) { row in
        count += 1
        if let rowid = UInt32(exactly: row.int(0)) { rows.insert(rowid) }
      }
    }
    if let query = query(connection) { try add(connection.matching("device"), [.text(query)]) }
    if let named = named(vocabulary) {
      if named.others.isEmpty {
        points.rows = rows
        points.orCategories = CodeSet(
          named.categories.compactMap { vocabulary.category($0)?.number })
        return true
      }
      let other = Self.isIn(named, connection)
      try add("SELECT device.rowid FROM device WHERE \(other.sql)", other.arguments)
    }
    guard count > few else { return false }
    points.rows = rows
    return true
  }

  func held(on former: some FormerDevice, _ connection: borrowing Connection) throws -> Bool? {
    guard !former.changed.isDisjoint(with: ["name", "description", "operator", "category"]) else {
      return nil
    }
    var texts = try former.texts(connection)
    if let name = try former.operatorName(connection) { texts.append(name) }
    let known = Set(texts.flatMap(Self.indexed))
    let words = Self.indexed(text)
    if !words.isEmpty, Self.are(words, in: known) { return true }
    guard let named = CategoryWords(words, former.vocabulary),
      named.categories.contains(former.category)
    else { return false }
    return Self.are(named.others, in: known)
  }

  private static func are(_ words: [String], in known: Set<String>) -> Bool {
    guard let last = words.last else { return true }
    return words.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
  }

  /// The words of a text as the full-text index has them.
  private static func indexed(_ text: String) -> [String] {
    PlainWords.of(SearchText.indexed(text))
  }
}
