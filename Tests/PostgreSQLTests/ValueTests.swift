import PostgreSQL
import Testing

/// Values that are bound come back as they were, in binary results and in text results.
@Suite struct ValueTests {
  private let connection: ServerConnection

  init() throws { connection = try Scratch.shared.get().connect() }

  /// The value as PostgreSQL returns it, alone (in binary) and next to a `numeric`, which makes the result a text.
  private func both(_ value: BoundValue, as type: String) throws -> [BoundValue?] {
    [
      try connection.value("SELECT CAST(? AS \(type))", value),
      try connection.value("SELECT CAST(? AS \(type)), CAST(1 AS numeric)", value),
    ]
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, 1 << 53 + 1, .max])
  func `integers come back`(number: Int64) throws {
    #expect(try both(.integer(number), as: "bigint") == [.integer(number), .integer(number)])
  }

  @Test(arguments: [[], [7], [Int64.min, -1, 0, 1, .max], Array(0..<5_000)])
  func `a list of integers arrives in order`(numbers: [Int64]) throws {
    let found = try connection.rows(
      "SELECT number FROM unnest(CAST(? AS bigint[])) AS number", [.integers(numbers)]
    ) { $0.int(0) }
    #expect(found == numbers)
  }

  @Test func `a list of integers is refused for a parameter of another type`() throws {
    let found = fault { _ = try connection.value("SELECT CAST(? AS text)", .integers([1])) }
    #expect(found?.kind == .value)
  }

  @Test(arguments: [
    -Double.infinity, -.greatestFiniteMagnitude, -1.5, -0.0, .leastNonzeroMagnitude, 0.1, 1 / 3,
    .pi, 9_007_199_254_740_992, .greatestFiniteMagnitude, .infinity,
  ])
  func `numbers come back to the last bit`(number: Double) throws {
    for value in try both(.real(number), as: "double precision") {
      guard case .real(let back) = value else {
        Issue.record("\(number) came back as \(String(describing: value))")
        continue
      }
      #expect(back.bitPattern == number.bitPattern)
    }
  }

  @Test func `not-a-number is NULL, as in SQLite`() throws {
    #expect(try both(.real(.nan), as: "double precision") == [.null, .null])
  }

  @Test(arguments: [
    "", " ", "'", "\"", "\\", "$1 ? $$", "\u{1}\u{7F}\u{FEFF}", "e\u{301}", "ção", "日本語", "👩‍👩‍👧‍👦🏳️‍🌈",
    "\u{10FFFF}\u{FFFF}\u{D7FF}\u{E000}", "\u{202E}abc\u{202C}", "Z\u{300}\u{301}\u{302}\u{303}",
    "\r\n\t",
  ])
  func `texts come back to the byte`(text: String) throws {
    for value in try both(.text(text), as: "text") {
      guard case .text(let back) = value else {
        Issue.record("a text came back as \(String(describing: value))")
        continue
      }
      #expect(Array(back.utf8) == Array(text.utf8))
    }
  }

  @Test func `a text of 1 MiB comes back`() throws {
    let text = String(repeating: "é?'\\", count: 1 << 18)
    #expect(try both(.text(text), as: "text") == [.text(text), .text(text)])
  }

  @Test func `bytes come back, all of them, none of them and 1 MiB of them`() throws {
    for bytes in [[], Array(0...255), (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }] {
      #expect(try both(.bytes(bytes), as: "bytea") == [.bytes(bytes), .bytes(bytes)])
    }
  }

  @Test func `truth values come back`() throws {
    for truth in [true, false] {
      #expect(try both(.boolean(truth), as: "boolean") == [.boolean(truth), .boolean(truth)])
    }
  }

  @Test(arguments: ["bigint", "double precision", "text", "bytea", "boolean", "jsonb", "numeric"])
  func `nothing is NULL of every type`(type: String) throws {
    #expect(try both(.null, as: type) == [.null, .null])
  }

  @Test func `U+0000 in a text is a clear error, and the connection stays usable`() throws {
    let (refusal, next) = try connection.transaction(.write()) { connection in
      let refusal = fault { _ = try connection.value("SELECT CAST(? AS text)", .text("a\0geheim")) }
      return (refusal, try connection.value("SELECT 1"))
    }
    #expect(refusal?.kind == .value)
    #expect(refusal?.message == "value 1: the text contains U+0000, which PostgreSQL cannot store")
    #expect(refusal.map { !$0.description.contains("geheim") } == true)
    #expect(next == 1)
  }

  @Test func `a value fits its parameter or is refused`() throws {
    #expect(
      try connection.value("SELECT CAST(? AS integer)", .integer(2_147_483_647)) == 2_147_483_647)
    #expect(try connection.value("SELECT CAST(? AS smallint)", .integer(-32_768)) == -32_768)
    #expect(try connection.value("SELECT CAST(? AS bigint)", .real(3)) == 3)
    #expect(try connection.value("SELECT CAST(? AS bigint)", .text("42")) == 42)
    #expect(try connection.value("SELECT CAST(? AS bigint)", .boolean(true)) == 1)
    #expect(try connection.value("SELECT CAST(? AS boolean)", .integer(2)) == .boolean(true))
    #expect(try connection.value("SELECT CAST(? AS double precision)", .integer(-7)) == .real(-7))
    #expect(try connection.value("SELECT CAST(? AS text)", .integer(-7)) == "-7")
    #expect(try connection.value("SELECT CAST(? AS text)", .real(0.5)) == "0.5")
    for (type, value) in [
      ("integer", BoundValue.integer(2_147_483_648)), ("smallint", 40_000), ("bigint", .real(0.5)),
      ("bigint", .real(1e30)), ("bigint", .real(.infinity)), ("text", .bytes([1])),
    ] {
      #expect(
        fault { _ = try connection.value("SELECT CAST(? AS \(type))", value) }?.kind == .value)
    }
  }

  @Test func `columns are converted as SQLite does`() throws {
    for suffix in ["", ", CAST(0 AS numeric)"] {
      let found = try connection.first(
        """
        SELECT CAST(7 AS bigint), CAST(-1.9 AS double precision), CAST(' 12abc' AS text), TRUE, NULL,
          CAST(3 AS smallint), CAST(2.5 AS real), CAST('x' AS text)\(suffix)
        """
      ) { row in
        #expect((0..<4).map { row.int($0) } == [7, -1, 12, 1])
        #expect((0..<4).map { row.double($0) } == [7, -1.9, 12, 1])
        #expect(row.text(0) == "7")
        #expect(row.text(2) == " 12abc")
        #expect(row.bool(3))
        #expect(row.isNull(4))
        #expect((row.int(4), row.double(4), row.text(4)) == (0, 0, ""))
        #expect((row.int(5), row.double(6), row.int(7)) == (3, 2.5, 0))
        #expect(row.isNull(-1))
        #expect(row.isNull(99))
        #expect((row.int(99), row.text(99), row.blob(-1)) == (0, "", []))
        return row.columnCount
      }
      #expect(found == (suffix.isEmpty ? 8 : 9))
    }
  }

  @Test func `decimal numbers are integers if they can be`() throws {
    for (text, value) in [
      ("12", BoundValue.integer(12)), ("-9223372036854775808", .integer(.min)), ("2.5", .real(2.5)),
      ("9223372036854775808", .real(9_223_372_036_854_775_808)),
    ] {
      #expect(try connection.value("SELECT CAST(? AS numeric)", .text(text)) == value)
    }
  }

  @Test func `types without a case of their own are texts`() throws {
    #expect(try connection.value("SELECT CAST('{\"a\": 1}' AS jsonb)") == #"{"a": 1}"#)
    #expect(
      try connection.value("SELECT CAST('2026-11-26 12:00+01' AS timestamptz)")
        == "2026-11-26 11:00:00+00")
    #expect(try connection.first("SELECT CAST(12 AS numeric)") { $0.int(0) } == 12)
  }
}
