import PostgreSQL
import Testing

/// `?` becomes `$1`, `$2`… where it is a parameter, and not in other places.
@Suite struct NumberedStatementTests {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1", 0),
    ("", "", 0),
    ("SELECT ?, ?", "SELECT $1, $2", 2),
    ("SELECT ?2, ?1, ?", "SELECT $2, $1, $3", 3),
    ("SELECT ?1 + ?1", "SELECT $1 + $1", 1),
    ("a=?AND b=?", "a=$1 AND b=$2", 2),
    ("x IN (?,?)", "x IN ($1,$2)", 2),
    ("SELECT '?', ?", "SELECT '?', $1", 1),
    ("SELECT 'it''s ?', ?", "SELECT 'it''s ?', $1", 1),
    (#"SELECT '\', ?"#, #"SELECT '\', $1"#, 1),
    (#"SELECT E'\'?', ?"#, #"SELECT E'\'?', $1"#, 1),
    (#"SELECT e'\\', ?"#, #"SELECT e'\\', $1"#, 1),
    (#"SELECT E'a''\'?', ?"#, #"SELECT E'a''\'?', $1"#, 1),
    ("SELECT E'a'\n  '\\'?', ?", "SELECT E'a'\n  '\\'?', $1", 1),
    ("SELECT E'a' -- ?\n '\\'?', ?", "SELECT E'a' -- ?\n '\\'?', $1", 1),
    ("SELECT nameE'?', ?", "SELECT nameE'?', $1", 1),
    ("SELECT U&'\\0041?' , ?", "SELECT U&'\\0041?' , $1", 1),
    ("SELECT X'00', B'1', N'?', ?", "SELECT X'00', B'1', N'?', $1", 1),
    (#"SELECT "a?", "b""?", ?"#, #"SELECT "a?", "b""?", $1"#, 1),
    ("SELECT 1 -- ? '\n, ?", "SELECT 1 -- ? '\n, $1", 1),
    ("SELECT 1 -- ?\r, ?", "SELECT 1 -- ?\r, $1", 1),
    ("SELECT 1 --", "SELECT 1 --", 0),
    ("SELECT /* ? /* ' */ ? */ ?", "SELECT /* ? /* ' */ ? */ $1", 1),
    ("SELECT 4/?", "SELECT 4/$1", 1),
    ("SELECT 4-?", "SELECT 4-$1", 1),
    ("SELECT $$?$$, ?", "SELECT $$?$$, $1", 1),
    ("SELECT $a$?$$?$b$?$a$, ?", "SELECT $a$?$$?$b$?$a$, $1", 1),
    ("SELECT a$b$c, ?", "SELECT a$b$c, $1", 1),
    ("SELECT a$$ + ?", "SELECT a$$ + $1", 1),
    ("SELECT name$ , ?", "SELECT name$ , $1", 1),
    ("a ?? b, c ??| d, e @?? f, ?", "a ? b, c ?| d, e @? f, $1", 1),
    ("SELECT 'ção?', \"ü?\", é, ?", "SELECT 'ção?', \"ü?\", é, $1", 1),
    ("SELECT ?::text", "SELECT $1::text", 1),
    // A combining mark does not hide the question mark. It is the start of a name for PostgreSQL.
    ("SELECT ?\u{301}", "SELECT $1 \u{301}", 1),
  ])
  func `only parameters are numbered`(sql: String, numbered: String, count: Int) throws {
    let statement = try NumberedStatement(sql)
    #expect(statement.text == numbered)
    #expect(statement.parameterCount == count)
  }

  @Test(arguments: [
    "SELECT 'a", "SELECT 'a''", "SELECT E'a\\'", #"SELECT "a"#, "SELECT /* a", "SELECT /* /* */",
    "SELECT $$a$", "SELECT $a$ $b$", "SELECT $1", "SELECT ?0", "SELECT ?65536",
    "SELECT ?99999999999999999999", "SELECT '\0'", "\0",
  ])
  func `a statement that cannot be read is refused`(sql: String) {
    #expect(fault { _ = try NumberedStatement(sql) }?.kind == .statement)
  }

  /// Pieces of SQL with what becomes of them. A parameter is nil.
  private static let pieces: [String?] = [
    nil, nil, nil, "'?'", "''''", "'a''?'", #"E'\'?'"#, #"E'\\'"#, "$$?'$$", "$q$ ? $$ $q$",
    "$é_1$?$é_1$",
    #""?""#, #""a""?""#, "-- ? '\n", "/* ? */", "/* /* ' */ ? */", "a$1$b", "+", "<>", "-", "/",
    "(", ")", ",",
    "12.5e3", "é", "U&'?'", "x", "::", "*",
  ]

  @Test func `pieces in any order keep their meaning`() throws {
    var generator = SplitMix(seed: 26)
    for _ in 0..<3_000 {
      var (sql, expected, count) = ("", "", 0)
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        if let piece = Self.pieces.randomElement(using: &generator) ?? nil {
          sql += piece
          expected += piece
        } else {
          count += 1
          sql += "?"
          expected += "$\(count)"
        }
        sql += " "
        expected += " "
      }
      let statement = try NumberedStatement(sql)
      #expect(statement.text == expected)
      #expect(statement.parameterCount == count)
    }
  }

  @Test func `no sequence of characters ends the process`() {
    let alphabet = Array("?'\"$-/*Ee\\ \na1é&@|")
    var generator = SplitMix(seed: 4)
    for _ in 0..<20_000 {
      let sql = String(
        (0..<Int.random(in: 0...14, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
      guard let statement = try? NumberedStatement(sql) else { continue }
      #expect(sql.utf8.contains(UInt8(ascii: "?")) || statement.text == sql)
      #expect(statement.parameterCount <= max(sql.utf8.count, 111))
    }
  }
}

/// Repeatable random numbers (Steele and others 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
