import JSON
import WrittenValues

/// The columns of a list that a mapping uses, does not use, and misses.
package struct ColumnUse: Equatable, Sendable {
  /// A column that the mapping names and the list does not have.
  package struct Missing: Equatable, Sendable {
    package let name: String
    /// Similar names of columns of the list, the most similar first.
    package let nearest: [String]

    package init(name: String, nearest: [String]) {
      self.name = name
      self.nearest = nearest
    }
  }

  package var used: [String]
  package var unused: [String]
  package var missing: [Missing]

  package init(used: [String], unused: [String], missing: [Missing]) {
    self.used = used
    self.unused = unused
    self.missing = missing
  }
}

/// Collects the columns of a list while it is read.
package struct ColumnTally {
  private let references: [ColumnReference]
  /// Columns below an array whose elements become rows: only their top member is looked up.
  private let isExploded: Bool
  /// The columns of the list in order of appearance, and the same for looking them up.
  private var names: [String] = []
  private var known: Set<String> = []
  /// Pointers of the mapping that no row has had yet.
  private var unseen: Set<Column>

  /// Whether rows have a position besides their columns, so that they need no columns for it.
  private var hasPlaces = false

  /// The number of different columns that are collected. Tags of OpenStreetMap have no limit.
  private static let maximum = 500

  package init(_ mapping: ImportMapping) {
    references = mapping.references
    isExploded = mapping.explode != nil
    unseen = Set(
      references.flatMap(\.candidates).filter { if case .pointer = $0 { true } else { false } })
  }

  /// Adds all columns of a table, including those without any value.
  package mutating func add(header: [String]) {
    for name in header { add(name) }
  }

  package mutating func add(_ row: SourceRow) {
    if row.place != .none { hasPlaces = true }
    for member in row.columns.members where !known.contains(member.key) { add(member.key) }
    for column in unseen where isPresent(column, in: row.columns) { unseen.remove(column) }
  }

  private mutating func add(_ name: String) {
    guard known.count < Self.maximum, known.insert(name).inserted else { return }
    names.append(name)
  }

  private func isPresent(_ column: Column, in columns: JSONObject) -> Bool {
    if isExploded { return column.topName.map { columns[$0] != nil } ?? true }
    return column.value(in: columns) != nil
  }

  /// The columns so far. With `hasTags`, and for elements that another program has made to features, they are tags of
  /// OpenStreetMap: a mapping names many tags that few elements have, so none of them is missing.
  package func use(hasTags: Bool) -> ColumnUse {
    let hasTags = hasTags || hasPlaces && known.contains("@type") && known.contains("@id")
    let named = Set(references.flatMap(\.candidates).compactMap(\.topName))
    let shown = names.filter { !$0.hasPrefix("@") }
    var missing: [String] = []
    for reference in references where !hasTags && !reference.candidates.contains(where: isFound) {
      for column in reference.candidates where !missing.contains(column.shown) {
        missing.append(column.shown)
      }
    }
    return ColumnUse(
      used: shown.filter(named.contains), unused: shown.filter { !named.contains($0) },
      missing: missing.map { ColumnUse.Missing(name: $0, nearest: NearNames.of($0, in: shown)) })
  }

  private func isFound(_ column: Column) -> Bool {
    switch column {
    case .name(let name):
      known.contains(name) || known.count >= Self.maximum
        || hasPlaces && ["longitude", "latitude"].contains(name)
    case .pointer: !unseen.contains(column)
    case .mapped: true
    }
  }
}

/// Columns that a mapping names in one place; one of them is enough.
struct ColumnReference: Equatable, Sendable {
  let candidates: [Column]
}

extension ImportMapping {
  /// All columns that the mapping names.
  var references: [ColumnReference] {
    var found: [ColumnReference] = []
    func add(_ columns: [Column]) { found += columns.map { ColumnReference(candidates: [$0]) } }
    add(key?.columns ?? [])
    for rule in otherKeys { add(rule.key.columns + (rule.version?.columns ?? [])) }
    for rule in skip + refuse + flag { add(rule.condition.columns) }
    for field in DeviceField.all {
      for shared in fields[field] ?? [] {
        switch shared.rule.origin {
        case .columns(let columns): found.append(ColumnReference(candidates: columns))
        case .template(let template): add(template.columns)
        case .constant: break
        }
        add(shared.rule.condition?.columns ?? [])
      }
    }
    for candidates in export?.candidates ?? [] {
      found.append(ColumnReference(candidates: candidates))
    }
    if let explode { add([explode]) }
    if case .columns(let names) = keep { add(names.map(Column.init)) }
    return found.filter { reference in
      !reference.candidates.isEmpty
        && !reference.candidates.contains { if case .mapped = $0 { true } else { false } }
    }
  }
}

extension Column {
  /// The column as a mapping writes it.
  var shown: String {
    switch self {
    case .name(let name): name
    case .mapped(let name): ":\(name)"
    case .pointer(let components): "/" + components.joined(separator: "/")
    }
  }
}

/// Finds names that were probably meant.
enum NearNames {
  private static let maximum = 3

  /// The most similar of `names`: the same letters and digits, a part of each other, or few
  /// different letters.
  static func of(_ wanted: String, in names: [String]) -> [String] {
    let plain = plain(wanted)
    guard !plain.isEmpty else { return [] }
    let rated = names.enumerated().compactMap { place, name in
      distance(plain, Self.plain(name)).map { (distance: $0, place: place, name: name) }
    }
    return rated.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
      .prefix(maximum).map(\.name)
  }

  private static func plain(_ name: String) -> [Character] {
    Array(name.prefix(100).lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// Nil if the names are not similar.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int? {
    guard !other.isEmpty else { return nil }
    if one == other { return 0 }
    let edits = edits(one, other)
    if edits <= max(1, max(one.count, other.count) / 3) { return edits }
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    let isPart = short.count >= 3 && String(long).contains(String(short))
    return isPart ? long.count : nil
  }

  /// The number of letters to insert, delete or replace (Levenshtein).
  private static func edits(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for column in other.indices {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row.last ?? 0
  }
}
