internal import Glibc

// SQL that differs between database engines. The rest of a statement is SQL that both SQLite and
// PostgreSQL accept. Each fragment is constant text for constant names. The caller binds values in
// the documented order.

extension Connection {
  /// A condition: the `longitude` and `latitude` of the row are within a box, edges included.
  ///
  /// The R*Tree `<table>_box` (columns `west`, `east`, `south`, `north`, keyed by `rowid`) finds
  /// the candidates. It stores 32-bit floats, rounded outwards, so the exact columns decide. The
  /// caller splits a box across the antimeridian into two halves. On PostgreSQL it is a table with an index of its
  /// boxes.
  ///
  /// Binds west, south, east, north.
  package func within(_ table: String) -> String { within(table, limits: "", "") }

  /// Like ``within(_:)``, for an R*Tree with an additional axis, `<axis>_low` and `<axis>_high`.
  ///
  /// Its values are integers below 2^24, which 32-bit floats represent exactly.
  ///
  /// Binds west, south, east, north, lowest, highest.
  package func within(_ table: String, alongWith axis: String) -> String {
    within(
      table, limits: ", \(number) AS low, \(number) AS high",
      " AND tree.\(checked(axis))_low <= box.high AND tree.\(axis)_high >= box.low")
  }

  private func within(_ table: String, limits: String, _ condition: String) -> String {
    let overlap =
      switch engine {
      case .sqlite:
        "tree.west <= box.e AND tree.east >= box.w AND tree.south <= box.n AND tree.north >= box.s"
      case .postgresql:
        """
        box(point(tree.west, tree.south), point(tree.east, tree.north))
          && box(point(box.w, box.s), point(box.e, box.n))
        """
      }
    return """
      \(table).rowid IN (
        SELECT found.rowid
        FROM (SELECT \(number) AS w, \(number) AS s, \(number) AS e, \(number) AS n\(limits)) AS box
        CROSS JOIN \(checked(table))_box AS tree
        CROSS JOIN \(table) AS found
        WHERE \(overlap)\(condition)
          AND found.rowid = tree.rowid
          AND found.longitude BETWEEN box.w AND box.e AND found.latitude BETWEEN box.s AND box.n)
      """
  }

  /// A condition: the full-text table `<table>_text` (FTS5, keyed by `rowid`) finds the row.
  ///
  /// Binds a text from ``searchText(_:)``.
  package func matches(_ table: String) -> String { "\(table).rowid IN (\(matching(table)))" }

  /// A query for the rows that the full-text table `<table>_text` finds, in ascending order.
  ///
  /// Binds a text from ``searchText(_:)``.
  package func matching(_ table: String) -> String {
    switch engine {
    case .sqlite: "SELECT rowid FROM \(checked(table))_text WHERE \(table)_text MATCH ?"
    case .postgresql:
      "SELECT rowid FROM \(checked(table))_text WHERE words @@ farol_query(?) ORDER BY rowid"
    }
  }

  /// A query that finds a row of the full-text table `<table>_text` by a word.
  ///
  /// Binds a text from ``indexedWord(_:in:)``, and the row id.
  package func indexEntry(of table: String) -> String {
    switch engine {
    case .sqlite: matching(table) + " AND rowid = ?"
    case .postgresql:
      "SELECT rowid FROM \(checked(table))_text WHERE words @@ farol_query(?) AND rowid = ?"
    }
  }

  /// A full-text query for a word of ASCII letters and digits in a column. PostgreSQL has one index of all columns.
  package func indexedWord(_ word: String, in column: String) -> String {
    switch engine {
    case .sqlite: "\(checked(column)) : \"\(word)\""
    case .postgresql: word
    }
  }

  /// Converts user input into a full-text query: every word must occur, and the last word may be incomplete.
  ///
  /// The input cannot contain operators. Words are split at characters that are neither letters nor
  /// digits, as in FTS5's `unicode61`, and each word is quoted.
  ///
  /// - Returns: nil when no word is left. The caller should then not search.
  package func searchText(_ typed: String) -> String? {
    let words = typed.unicodeScalars.split { scalar in
      !(scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || scalar.properties.generalCategory == .nonspacingMark)
    }
    if words.isEmpty { return nil }
    // No realistic search has more words, and they would only cost time.
    let some = words.prefix(32)
    return switch engine {
    case .sqlite: some.map { "\"\(String($0))\"" }.joined(separator: " ") + "*"
    // `farol_query` makes the query of them.
    case .postgresql: some.map { String($0) }.joined(separator: " ")
    }
  }

  /// A condition: the JSON array in a column contains any of `count` texts.
  ///
  /// Binds the texts.
  package func jsonContainsAny(_ column: String, count: Int) -> String {
    let values = "json_each(\(checked(column)))"
    return
      "EXISTS (SELECT 1 FROM \(values) WHERE json_each.value IN (\(SQLValue.marks(count))))"
  }

  /// A number to order by. It increases with the great-circle distance from a place, also across
  /// the antimeridian. ``metres(nearness:)`` converts it to a distance.
  ///
  /// It is the haversine of the central angle. Binds ``nearnessArguments(longitude:latitude:)``.
  package func nearness(_ table: String) -> String {
    """
    (pow(sin(radians(\(checked(table)).latitude - ?) / 2), 2)
      + cos(radians(\(table).latitude)) * ? * pow(sin(radians(\(table).longitude - ?) / 2), 2))
    """
  }

  /// The values that ``nearness(_:)`` binds, for a place in decimal degrees.
  package func nearnessArguments(longitude: Double, latitude: Double) -> [SQLValue] {
    [.real(latitude), .real(cos(latitude * .pi / 180)), .real(longitude)]
  }

  /// Converts a ``nearness(_:)`` to a distance in metres, on a sphere with the Earth's mean radius
  /// in metres (Moritz 2000, GRS 80).
  package func metres(nearness: Double) -> Double {
    2 * 6_371_008.8 * asin(min(1, max(0, nearness).squareRoot()))
  }

  /// A bound number whose type PostgreSQL cannot find in the context.
  private var number: String { "CAST(? AS DOUBLE PRECISION)" }

  /// Checks a name, which is inserted into SQL unchanged: it must be a plain constant, optionally
  /// with its table before a dot.
  func checked(_ name: String) -> String {
    precondition(
      name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
      }, "not the name of a table or column")
    return name
  }
}

extension Connection {
  /// After a table: the index that SQLite must use. PostgreSQL chooses by its statistics and has no such words.
  package func indexed(by index: String) -> String {
    switch engine {
    case .sqlite: "INDEXED BY \(index)"
    case .postgresql: ""
    }
  }

  /// A point geometry. Binds longitude, latitude.
  package var makePoint: String { "MakePoint(?, ?, 4326)" }

  /// A point geometry from two columns, longitude first.
  package func makePoint(of longitude: String, _ latitude: String) -> String {
    "MakePoint(\(checked(longitude)), \(checked(latitude)), 4326)"
  }
}

extension Database {
  /// The time in milliseconds since 1970, by the clock of the database.
  package var milliseconds: String {
    isOnServer
      ? "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
      : "CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT)"
  }
}
