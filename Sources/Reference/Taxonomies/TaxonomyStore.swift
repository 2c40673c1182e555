package import Foundation
import JSON
package import PrivacyMap
import Service
package import SpatialDatabase

/// The tables of categories, terms and their translations.
package struct TaxonomyStore {
  package init() {}

  /// Loads the files of `seed/taxonomies`. Terms are added or updated by their code. None is deleted,
  /// because devices may use it. Terms that an instance added stay unchanged.
  ///
  /// - Throws: ``InvalidTaxonomy`` naming the file and the term.
  package func load(directory: URL, into connection: borrowing Connection) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    for file in files {
      let name = file.lastPathComponent
      guard let root = try? JSONValue(parsing: [UInt8](Data(contentsOf: file))),
        let scheme = root["scheme"]?.stringValue, let terms = root["terms"]?.arrayValue
      else { throw InvalidTaxonomy(file: name, term: nil) }
      for (position, term) in terms.enumerated() {
        try load(term, at: position, of: scheme, from: name, connection)
      }
    }
  }

  private func load(
    _ term: JSONValue, at position: Int, of scheme: String, from file: String,
    _ connection: borrowing Connection
  ) throws {
    guard let code = term["code"]?.stringValue else {
      throw InvalidTaxonomy(file: file, term: "\(position + 1)")
    }
    if scheme == Scheme.categories.rawValue {
      try loadCategory(code, term, at: position, from: file, connection)
    } else {
      try loadTerm(code, term, at: position, of: scheme, connection)
    }
    for member in term.objectValue?.members ?? [] where member.key.utf8.count == 2 {
      guard let label = member.value["label"]?.stringValue else { continue }
      try connection.execute(
        """
        INSERT INTO translation (scheme, code, language, label, plural, definition, words)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (scheme, code, language) DO UPDATE SET
          label = excluded.label, plural = excluded.plural, definition = excluded.definition,
          words = excluded.words
        """,
        [
          .text(scheme), .text(code), .text(member.key), .text(label),
          SQLValue(member.value["plural"]?.stringValue),
          .text(member.value["definition"]?.stringValue ?? ""),
          Self.json(member.value["words"]),
        ])
    }
  }

  private func loadCategory(
    _ code: String, _ term: JSONValue, at position: Int, from file: String,
    _ connection: borrowing Connection
  ) throws {
    guard let months = term["stale_months"]?.intValue else {
      throw InvalidTaxonomy(file: file, term: code)
    }
    try connection.execute(
      """
      INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
        osm, origin)
      VALUES (?, (SELECT COALESCE(max(number), -1) + 1 FROM category), ?, ?, ?, ?, ?, ?, ?, 'seed')
      ON CONFLICT (code) DO UPDATE SET position = excluded.position, icon = excluded.icon,
        household = excluded.household, stale_months = excluded.stale_months,
        collects = excluded.collects, dpv = excluded.dpv, osm = excluded.osm
      """,
      [
        .text(code), SQLValue(position), .text(term["icon"]?.stringValue ?? code),
        SQLValue(term["household"]?.boolValue ?? false), SQLValue(months),
        Self.json(term["collects"]), Self.json(term["dpv"]), Self.json(term["osm"]),
      ])
  }

  private func loadTerm(
    _ code: String, _ term: JSONValue, at position: Int, of scheme: String,
    _ connection: borrowing Connection
  ) throws {
    let known: Set<String> = ["code", "parent", "icon", "dpv", "osm"]
    let more = term.objectValue?.members.filter { member in
      !known.contains(member.key) && member.key.utf8.count != 2
    }
    try connection.execute(
      """
      INSERT INTO term (scheme, code, number, position, parent, icon, dpv, osm, more, origin)
      VALUES (?, ?, (SELECT COALESCE(max(number), -1) + 1 FROM term WHERE scheme = ?),
        ?, ?, ?, ?, ?, ?, 'seed')
      ON CONFLICT (scheme, code) DO UPDATE SET position = excluded.position,
        parent = excluded.parent, icon = excluded.icon, dpv = excluded.dpv, osm = excluded.osm,
        more = excluded.more
      """,
      [
        .text(scheme), .text(code), .text(scheme), SQLValue(position),
        SQLValue(term["parent"]?.stringValue), SQLValue(term["icon"]?.stringValue),
        Self.json(term["dpv"]), Self.json(term["osm"]),
        Self.json(.object(JSONObject(more ?? []))),
      ])
  }

  private static func json(_ value: JSONValue?) -> SQLValue {
    .text((value ?? []).text)
  }

  /// Every scheme and the number of its terms.
  func schemes(_ connection: borrowing Connection) throws -> [(scheme: String, terms: Int64)] {
    try connection.rows(
      """
      SELECT scheme, terms FROM (
        SELECT 'categories' AS scheme, count(*) AS terms FROM category
        UNION ALL SELECT scheme, count(*) FROM term GROUP BY scheme) AS counted
      ORDER BY scheme <> 'categories', scheme
      """
    ) { ($0.text(0), $0.int(1)) }
  }

  /// Whether a scheme has terms.
  func has(_ scheme: String, _ connection: borrowing Connection) throws -> Bool {
    if scheme == Scheme.categories.rawValue { return true }
    return try connection.integer(
      "SELECT 1 FROM term WHERE scheme = ? LIMIT 1", [.text(scheme)]) != nil
  }

  /// A term with its texts in one language. `dpv`, `osm` and `more` are JSON.
  struct Term {
    let code: String
    let label, plural, definition, parent, icon: String?
    let dpv, osm, more: [UInt8]
  }

  /// The terms of a scheme in order.
  func terms(
    of scheme: String, in language: String, _ connection: borrowing Connection
  ) throws -> [Term] {
    try connection.rows(
      scheme == Scheme.categories.rawValue ? Self.categories : Self.otherTerms,
      [.text(language), .text(scheme)]
    ) { row in
      Term(
        code: row.text(0), label: row.optionalText(1), plural: row.optionalText(2),
        definition: row.optionalText(3), parent: row.optionalText(4), icon: row.optionalText(5),
        dpv: row.blob(6), osm: row.blob(7), more: row.blob(8))
    }
  }

  /// The texts in the requested language, or in English if that language lacks them.
  private static let words = """
    LEFT JOIN translation AS asked ON asked.scheme = found.scheme AND asked.code = found.code
      AND asked.language = ?
    LEFT JOIN translation AS english ON english.scheme = found.scheme
      AND english.code = found.code AND english.language = 'en'
    WHERE found.scheme = ? ORDER BY found.position
    """

  private static let selection = """
    SELECT found.code, COALESCE(asked.label, english.label, found.code),
      COALESCE(asked.plural, english.plural), COALESCE(asked.definition, english.definition, ''),
      found.parent, found.icon, found.dpv, found.osm, found.more
    """

  /// The names and everyday words of a category in all languages, because readers also search with
  /// words of another language.
  private static let everydayWords = """
    SELECT json_group_array(word) FROM (
      SELECT label AS word FROM translation WHERE scheme = 'categories' AND code = category.code
      UNION SELECT plural FROM translation
      WHERE scheme = 'categories' AND code = category.code AND plural IS NOT NULL
      UNION SELECT CAST(json_each.value AS TEXT) FROM translation, json_each(translation.words)
      WHERE scheme = 'categories' AND code = category.code
      ORDER BY word) AS everyday
    """

  private static let categories = """
    \(selection)
    FROM (SELECT 'categories' AS scheme, code, position, NULL AS parent, icon, dpv, osm,
      '{"household":' || CASE household WHEN 1 THEN 'true' ELSE 'false' END
        || ',"stale_months":' || stale_months || ',"collects":' || collects
        || ',"words":' || (\(everydayWords)) || '}' AS more
      FROM category) AS found
    \(words)
    """

  private static let otherTerms = "\(selection) FROM term AS found \(words)"

  /// The label of a category in a language, or in English, and its names and everyday words in all languages.
  package func names(
    of category: String, in language: String, _ connection: borrowing Connection
  ) throws -> (label: String, all: [String]) {
    let label = try connection.text(
      """
      SELECT label FROM translation WHERE scheme = 'categories' AND code = ? AND language IN (?, 'en')
      ORDER BY language = 'en' LIMIT 1
      """, [.text(category), .text(language)])
    let all = try connection.rows(
      "SELECT word FROM (\(Self.everyName)) AS everyday WHERE code = ?", [.text(category)]
    ) { $0.text(0) }
    return (label ?? category, all)
  }

  /// The words of the names and everyday names of each category, without words that only join others.
  private func names(_ connection: borrowing Connection) throws -> [String: [[String]]] {
    var names: [String: [[String]]] = [:]
    try connection.forEach(Self.everyName) { row in
      let words = PlainWords.of(row.text(1)).filter { !Self.joining.contains($0) }
      if !words.isEmpty { names[row.text(0), default: []].append(words) }
    }
    return names
  }

  private static let everyName = """
    SELECT code, label AS word FROM translation WHERE scheme = 'categories'
    UNION SELECT code, plural FROM translation
    WHERE scheme = 'categories' AND plural IS NOT NULL
    UNION SELECT code, CAST(json_each.value AS TEXT)
    FROM translation, json_each(translation.words) WHERE scheme = 'categories'
    """

  private static let joining: Set<String> = ["or", "and", "of", "ou", "e", "de", "do", "da"]

  /// The setting with the digest of the taxonomies that were stored last, and of their files.
  private static let setting = "taxonomies"

  /// Stores the taxonomies of the seed and reads them. Other servers may run with the taxonomies that were stored
  /// before.
  ///
  /// A start with the same files and an unchanged database stores nothing, which takes most of the time.
  package func renew(
    from seed: URL, in database: Database, at now: Timestamp
  ) throws -> (vocabulary: Vocabulary, content: String) {
    let folder = seed.appendingPathComponent("taxonomies")
    let files = InstanceVersion.digest(of: folder)
    return try database.write { connection in
      let before = try content(connection)
      guard try StoredSetting(Self.setting).text(connection) != Self.digest(files, before) else {
        return (try vocabulary(connection), before)
      }
      try load(directory: folder, into: connection)
      let content = try content(connection)
      try StoredSetting(Self.setting).put(Self.digest(files, content), at: now, connection)
      if content != before { try PublicChanges.note(connection, at: now) }
      return (try vocabulary(connection), content)
    }
  }

  private static func digest(_ files: String, _ content: String) -> String {
    InstanceVersion.digest(of: [files, content])
  }

  /// All that responses contain about the taxonomies, as one text.
  private func content(_ connection: borrowing Connection) throws -> String {
    var text = ""
    for (columns, table, count) in [
      (
        "code, number, position, icon, household, stale_months, collects, dpv, osm, origin",
        "category", 10
      ),
      ("scheme, code, number, position, parent, icon, dpv, osm, more, origin", "term", 10),
      ("scheme, code, language, label, plural, definition, words", "translation", 7),
    ] {
      try connection.forEach("SELECT \(columns) FROM \(table) ORDER BY \(columns)") { row in
        for column in 0..<count { text += (row.optionalText(column) ?? "\u{1}") + "\u{0}" }
      }
    }
    return text
  }

  /// The codes used by the instance.
  package func vocabulary(_ connection: borrowing Connection) throws -> Vocabulary {
    let names = try names(connection)
    let categories = try connection.rows(
      "SELECT code, number, household, stale_months, collects FROM category ORDER BY position"
    ) { row in
      Vocabulary.Category(
        code: row.text(0), number: UInt8(clamping: row.int(1)), isHousehold: row.bool(2),
        staleMonths: Int(row.int(3)),
        collects: JSONText.codes(row.text(4)),
        names: names[row.text(0)] ?? [])
    }
    var terms: [String: [Vocabulary.Term]] = [:]
    try connection.forEach("SELECT scheme, code, number, parent FROM term ORDER BY position") {
      terms[$0.text(0), default: []].append(
        Vocabulary.Term(code: $0.text(1), number: Int($0.int(2)), parent: $0.optionalText(3)))
    }
    return Vocabulary(categories: categories, terms: terms)
  }
}

/// A file of `seed/taxonomies` that cannot be read, and the invalid term.
package struct InvalidTaxonomy: Error, CustomStringConvertible {
  package let file: String
  package let term: String?

  package var description: String {
    term.map { "\(file): term \($0) lacks its code or its stale_months" }
      ?? "\(file): not a JSON object with scheme and terms"
  }
}
