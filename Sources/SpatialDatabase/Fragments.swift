internal import Glibc

// What engines spell differently. Everything else in a statement is SQL that SQLite and PostgreSQL
// both read. Each fragment is constant text for constant names; the caller binds in the order said.

extension Connection {
  /// A condition: the row's `longitude` and `latitude` lie in a box, edges included.
  ///
  /// The R*Tree `<table>_box` (columns `west`, `east`, `south`, `north`, keyed by `rowid`) finds
  /// the candidates. It keeps 32-bit floats, rounded outwards, so the exact columns decide. A box
  /// across the antimeridian is asked for in two halves.
  ///
  /// Binds west, south, east, north.
  package func within(_ table: String) -> String {
    """
    \(table).rowid IN (
      SELECT found.rowid
      FROM (SELECT ? AS w, ? AS s, ? AS e, ? AS n) AS box
      CROSS JOIN \(name(table))_box AS tree
        ON tree.west <= box.e AND tree.east >= box.w
        AND tree.south <= box.n AND tree.north >= box.s
      CROSS JOIN \(table) AS found ON found.rowid = tree.rowid
      WHERE found.longitude BETWEEN box.w AND box.e AND found.latitude BETWEEN box.s AND box.n)
    """
  }

  /// ``within(_:)`` for a tree that carries one more axis, as `<axis>_low` and `<axis>_high`.
  ///
  /// Its values are whole numbers below 2^24, which 32-bit floats hold exactly.
  ///
  /// Binds west, south, east, north, lowest, highest.
  package func within(_ table: String, alongWith axis: String) -> String {
    """
    \(table).rowid IN (
      SELECT found.rowid
      FROM (SELECT ? AS w, ? AS s, ? AS e, ? AS n, ? AS low, ? AS high) AS box
      CROSS JOIN \(name(table))_box AS tree
        ON tree.west <= box.e AND tree.east >= box.w
        AND tree.south <= box.n AND tree.north >= box.s
        AND tree.\(name(axis))_low <= box.high AND tree.\(axis)_high >= box.low
      CROSS JOIN \(table) AS found ON found.rowid = tree.rowid
      WHERE found.longitude BETWEEN box.w AND box.e AND found.latitude BETWEEN box.s AND box.n)
    """
  }

  /// A condition: the full-text table `<table>_text` (FTS5, keyed by `rowid`) finds the row.
  ///
  /// Binds a text made by ``searchText(_:)``.
  package func matches(_ table: String) -> String { "\(table).rowid IN (\(matching(table)))" }

  /// A query: the rows that the full-text table `<table>_text` finds, rising.
  ///
  /// Binds a text made by ``searchText(_:)``.
  package func matching(_ table: String) -> String {
    "SELECT rowid FROM \(name(table))_text WHERE \(table)_text MATCH ?"
  }

  /// What someone typed, as full-text search: every word must occur, the last may be unfinished.
  ///
  /// Nothing typed is an operator: words are cut at whatever is neither letter nor digit, which is
  /// how FTS5's `unicode61` cuts them too, and each is quoted.
  ///
  /// - Returns: nil when no word is left; then nothing should be searched for.
  package func searchText(_ typed: String) -> String? {
    let words = typed.unicodeScalars.split { scalar in
      !(scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || scalar.properties.generalCategory == .nonspacingMark)
    }
    if words.isEmpty { return nil }
    // More words than anyone means to search for only cost time.
    return words.prefix(32).map { "\"\(String($0))\"" }.joined(separator: " ") + "*"
  }

  /// A condition: a column holding a JSON array has any of `count` texts.
  ///
  /// Binds the texts.
  package func jsonContainsAny(_ column: String, count: Int) -> String {
    let marks = Array(repeating: "?", count: max(0, count)).joined(separator: ", ")
    return "EXISTS (SELECT 1 FROM json_each(\(name(column))) WHERE json_each.value IN (\(marks)))"
  }

  /// A number to order by: it grows with the great-circle distance from a place, on either side of
  /// the antimeridian too. ``metres(nearness:)`` makes it a distance.
  ///
  /// It is the haversine of the central angle. Binds ``nearnessArguments(longitude:latitude:)``.
  package func nearness(_ table: String) -> String {
    """
    (pow(sin(radians(\(name(table)).latitude - ?) / 2), 2)
      + cos(radians(\(table).latitude)) * ? * pow(sin(radians(\(table).longitude - ?) / 2), 2))
    """
  }

  /// What ``nearness(_:)`` binds, for a place in decimal degrees.
  package func nearnessArguments(longitude: Double, latitude: Double) -> [SQLValue] {
    [.real(latitude), .real(cos(latitude * .pi / 180)), .real(longitude)]
  }

  /// The distance in metres for a ``nearness(_:)``, on a sphere of the Earth's mean radius in
  /// metres (Moritz 2000, GRS 80).
  package func metres(nearness: Double) -> Double {
    2 * 6_371_008.8 * asin(min(1, max(0, nearness).squareRoot()))
  }

  /// A name is written into SQL as it is, so it must be a plain one: a text of our own, possibly
  /// with its table before a dot.
  fileprivate func name(_ name: String) -> String {
    precondition(
      name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
      }, "not the name of a table or column")
    return name
  }
}

extension Connection {
  /// A point geometry. Binds longitude, latitude.
  package var makePoint: String { "MakePoint(?, ?, 4326)" }

  /// A point geometry of two columns, longitude first.
  package func makePoint(of longitude: String, _ latitude: String) -> String {
    "MakePoint(\(name(longitude)), \(name(latitude)), 4326)"
  }
}
